// Masks a tool's secrets in responses. A mask that is sent back keeps the stored value.
import { appError } from '../../base/errors/errors.ts'
import { isOpenHeader } from '../../base/outside/header-names.ts'
import type { Json } from '../../tool-types/ports.ts'
import { isOpenField } from '../../tool-types/results.ts'

export const MASK = '********'

export const maskHeaders = (headers: Json): Json => mask(headers, isOpenHeader)

export const maskAuthorization = (authorization: Json): Json => mask(authorization, isOpenField)

function mask(value: Json, isOpen: (name: string) => boolean): Json {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, isOpen(name) ? part : maskAll(part)]))
}

function maskAll(value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(maskAll)
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, maskAll(v)]))
  return MASK
}

/** The sent value, with each mask replaced by the stored secret at the same path. */
export function unmask(sent: Json, stored: Json | null, what: string): Json {
  return Object.fromEntries(
    Object.entries(sent).map(([name, part]) => [name, unmaskPart(part, lookUp(stored, name), `${what}.${name}`)]),
  )
}

function unmaskPart(sent: unknown, stored: unknown, what: string): unknown {
  if (sent === MASK) {
    if (stored === undefined || stored === null) throw appError('tool_mask_unknown', { field: what })
    return stored
  }
  if (Array.isArray(sent))
    return sent.map((part, i) => unmaskPart(part, Array.isArray(stored) ? stored[i] : undefined, `${what}.${i}`))
  if (typeof sent === 'object' && sent !== null) return unmask(sent as Json, isObject(stored) ? stored : null, what)
  return sent
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Header names are case-insensitive. */
function lookUp(stored: Json | null, name: string): unknown {
  if (!stored) return undefined
  if (Object.hasOwn(stored, name)) return stored[name]
  const same = Object.keys(stored).find((key) => key.toLowerCase() === name.toLowerCase())
  return same === undefined ? undefined : stored[same]
}
