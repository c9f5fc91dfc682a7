// User requests to gateways (link, unlink, remove, send texts, check accounts), and the polling of devices.
import { AppError, appError } from '../../base/errors/errors.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Log } from '../../base/process/log.ts'
import { nowMs } from '../../base/time/clock.ts'
import type { DeviceRow } from '../../db/tables.ts'
import {
  type Account,
  type DriverName,
  DriverTrouble,
  type GatewayDriver,
  type LinkCode,
  type SentText,
} from './driver-port.ts'
import { driverRequests } from './driver-requests.ts'
import { devicePolling, type Paces } from './polling.ts'
import type { DeviceStates } from './state-store.ts'

type GatewayParts = {
  drivers: ReadonlyMap<DriverName, GatewayDriver>
  states: DeviceStates
  log: Log
  paces?: Partial<Paces>
  /** How long an API request waits for a gateway. */
  patienceMs?: number
}

const PATIENCE_MS = 5000
const SEND_MS = 45_000

export type GatewayService = ReturnType<typeof gatewayService>

export function gatewayService({ drivers, states, log, paces, patienceMs = PATIENCE_MS }: GatewayParts) {
  const requests = driverRequests(drivers)
  const codes = new LruCache<string, LinkCode>(1000)
  const polling = devicePolling({
    requests,
    states,
    log,
    paces,
    onStatus(deviceId, status) {
      if (status !== 'waiting_qr') codes.delete(deviceId)
    },
  })

  return {
    /** Throws if the driver is not available here. */
    mustHave: (name: DriverName): void => void requests.driverOf({ driver: name }),

    settle: (id: string): Promise<void> => polling.settle(id, patienceMs),
    work: polling.work,
    told: polling.told,

    /** The code to scan, or null if there is none now. */
    async link(device: DeviceRow, ms = patienceMs): Promise<LinkCode | null> {
      if (device.status === 'disabled') return null
      const known = codes.get(device.id)
      if (known && Date.parse(known.expiresAt) > nowMs()) return known
      const code = await requests.ask(device, ms, (driver, shown, signal) => driver.link(shown, signal))
      if (code && device.driver !== 'embedded') codes.set(device.id, code)
      return code
    },

    async unlink(device: DeviceRow): Promise<void> {
      if (!requests.driverOf(device).unlink) throw appError('device_not_unlinkable', { driver: device.driver })
      const state = await requests
        .ask(device, patienceMs, async (driver, shown, signal) => driver.unlink?.(shown, signal))
        .catch(toCaller)
      if (state) await polling.keep(device, state, { ms: patienceMs, isNewest: true }).catch(toCaller)
    },

    async remove(device: DeviceRow): Promise<void> {
      codes.delete(device.id)
      await requests.ask(device, patienceMs, (driver, shown, signal) => driver.remove(shown, signal)).catch(toCaller)
    },

    async sendText(device: DeviceRow, to: string, text: string, key: string, from: string | null): Promise<SentText> {
      try {
        return await requests.ask(device, SEND_MS, (driver, shown, signal) =>
          driver.sendText(shown, to, text, key, signal, from),
        )
      } catch (error) {
        if (error instanceof AppError) return { ok: false, error: error.message }
        if (!(error instanceof DriverTrouble)) throw error
        return { ok: false, error: error.message, ...(error.kind === 'timeout' ? { isDoubtful: true } : {}) }
      }
    },

    /** Undefined if the result is unknown. */
    async checkAccount(account: Account): Promise<'valid' | 'invalid' | undefined> {
      const driver = [...drivers.values()].find((each) => each.checkAccount)
      return requests
        .within(patienceMs, async (signal) => driver?.checkAccount?.(account, signal))
        .catch((error) => {
          if (!(error instanceof DriverTrouble)) throw error
          return undefined
        })
    },

    close: requests.close,
  }
}

/** Converts a gateway failure into an API error. */
export function toCaller(error: unknown): never {
  if (!(error instanceof DriverTrouble)) throw error
  const { kind, message: reason } = error
  const more = { cause: error }
  if (kind === 'timeout') throw appError('gateway_timeout', { reason }, more)
  throw appError(kind === 'unavailable' ? 'gateway_unavailable' : 'gateway_refused', { reason }, more)
}
