// Parses and validates responses of a remote gateway service (docs/gateway-api.yaml). Pure.
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { type Static, type TSchema, Type } from 'typebox'
import { openAjv } from '../../../base/domain/json-schema.ts'
import { E164_PATTERN } from '../../../base/phone-numbers/phone-number.ts'
import type { DeviceState, DeviceTrunk } from '../driver-port.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const oneOf = <T extends string>(...names: T[]) => Type.Union(names.map((name) => Type.Literal(name)))

const Id = Type.String({ pattern: '^[A-Za-z0-9._~-]{1,100}$' })
const Status = oneOf('provisioning', 'waiting_qr', 'connected', 'disconnected', 'error')

const Session = Type.Object({ token: text(4096), expiresAt: text(40), refreshToken: text(4096) })
export type Session = Static<typeof Session>

const Device = Type.Object({
  id: Id,
  reference: text(100),
  status: Status,
  phone: orNull(Type.String({ pattern: E164_PATTERN })),
  error: orNull(Type.String({ maxLength: 300 })),
})
export type FarDevice = Static<typeof Device>

const Sip = Type.Object({
  host: Type.String({ pattern: '^[A-Za-z0-9.:_-]{1,253}$' }),
  port: orNull(Type.Integer({ minimum: 1, maximum: 65535 })),
  transport: Type.Optional(oneOf('udp', 'tcp', 'tls')),
  username: text(128),
  password: text(256),
  realm: orNull(Type.String({ maxLength: 253 })),
  codecs: Type.Optional(Type.Array(oneOf('PCMA', 'PCMU', 'G722', 'opus'), { minItems: 1 })),
  mediaEncryption: Type.Optional(oneOf('disabled', 'allowed', 'required')),
  sessionTimers: Type.Optional(Type.Boolean()),
  addresses: Type.Optional(Type.Array(text(253), { maxItems: 32 })),
})

const StatusChange = Type.Object({ id: text(200), type: Type.Literal('status'), deviceId: Id })
const Message = Type.Object({
  id: text(200),
  type: Type.Literal('message'),
  at: text(40),
  deviceId: Id,
  message: Type.Object({ id: text(200), from: Type.String({ pattern: '^[!-~]{1,64}$' }), text: text(4096) }),
})
export type FarEvent = Static<typeof StatusChange> | Static<typeof Message>

let ajv: Ajv2020 | undefined
/** Compiled on first use: most installations have no such gateway. */
function reader<T extends TSchema>(schema: T): (value: unknown) => Static<T> | undefined {
  let isIt: ValidateFunction | undefined
  return (value) => {
    ajv ??= openAjv({})
    isIt ??= ajv.compile(schema)
    return isIt(value) ? (value as Static<T>) : undefined
  }
}

export const readSession = reader(Session)
export const readDevice = reader(Device)
export const readDevices = reader(Type.Object({ devices: Type.Array(Device, { maxItems: 1000 }) }))
export const readQr = reader(Type.Object({ text: text(2048), expiresAt: text(40) }))
export const readSip = reader(Sip)
export const readMessage = reader(Type.Object({ id: text(200) }))
/** Every event has an id: it is the cursor of the next poll. */
const AnyEvent = Type.Object({ id: text(200), type: Type.String() })
export const readEvents = reader(Type.Object({ events: Type.Array(AnyEvent, { maxItems: 50 }) }))
export const readEvent = reader(Type.Union([StatusChange, Message])) as (value: unknown) => FarEvent | undefined

/** The `code` of an error; its message is for the service's own users. */
export const readErrorCode = (json: unknown): string | null =>
  readError(json)?.error.code.match(/^[a-z_]{1,64}$/)?.[0] ?? null
const readError = reader(Type.Object({ error: Type.Object({ code: Type.String() }) }))

export function stateOf({ id, status, phone, error }: FarDevice): DeviceState {
  const words = error?.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return {
    status,
    externalId: id,
    ...(phone ? { phone } : {}),
    error: status === 'error' ? words || 'The gateway service reports an error' : null,
  }
}

export const trunkOf = (sip: Static<typeof Sip>): DeviceTrunk => ({
  host: sip.host,
  port: sip.port ?? null,
  transport: sip.transport ?? 'udp',
  username: sip.username,
  password: sip.password,
  realm: sip.realm ?? null,
  codecs: sip.codecs ?? ['PCMA', 'PCMU'],
  mediaEncryption: sip.mediaEncryption ?? 'disabled',
  sessionTimers: sip.sessionTimers ?? false,
  allowedAddresses: sip.addresses ?? [],
})
