// Requests to gateways through their drivers: each has a time limit, and all end when the service closes.
import { raceAbort } from '../../base/concurrency/abort.ts'
import { appError } from '../../base/errors/errors.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { type DriverName, DriverTrouble, type GatewayDevice, type GatewayDriver } from './driver-port.ts'

export type DriverRequests = ReturnType<typeof driverRequests>

export function driverRequests(drivers: ReadonlyMap<DriverName, GatewayDriver>) {
  const closing = new AbortController()

  /** Times out even if a driver ignores the signal. */
  async function within<T>(ms: number, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), ms)
    const signal = AbortSignal.any([late.signal, closing.signal])
    try {
      return await raceAbort(signal, request(signal), () => {
        throw new DriverTrouble('timeout', 'The gateway did not answer in time')
      })
    } finally {
      clearTimeout(timer)
    }
  }

  function driverOf(device: { driver: DriverName }): GatewayDriver {
    const driver = drivers.get(device.driver)
    if (!driver) throw appError('device_driver_missing', { driver: device.driver })
    return driver
  }

  return {
    driverOf,
    within,
    /** Calls the driver of this device; it sees only the fields it is allowed to. */
    ask: <T>(
      device: DeviceRow,
      ms: number,
      request: (driver: GatewayDriver, device: GatewayDevice, signal: AbortSignal) => Promise<T>,
    ): Promise<T> => {
      const { id, userId, driver, name, phone, externalId } = device
      const shown = { id, userId, driver, name, phone, externalId }
      return within(ms, (signal) => request(driverOf(device), shown, signal))
    },
    isClosing: () => closing.signal.aborted,
    close: (): void => closing.abort(),
  }
}
