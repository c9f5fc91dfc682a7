// Parses and validates Meta's data on a business number: its status, its name and its calling settings.
import type { DeviceState } from '../driver-port.ts'

/** The fields requested by GET /{phone-number-id}. */
export const numberFields =
  'id,display_phone_number,verified_name,code_verification_status,quality_rating,platform_type,status'

export type BusinessNumber = { id: string; phone: string | null; state: DeviceState }

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** `+55 11 98765-4321` as E.164; null if it is not a phone number. */
export function e164(written: string | null): string | null {
  const digits = written?.replace(/^\+|[\s().-]/g, '') ?? ''
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null
}

/** Null if it is not a number at all. */
export function readNumber(answer: unknown): BusinessNumber | null {
  const given = fields(answer)
  const id = text(given.id)
  if (id === null) return null
  const phone = e164(text(given.display_phone_number))
  return { id, phone, state: { ...stateOf(given), externalId: id, ...(phone === null ? {} : { phone }) } }
}

type Said = { status: DeviceState['status']; error: string | null }

const states: Readonly<Record<string, Said>> = {
  CONNECTED: { status: 'connected', error: null },
  FLAGGED: { status: 'connected', error: 'WhatsApp has flagged the number for its quality' },
  RATE_LIMITED: { status: 'connected', error: 'WhatsApp has limited how much the number may send' },
  RESTRICTED: { status: 'connected', error: 'WhatsApp has restricted the number: it cannot begin conversations' },
  PENDING: { status: 'disconnected', error: 'The number is not registered with WhatsApp yet' },
  UNVERIFIED: { status: 'disconnected', error: 'The number is not verified with WhatsApp yet' },
  DISCONNECTED: { status: 'disconnected', error: 'WhatsApp says that the number is not connected' },
  BANNED: { status: 'error', error: 'WhatsApp has banned the number' },
  DELETED: { status: 'error', error: 'The number was deleted from the WhatsApp Business account' },
  MIGRATED: { status: 'error', error: 'The number was moved to another WhatsApp Business account' },
}

/** If the status is missing: a Cloud API number whose ownership is verified. */
function stateOf(given: Record<string, unknown>): Said {
  const status = text(given.status)
  if (status !== null)
    return states[status] ?? { status: 'disconnected', error: `WhatsApp says of the number: ${status.slice(0, 40)}` }
  const platform = text(given.platform_type) ?? 'CLOUD_API'
  const isVerified = ['VERIFIED', 'EXPIRED'].includes(text(given.code_verification_status) ?? '')
  if (platform === 'CLOUD_API' && isVerified) return states.CONNECTED as Said
  return (isVerified ? states.PENDING : states.UNVERIFIED) as Said
}

/** The response of GET /{business-account-id}/phone_numbers. */
export const readNumbers = (answer: unknown): BusinessNumber[] => {
  const { data } = fields(answer)
  return (Array.isArray(data) ? data : []).flatMap((one) => readNumber(one) ?? [])
}

export type CallSettings = {
  isCallingOn: boolean
  isSipOn: boolean
  isSdes: boolean
  servers: readonly { hostname: string; password: string | null }[]
}

/** The response of GET /{phone-number-id}/settings. */
export function readCallSettings(answer: unknown): CallSettings {
  const calling = fields(fields(answer).calling)
  const sip = fields(calling.sip)
  const servers = (Array.isArray(sip.servers) ? sip.servers : []).map(fields).flatMap((server) => {
    const hostname = text(server.hostname)
    const password = text(server.sip_user_password)
    return hostname === null ? [] : [{ hostname, password }]
  })
  return {
    isCallingOn: calling.status === 'ENABLED',
    isSipOn: sip.status === 'ENABLED',
    isSdes: calling.srtp_key_exchange_protocol === 'SDES',
    servers,
  }
}

export type SipServer = { hostname: string; port: number }

/** Compares the host name only: a router in front of us may use another port. */
export const serverAt = ({ servers }: CallSettings, at: SipServer) =>
  servers.find(({ hostname }) => hostname.toLowerCase() === at.hostname.toLowerCase())

/** Calls to the number go to another SIP server; we leave that alone. */
export const isElsewhere = (settings: CallSettings, at: SipServer): boolean =>
  settings.isSipOn && settings.servers.length > 0 && serverAt(settings, at) === undefined

/** Calls reach us by SIP, with SDES keys in the SDP. */
export const isSetUp = (settings: CallSettings, at: SipServer): boolean =>
  settings.isCallingOn && settings.isSipOn && settings.isSdes && serverAt(settings, at) !== undefined

/** The body of POST /{phone-number-id}/settings. */
export const callsTo = ({ hostname, port }: SipServer) => ({
  calling: {
    status: 'ENABLED',
    srtp_key_exchange_protocol: 'SDES',
    sip: { status: 'ENABLED', servers: [{ hostname, port }] },
  },
})
export const noCalls = { calling: { status: 'DISABLED', sip: { status: 'DISABLED', servers: [] } } }
