// The remote driver: devices of an external gateway service (docs/gateway-api.yaml), reached with the user's own
// account. Changes arrive as events; calls use SIP, like a trunk.
import type { Log } from '../../../base/process/log.ts'
import { every } from '../../../base/time/timer.ts'
import {
  type DeviceState,
  type DriverHost,
  DriverTrouble,
  type GatewayDevice,
  type GatewayDriver,
} from '../driver-port.ts'
import { sendInParts } from '../text-parts.ts'
import { accountFollowers, type EventTimes, type Places } from './account-events.ts'
import { type AskTimes, type Question, remoteAsking } from './client.ts'
import { RemoteFault, type RemoteTimes, remoteHttp, unreadable } from './http-request.ts'
import { type FarEvent, readDevice, readDevices, readMessage, readQr, readSip, stateOf, trunkOf } from './responses.ts'
import { remoteSessions } from './session.ts'

export type RemoteParts = {
  /** The service's base URL, without a trailing slash. */
  url: string
  desk: DriverHost
  places: Places
  /** Where the service sends calls: our SIP URI, without a user. */
  callsTo: string
  /** Users with devices at the service, whose events are followed. */
  users(): Promise<readonly string[]>
  log: Log
  times?: Partial<RemoteDriverTimes>
}

export type RemoteDriverTimes = RemoteTimes & AskTimes & EventTimes & { wrongMs: number; usersMs: number }

const usual: RemoteDriverTimes = {
  connectMs: 5000,
  answerMs: 10_000,
  repeatMs: 300,
  patienceMs: 5000,
  waitSeconds: 25,
  pauseMs: 500,
  longestPauseMs: 30_000,
  /** How long rejected credentials are not retried. */
  wrongMs: 300_000,
  usersMs: 2000,
}

export type RemoteDriver = GatewayDriver & { start(): void; close(): Promise<void> }

export function remoteDriver(parts: RemoteParts): RemoteDriver {
  const times = { ...usual, ...parts.times }
  const { desk, places, log } = parts
  const closing = new AbortController()
  const http = remoteHttp(parts.url, times)
  const sessions = remoteSessions(http, desk, closing.signal, times.wrongMs)
  const askAs = remoteAsking(http, sessions, times)

  /** Sends a request and parses the response. */
  async function ask<T>(
    userId: string,
    question: Question,
    read: (json: unknown) => T | undefined,
    what: string,
    signal: AbortSignal,
  ): Promise<T> {
    const { status, json } = await askAs(userId, question, AbortSignal.any([signal, closing.signal]))
    const value = read(json)
    if (value === undefined) throw unreadable(status, `is not ${what}`)
    return value
  }

  /**
   * The device's id at the service. If the response to its creation was lost, it is found by its reference, which is
   * our id.
   */
  async function farIdOf({ userId, id, externalId }: GatewayDevice, signal: AbortSignal): Promise<string | null> {
    if (externalId !== null) return externalId
    const path = `/devices?${new URLSearchParams({ reference: id })}`
    const { devices } = await ask(userId, { method: 'GET', path }, readDevices, 'a list of devices', signal)
    return devices.find(({ reference }) => reference === id)?.id ?? null
  }

  const gone = (): DeviceState => ({ status: 'disconnected', error: 'The gateway service does not know this device' })
  const pathOf = (externalId: string) => `/devices/${encodeURIComponent(externalId)}`

  async function look(device: GatewayDevice, signal: AbortSignal): Promise<DeviceState> {
    const externalId = await farIdOf(device, signal)
    if (externalId === null) return gone()
    const question = { method: 'GET' as const, path: pathOf(externalId) }
    return ask(device.userId, question, readDevice, 'a device', signal).then(stateOf, where(404, gone))
  }

  /** Ignores events of devices that belong to another user or no longer exist. */
  async function take(userId: string, event: FarEvent): Promise<void> {
    const device = await desk.device('remote', event.deviceId)
    if (device?.userId !== userId) return
    if (event.type === 'message') {
      const { id: key, from, text } = event.message
      await desk.received({ deviceId: device.id, from, text, key, at: event.at })
      return
    }
    try {
      // Requests the current state: the event may be outdated.
      await desk.told(device.id, () => look(device, closing.signal))
    } catch (err) {
      if (!(err instanceof DriverTrouble)) throw err
      // The device is polled anyway, and the texts after this event must not be held up.
      log.warn({ err, deviceId: device.id }, 'failed to apply gateway event')
    }
  }

  const emailOf = async (userId: string) => (await desk.account(userId))?.email
  const followers = accountFollowers({ emailOf, ask: askAs, places, take, times, log }, closing.signal)
  let following: ReturnType<typeof every> | undefined

  return {
    name: 'remote',

    async create({ userId, id, name }, signal) {
      const question = { method: 'POST' as const, path: '/devices', key: id, body: { name } }
      return stateOf(await ask(userId, question, readDevice, 'a device', signal))
    },

    look,

    async link(device, signal) {
      const externalId = await farIdOf(device, signal)
      if (externalId === null) return null
      const question = { method: 'GET' as const, path: `${pathOf(externalId)}/qr` }
      return ask(device.userId, question, readQr, 'a QR code', signal).catch(where(409, () => null))
    },

    async remove(device, signal) {
      const externalId = await farIdOf(device, signal)
      if (externalId === null) return
      await ask(device.userId, { method: 'DELETE', path: pathOf(externalId) }, () => true, '', signal).catch(
        where(404, () => true),
      )
    },

    async trunk(device, signal) {
      const externalId = await farIdOf(device, signal)
      if (externalId === null) throw unknownDevice()
      const body = { callsTo: parts.callsTo }
      const question = { method: 'PUT' as const, path: `${pathOf(externalId)}/sip`, body }
      return trunkOf(await ask(device.userId, question, readSip, 'a SIP account', signal))
    },

    async unlink(device, signal) {
      const externalId = await farIdOf(device, signal)
      if (externalId === null) return gone()
      const question = { method: 'DELETE' as const, path: `${pathOf(externalId)}/link` }
      return ask(device.userId, question, readDevice, 'a device', signal).then(stateOf, where(404, gone))
    },

    /** Each part of a long text has its own key. */
    async sendText(device, to, text, key, signal) {
      let { externalId } = device
      const send = async (part: string, index: number): Promise<string> => {
        externalId ??= await farIdOf(device, signal)
        if (externalId === null) throw unknownDevice()
        const path = `${pathOf(externalId)}/messages`
        const body = { to, text: part }
        const question = { method: 'POST' as const, path, key: index === 0 ? key : `${key}.${index}`, body }
        return (await ask(device.userId, question, readMessage, 'a message', signal)).id
      }
      return sendInParts(text, send, (error, index) => {
        if (!(error instanceof RemoteFault)) throw error
        const isDoubtful = error.mayBeTaken || index > 0
        return { ok: false, error: error.message, ...(isDoubtful ? { isDoubtful, mayRepeat: true } : {}) }
      })
    },

    checkAccount: (account, signal) => sessions.check(account, AbortSignal.any([signal, closing.signal])),

    /** Starts following events. */
    start() {
      const follow = async () => followers.follow(await parts.users())
      following ??= every(times.usersMs, follow, (err) => log.warn({ err }, 'failed to read gateway users'))
    },

    async close() {
      closing.abort()
      await following?.stop()
      await followers.ended()
      await http.close()
    },
  }
}

const unknownDevice = () => new RemoteFault('refused', 'The gateway service does not know the device', {})

/** Treats this status as a normal response. */
const where =
  <T>(status: number, answer: () => T) =>
  (error: unknown): T => {
    if (error instanceof RemoteFault && error.status === status) return answer()
    throw error
  }
