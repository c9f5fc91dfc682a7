// Polls devices at their gateways: creates new ones, stores the states that drivers report, and schedules the next
// poll.
import { backoffMs } from '../../base/concurrency/backoff.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { type DeviceState, type DeviceStatus, DriverTrouble } from './driver-port.ts'
import type { DriverRequests } from './driver-requests.ts'
import type { DeviceStates } from './state-store.ts'

/** Poll interval for each last known status. */
export type Paces = Readonly<Record<DeviceStatus, number>>
const usualPaces: Paces = {
  provisioning: 3000,
  waiting_qr: 3000,
  connected: 60_000,
  disconnected: 20_000,
  error: 60_000,
}

type PollingParts = {
  requests: DriverRequests
  states: DeviceStates
  log: Log
  paces: Partial<Paces> | undefined
  /** Called when a driver reported this status. */
  onStatus(deviceId: string, status: DeviceStatus): void
}

/** The time limit of one request to a gateway. */
export const ASK_MS = 10_000
const LOOKS_AT_ONCE = 4
/** After this many consecutive failures, a connected device is no longer reported as connected. */
const MAX_FAILURES = 3
const MAX_PAUSE_MS = 60_000

export function devicePolling({ requests, states, log, paces, onStatus }: PollingParts) {
  const pace = { ...usualPaces, ...paces }
  const keep = stateKeeper({ requests, states, onStatus })
  let looking = 0

  /**
   * Creates the device if necessary, otherwise polls it, and schedules the next poll. Gateway failures are never
   * thrown.
   */
  async function look(device: DeviceRow, ms: number): Promise<void> {
    try {
      const isMade = device.status !== 'provisioning' && (device.externalId !== null || device.driver === 'embedded')
      const state = await requests.ask(device, ms, (driver, shown, signal) =>
        isMade ? driver.look(shown, signal) : driver.create(shown, signal),
      )
      const kept = await keep(device, state, { ms })
      if (!kept) return await states.askAgain(device.id, pace.provisioning, device.tries)
      const { status } = kept
      const mustLook = device.driver !== 'embedded' || status === 'provisioning'
      const next = status === 'disabled' || !mustLook ? null : pace[status]
      await states.askAgain(device.id, next, 0)
    } catch (error) {
      if (!(error instanceof DriverTrouble) && !(error instanceof AppError)) throw error
      if (!requests.isClosing()) await failed(device, error)
    }
  }

  async function failed(device: DeviceRow, trouble: DriverTrouble | AppError): Promise<void> {
    const tries = device.tries + 1
    const mayPass = trouble.kind === 'unavailable' || trouble.kind === 'timeout'
    if (trouble.kind === 'forbidden') {
      await states.release(device.id, trouble.message)
      return log.info({ deviceId: device.id, driver: device.driver }, 'gateway device refused')
    }
    // A short outage does not change the status; a refusal is an error until the gateway accepts again.
    const isLasting = !mayPass || (tries >= MAX_FAILURES && device.status !== 'provisioning')
    await states.change(device.id, { error: trouble.message, ...(isLasting ? { status: 'error' } : {}) })
    const pause = backoffMs(tries, { firstMs: pace.provisioning, maxMs: MAX_PAUSE_MS })
    await states.askAgain(device.id, pause, tries)
    log.info(
      { deviceId: device.id, driver: device.driver, kind: trouble.kind, tries },
      'device provisioning or polling failed; retrying',
    )
  }

  return {
    keep,

    /** Provisions a new or re-enabled device as far as possible within `ms`. */
    async settle(id: string, ms: number): Promise<void> {
      const device = await states.row(id)
      if (device?.status === 'provisioning') await look(device, ms)
    },

    /** Polls the devices that are due. */
    async work(): Promise<void> {
      while (looking < LOOKS_AT_ONCE && !requests.isClosing()) {
        const device = await states.due(4 * ASK_MS)
        if (!device) return
        looking++
        look(device, ASK_MS)
          .catch((err) => log.warn({ err, deviceId: device.id }, 'failed to poll device'))
          .finally(() => looking--)
      }
    },

    /** The gateway reports that a state has changed; `look` fetches it. */
    async told(id: string, look: () => Promise<DeviceState>): Promise<void> {
      const device = await states.row(id)
      if (!device || device.status === 'disabled') return
      if (!(await keep(device, await look(), { ms: ASK_MS })))
        await states.askAgain(id, pace.provisioning, device.tries)
    },
  }
}

/**
 * Stores the state that a driver reported. A device counts as connected only when calls can reach it. Undefined if the
 * stored state has changed since this device was read (for example by an unlink): the report may be older.
 */
const stateKeeper =
  ({ requests, states, onStatus }: Pick<PollingParts, 'requests' | 'states' | 'onStatus'>) =>
  async (
    device: DeviceRow,
    state: DeviceState,
    { ms, isNewest = false }: { ms: number; isNewest?: boolean },
  ): Promise<DeviceRow | undefined> => {
    const { status, externalId, phone, error = null } = state
    const known = { ...device, externalId: externalId ?? device.externalId, phone: device.phone ?? phone ?? null }
    const isReached = status === 'connected' && device.driver !== 'embedded'
    const trunk = isReached
      ? await requests.ask(known, ms, (driver, shown, signal) => driver.trunk(shown, signal))
      : undefined
    onStatus(device.id, status)
    const change = {
      status,
      error,
      ...(externalId === undefined ? {} : { externalId }),
      ...(phone === undefined ? {} : { phone }),
      ...(trunk === undefined ? {} : { trunk: trunk && JSON.stringify(trunk) }),
      ...(status === 'connected' ? { isSeen: true } : {}),
    }
    return states.change(device.id, change, ({ statusAt }) => isNewest || statusAt === device.statusAt)
  }
