// How a gateway device stands, and how long its code is still good.
import type { Device } from '../../../../client/paths.ts'
import type { Tone } from '../../components/status-badge.tsx'

export const toneOf: Readonly<Record<Device['status'], Tone>> = {
  provisioning: 'busy',
  waiting_qr: 'warn',
  connected: 'good',
  disconnected: 'off',
  error: 'bad',
  disabled: 'off',
}

export const nameOf = ({ name, displayName, deviceId }: Pick<Device, 'name' | 'displayName' | 'deviceId'>): string =>
  name || displayName || deviceId

/** A number of Meta is added in Meta's own pages: there is nothing to scan. */
export const canLink = ({ driver, status }: Pick<Device, 'driver' | 'status'>): boolean =>
  driver !== 'whatsapp' && status !== 'disabled' && !(driver === 'remote' && status === 'connected')

/** Whole seconds until then; 0 when it is over, null where there is no end. */
export const secondsUntil = (at: string | null, now: number): number | null =>
  at === null ? null : Math.max(0, Math.ceil((Date.parse(at) - now) / 1000))

export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

export type StatusEvent = Pick<Device, 'status' | 'connected' | 'phone' | 'lastError'>

/** What the stream of a device says, put into its record. */
export const withStatus = <D extends StatusEvent>(device: D, event: StatusEvent): D => ({
  ...device,
  status: event.status,
  connected: event.connected,
  phone: event.phone,
  lastError: event.lastError,
})
