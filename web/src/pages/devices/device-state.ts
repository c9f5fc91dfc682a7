// A device's status tone, name and QR code expiry. Pure.
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

/** A phone may also connect with the SIP account instead of the QR code, so the status does not mention the code. */
export const shownStatus = ({
  driver,
  status,
}: Pick<Device, 'driver' | 'status'>): Device['status'] | 'waiting_phone' =>
  driver === 'embedded' && status === 'waiting_qr' ? 'waiting_phone' : status

export const nameOf = ({ name, displayName, deviceId }: Pick<Device, 'name' | 'displayName' | 'deviceId'>): string =>
  name || displayName || deviceId

/** WhatsApp numbers are registered in Meta's dashboard, so there is no QR code. */
export const canLink = ({ driver, status }: Pick<Device, 'driver' | 'status'>): boolean =>
  driver !== 'whatsapp' && status !== 'disabled' && !(driver === 'remote' && status === 'connected')

/** Whole seconds left; 0 once expired, null if it never expires. */
export const secondsUntil = (at: string | null, now: number): number | null =>
  at === null ? null : Math.max(0, Math.ceil((Date.parse(at) - now) / 1000))

export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

export type StatusEvent = Pick<Device, 'status' | 'connected' | 'phone' | 'lastError'>

/** Applies a status event to the device. */
export const withStatus = <D extends StatusEvent>(device: D, event: StatusEvent): D => ({
  ...device,
  status: event.status,
  connected: event.connected,
  phone: event.phone,
  lastError: event.lastError,
})
