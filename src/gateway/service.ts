// Above the drivers: makes devices on their far sides, keeps looking at them there, and writes down how they are. Knows no network.
import { raceAbort } from '../base/abort.ts'
import { nowMs } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { LruCache } from '../base/lru-cache.ts'
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
} from './ports.ts'

/** A device as it is stored. */
export type StoredDevice = GatewayDevice & {
  status: DeviceStatus | 'disabled'
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

/** Where it is written how devices are. */
export interface StateBook {
  row(id: string): Promise<StoredDevice | undefined>
  change(id: string, to: Change, from?: readonly StoredDevice['status'][]): Promise<StoredDevice | undefined>
  release(id: string, error: string): Promise<void>
  due(leaseMs: number): Promise<StoredDevice | undefined>
  askAgain(id: string, inMs: number | null, tries: number): Promise<void>
}

/** How long after one look at the far side comes the next, by what was seen. */
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
  /** How long somebody waits for a far side in a request. */
  patienceMs?: number
}

/** One question to a far side. */
const ASK_MS = 10_000
const PATIENCE_MS = 5000
const SEND_MS = 45_000
const LOOKS_AT_ONCE = 4
/** So many failures in a row, and a device that was connected is not said to be any more. */
const MOST_FAILURES = 3
const LONGEST_PAUSE_MS = 60_000

export type GatewayService = ReturnType<typeof gatewayService>

export function gatewayService({ drivers, states, log, paces, patienceMs = PATIENCE_MS }: ServiceParts) {
  const pace = { ...usualPaces, ...paces }
  const closing = new AbortController()
  const codes = new LruCache<string, LinkCode>(1000)
  let looking = 0

  function driverOf(device: { driver: DriverName }): GatewayDriver {
    const driver = drivers.get(device.driver)
    if (!driver) throw new AppError('unavailable', `The gateway driver ${device.driver} is not set up on this server`)
    return driver
  }

  /** Bounded also where a driver does not hear the signal. */
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

  /** Writes down what a driver said. A device is connected only when calls can reach it. */
  async function keep(device: StoredDevice, state: DeviceState, ms: number): Promise<StoredDevice | undefined> {
    const { status, externalId, phone, error = null } = state
    const known = {
      ...forDriver(device),
      externalId: externalId ?? device.externalId,
      phone: device.phone ?? phone ?? null,
    }
    const isReached = status === 'connected' && device.driver !== 'embedded'
    const trunk = isReached ? await ask(ms, (signal) => driverOf(device).trunk(known, signal)) : undefined
    if (status !== 'waiting_qr') codes.delete(device.id)
    return states.change(device.id, {
      status,
      error,
      ...(externalId === undefined ? {} : { externalId }),
      ...(phone === undefined ? {} : { phone }),
      ...(trunk === undefined ? {} : { trunk: trunk && JSON.stringify(trunk) }),
      ...(status === 'connected' ? { isSeen: true } : {}),
    })
  }

  /** Makes it where it is not made yet, else looks at it; says when to look again. Never throws what a far side did. */
  async function look(device: StoredDevice, ms: number): Promise<void> {
    try {
      const driver = driverOf(device)
      const isMade = device.status !== 'provisioning' && (device.externalId !== null || device.driver === 'embedded')
      const known = forDriver(device)
      const state = await ask(ms, (signal) => (isMade ? driver.look(known, signal) : driver.create(known, signal)))
      const kept = await keep(device, state, ms)
      const status = kept?.status ?? state.status
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
    // What is only away for a moment is still what it was; what says no is in error until it says yes.
    const isLasting = !mayPass || (tries >= MOST_FAILURES && device.status !== 'provisioning')
    await states.change(device.id, { error: trouble.message, ...(isLasting ? { status: 'error' } : {}) })
    const pause = Math.min(LONGEST_PAUSE_MS, pace.provisioning * 2 ** Math.min(tries - 1, 10))
    await states.askAgain(device.id, pause, tries)
    log.info({ deviceId: device.id, driver: device.driver, kind: trouble.kind, tries }, 'a gateway is in trouble')
  }

  return {
    has: (name: DriverName): boolean => drivers.has(name),
    driver: (name: DriverName): GatewayDriver | undefined => drivers.get(name),

    /** Throws where no device of this kind can be made here. */
    mustHave: (name: DriverName): void => void driverOf({ driver: name }),

    /** A new device, or one that was switched on again: taken as far as it gets while somebody waits. */
    async settle(id: string): Promise<void> {
      const device = await states.row(id)
      if (device?.status === 'provisioning') await look(device, patienceMs)
    },

    /** Asks the far sides that are due. */
    async work(): Promise<void> {
      while (looking < LOOKS_AT_ONCE && !closing.signal.aborted) {
        const device = await states.due(4 * ASK_MS)
        if (!device) return
        looking++
        look(device, ASK_MS)
          .catch((err) => log.warn({ err, deviceId: device.id }, 'a device could not be looked at'))
          .finally(() => looking--)
      }
    },

    /** What a far side said without being asked. */
    async told(id: string, state: DeviceState): Promise<void> {
      const device = await states.row(id)
      if (device && device.status !== 'disabled') await keep(device, state, ASK_MS)
    },

    /** What is to be scanned, or null when there is nothing now. */
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
      if (!driver.unlink) throw new AppError('conflict', `A device of ${device.driver} is not unlinked here`)
      const { unlink } = driver
      const state = await ask(patienceMs, (signal) => unlink.call(driver, forDriver(device), signal)).catch(toCaller)
      await keep(device, state, patienceMs).catch(toCaller)
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

    /** Undefined: nobody can say. */
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

/** Nothing but what a driver may know. */
const forDriver = ({ id, userId, driver, name, phone, externalId }: StoredDevice): GatewayDevice => ({
  id,
  userId,
  driver,
  name,
  phone,
  externalId,
})

/** The far side's trouble, as the one who asked is told of it. */
export function toCaller(error: unknown): never {
  if (!(error instanceof DriverTrouble)) throw error
  const kind = error.kind === 'timeout' ? 'upstream_timeout' : error.kind === 'unavailable' ? 'unavailable' : 'upstream'
  throw new AppError(kind, error.message, { cause: error })
}
