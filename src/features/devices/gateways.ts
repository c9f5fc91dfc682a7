// The device service above the drivers: creates devices at their gateways, polls them, and stores their states.
import { raceAbort } from '../../base/concurrency/abort.ts'
import { backoffMs } from '../../base/concurrency/backoff.ts'
import { AppError, appError } from '../../base/errors/errors.ts'
import { LruCache } from '../../base/lru-cache.ts'
import type { Log } from '../../base/process/log.ts'
import { nowMs } from '../../base/time/clock.ts'
import {
  type Account,
  type DeviceState,
  type DeviceStatus,
  type DriverName,
  DriverTrouble,
  type GatewayDevice,
  type GatewayDriver,
  type LinkCode,
  type SentText,
} from './driver-port.ts'

/** A stored device. */
export type StoredDevice = GatewayDevice & {
  status: DeviceStatus | 'disabled'
  /** When its state last changed. */
  statusAt: string
  tries: number
  lastError: string | null
}
type Change = {
  status?: DeviceStatus
  externalId?: string
  phone?: string
  error?: string | null
  trunk?: string | null
  isSeen?: boolean
}

/** The store of device states. */
export interface StateBook {
  row(id: string): Promise<StoredDevice | undefined>
  change(id: string, to: Change, isFrom?: (device: StoredDevice) => boolean): Promise<StoredDevice | undefined>
  release(id: string, error: string): Promise<void>
  due(leaseMs: number): Promise<StoredDevice | undefined>
  askAgain(id: string, inMs: number | null, tries: number): Promise<void>
}

/** Poll intervals by the last status. */
export type Paces = Readonly<Record<DeviceStatus, number>>
const usualPaces: Paces = {
  provisioning: 3000,
  waiting_qr: 3000,
  connected: 60_000,
  disconnected: 20_000,
  error: 60_000,
}

export type ServiceParts = {
  drivers: ReadonlyMap<DriverName, GatewayDriver>
  states: StateBook
  log: Log
  paces?: Partial<Paces>
  /** How long an API request waits for a gateway. */
  patienceMs?: number
}

/** The time limit of one request to a gateway. */
const ASK_MS = 10_000
const PATIENCE_MS = 5000
const SEND_MS = 45_000
const LOOKS_AT_ONCE = 4
/** After this many failures in a row a connected device is no longer reported as connected. */
const MAX_FAILURES = 3
const MAX_PAUSE_MS = 60_000

export type GatewayService = ReturnType<typeof gatewayService>

export function gatewayService({ drivers, states, log, paces, patienceMs = PATIENCE_MS }: ServiceParts) {
  const pace = { ...usualPaces, ...paces }
  const closing = new AbortController()
  const codes = new LruCache<string, LinkCode>(1000)
  let looking = 0

  function driverOf(device: { driver: DriverName }): GatewayDriver {
    const driver = drivers.get(device.driver)
    if (!driver) throw appError('device_driver_missing', { driver: device.driver })
    return driver
  }

  /** Times out even if a driver ignores the signal. */
  async function ask<T>(ms: number, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), ms)
    const signal = AbortSignal.any([late.signal, closing.signal])
    try {
      return await raceAbort(signal, question(signal), () => {
        throw new DriverTrouble('timeout', 'The gateway did not answer in time')
      })
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Stores the state that a driver reported. A device is connected only when calls can reach it. Undefined where the stored state has
   * changed since this device was read, as by an unlink meanwhile: the report may be older.
   */
  async function keep(
    device: StoredDevice,
    state: DeviceState,
    { ms, isNewest = false }: { ms: number; isNewest?: boolean },
  ): Promise<StoredDevice | undefined> {
    const { status, externalId, phone, error = null } = state
    const known = {
      ...forDriver(device),
      externalId: externalId ?? device.externalId,
      phone: device.phone ?? phone ?? null,
    }
    const isReached = status === 'connected' && device.driver !== 'embedded'
    const trunk = isReached ? await ask(ms, (signal) => driverOf(device).trunk(known, signal)) : undefined
    if (status !== 'waiting_qr') codes.delete(device.id)
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

  /** Creates the device if necessary, otherwise polls it, and schedules the next poll. Never throws the failures of a gateway. */
  async function look(device: StoredDevice, ms: number): Promise<void> {
    try {
      const driver = driverOf(device)
      const isMade = device.status !== 'provisioning' && (device.externalId !== null || device.driver === 'embedded')
      const known = forDriver(device)
      const state = await ask(ms, (signal) => (isMade ? driver.look(known, signal) : driver.create(known, signal)))
      const kept = await keep(device, state, { ms })
      if (!kept) return await states.askAgain(device.id, pace.provisioning, device.tries)
      const { status } = kept
      const mustLook = device.driver !== 'embedded' || status === 'provisioning'
      const next = status === 'disabled' || !mustLook ? null : pace[status]
      await states.askAgain(device.id, next, 0)
    } catch (error) {
      if (!(error instanceof DriverTrouble) && !(error instanceof AppError)) throw error
      if (!closing.signal.aborted) await failed(device, error)
    }
  }

  async function failed(device: StoredDevice, trouble: DriverTrouble | AppError): Promise<void> {
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
    has: (name: DriverName): boolean => drivers.has(name),
    driver: (name: DriverName): GatewayDriver | undefined => drivers.get(name),

    /** Throws if the driver is not available here. */
    mustHave: (name: DriverName): void => void driverOf({ driver: name }),

    /** Provisions a new or re-enabled device as far as possible within the request. */
    async settle(id: string): Promise<void> {
      const device = await states.row(id)
      if (device?.status === 'provisioning') await look(device, patienceMs)
    },

    /** Polls the devices that are due. */
    async work(): Promise<void> {
      while (looking < LOOKS_AT_ONCE && !closing.signal.aborted) {
        const device = await states.due(4 * ASK_MS)
        if (!device) return
        looking++
        look(device, ASK_MS)
          .catch((err) => log.warn({ err, deviceId: device.id }, 'failed to poll device'))
          .finally(() => looking--)
      }
    },

    /** A gateway says that a state has changed; `look` asks for it. */
    async told(id: string, look: () => Promise<DeviceState>): Promise<void> {
      const device = await states.row(id)
      if (!device || device.status === 'disabled') return
      if (!(await keep(device, await look(), { ms: ASK_MS })))
        await states.askAgain(id, pace.provisioning, device.tries)
    },

    /** The code to scan, or null if there is none now. */
    async link(device: StoredDevice, ms = patienceMs): Promise<LinkCode | null> {
      if (device.status === 'disabled') return null
      const known = codes.get(device.id)
      if (known && Date.parse(known.expiresAt) > nowMs()) return known
      const code = await ask(ms, (signal) => driverOf(device).link(forDriver(device), signal))
      if (code && device.driver !== 'embedded') codes.set(device.id, code)
      return code
    },

    async unlink(device: StoredDevice): Promise<void> {
      const driver = driverOf(device)
      if (!driver.unlink) throw appError('device_not_unlinkable', { driver: device.driver })
      const { unlink } = driver
      const state = await ask(patienceMs, (signal) => unlink.call(driver, forDriver(device), signal)).catch(toCaller)
      await keep(device, state, { ms: patienceMs, isNewest: true }).catch(toCaller)
    },

    async remove(device: StoredDevice): Promise<void> {
      codes.delete(device.id)
      await ask(patienceMs, (signal) => driverOf(device).remove(forDriver(device), signal)).catch(toCaller)
    },

    async sendText(
      device: StoredDevice,
      to: string,
      text: string,
      key: string,
      from: string | null,
    ): Promise<SentText> {
      try {
        return await ask(SEND_MS, (signal) => driverOf(device).sendText(forDriver(device), to, text, key, signal, from))
      } catch (error) {
        if (error instanceof AppError) return { ok: false, error: error.message }
        if (!(error instanceof DriverTrouble)) throw error
        return { ok: false, error: error.message, ...(error.kind === 'timeout' ? { isDoubtful: true } : {}) }
      }
    },

    /** Undefined if it is unknown. */
    async checkAccount(account: Account): Promise<'valid' | 'invalid' | undefined> {
      const driver = [...drivers.values()].find((each) => each.checkAccount)
      if (!driver?.checkAccount) return undefined
      const { checkAccount } = driver
      return ask(patienceMs, (signal) => checkAccount.call(driver, account, signal)).catch((error) => {
        if (!(error instanceof DriverTrouble)) throw error
        return undefined
      })
    },

    close: (): void => closing.abort(),
  }
}

/** Only the fields that a driver may see. */
const forDriver = ({ id, userId, driver, name, phone, externalId }: StoredDevice): GatewayDevice => ({
  id,
  userId,
  driver,
  name,
  phone,
  externalId,
})

/** Converts a gateway's failure into the error of an API response. */
export function toCaller(error: unknown): never {
  if (!(error instanceof DriverTrouble)) throw error
  const { kind, message: reason } = error
  const more = { cause: error }
  if (kind === 'timeout') throw appError('gateway_timeout', { reason }, more)
  throw appError(kind === 'unavailable' ? 'gateway_unavailable' : 'gateway_refused', { reason }, more)
}
