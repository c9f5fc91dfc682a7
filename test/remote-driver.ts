// The remote gateway driver alone, for tests: against a service on loopback, with an in-memory host.
import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { Account, DeviceState, GatewayDevice, TextIn } from '../src/features/devices/driver-port.ts'
import type { EventCursor } from '../src/features/devices/remote/account-events.ts'
import { type RemoteDriverTimes, remoteDriver } from '../src/features/devices/remote/driver.ts'
import { ACCOUNT } from './vendors/gateway-service.ts'

export const CALLS_TO = 'sip:127.0.0.1:5060'

type Ending = { after(ending: () => unknown): void }

/** State that outlives a driver. */
export function house() {
  return {
    accounts: new Map<string, Account>([['ana', { ...ACCOUNT }]]),
    statuses: [] as string[],
    devices: new Map<string, GatewayDevice>(),
    states: [] as { deviceId: string; state: DeviceState }[],
    texts: [] as TextIn[],
    places: new Map<string, EventCursor>(),
    /** How many times storing a text fails. */
    troubles: 0,
  }
}
export type House = ReturnType<typeof house>

/** Short pauses, but a generous response timeout for a busy machine, unless a test overrides it. */
const quick: RemoteDriverTimes = {
  connectMs: 10_000,
  answerMs: 60_000,
  repeatMs: 20,
  patienceMs: 3000,
  waitSeconds: 5,
  pauseMs: 20,
  longestPauseMs: 200,
  wrongMs: 60_000,
  usersMs: 50,
}

export function openRemote(t: Ending, url: string, at: House = house(), times: Partial<RemoteDriverTimes> = {}) {
  const lines: string[] = []
  const driver = remoteDriver({
    url,
    callsTo: CALLS_TO,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    times: { ...quick, ...times },
    users: async () => [...new Set([...at.devices.values()].map(({ userId }) => userId))],
    places: {
      read: async (userId) => at.places.get(userId),
      save: async (userId, place) => void at.places.set(userId, place),
    },
    desk: {
      device: async (_driver, externalId) =>
        [...at.devices.values()].find((device) => device.externalId === externalId),
      async told(deviceId, look) {
        at.states.push({ deviceId, state: await look() })
      },
      async received(text) {
        if (at.troubles > 0) {
          at.troubles--
          throw new Error('the database is away')
        }
        if (!at.texts.some(({ key }) => key === text.key)) at.texts.push(text)
        return true
      },
      claim: async () => true,
      release: async () => {},
      account: async (userId) => at.accounts.get(userId),
      accountChecked: async (userId, status) => void at.statuses.push(`${userId} ${status}`),
    },
  })
  t.after(() => driver.close())
  const { signal } = new AbortController()

  /** Creates a device in the remote service and registers it under its external id. */
  async function made(userId = 'ana'): Promise<GatewayDevice & { externalId: string }> {
    const fresh = { id: randomUUID(), userId, driver: 'remote' as const, name: 'desk', phone: null, externalId: null }
    const { externalId = '' } = await driver.create(fresh, signal)
    const device = { ...fresh, externalId }
    at.devices.set(device.id, device)
    return device
  }
  return { driver, house: at, signal, made, logs: () => lines.join('') }
}
