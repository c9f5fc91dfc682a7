// Prepares a tool result for the model and the record: limits its length, removes control characters, and masks the
// tool's secrets.
import { isOpenHeader } from '../base/outside/header-names.ts'
import type { Json, Outcome, ToolRecord } from './ports.ts'

export const MAX_RESULT = 16_000
const MAX_ERROR = 1000
const MAX_VARIABLES = 50
const MAX_VARIABLE = 5000
const MASK = '********'
/** Shorter secrets are masked only as whole words: inside other words they would hide half the text. */
const MIN_SECRET = 6
/** A header value of one or two characters, such as a version, is no secret. */
const MIN_HEADER_SECRET = 3

const openFields =
  /^(type|username|name|header|headerName|in|tokenUrl|clientId|clientEmail|subject|scopes?|audience|algorithm|prefix|realm)$/
/** Fields of an authorization that identify rather than authenticate. */
export const isOpenField = (name: string): boolean => openFields.test(name)

const control = /[\p{Cc}\u2028\u2029]/gu
/** Keeps only line breaks and tabs among control characters. */
export const plainText = (text: string): string =>
  text.toWellFormed().replace(control, (found) => (found === '\n' || found === '\t' ? found : ''))

export function resultText(text: string, mask: Mask): string {
  const plain = plainText(mask(text))
  return plain.length <= MAX_RESULT ? plain : `${plain.slice(0, MAX_RESULT).toWellFormed()}… (the rest was cut off)`
}

export const errorText = (text: string, mask: Mask): string => plainText(mask(text)).slice(0, MAX_ERROR).toWellFormed()

export function maskedVariables(
  variables: Readonly<Record<string, string>> | undefined,
  mask: Mask,
): Record<string, string> | null {
  const kept = Object.entries(variables ?? {}).slice(0, MAX_VARIABLES)
  if (kept.length === 0) return null
  return Object.fromEntries(
    kept.map(([name, value]) => [name.slice(0, 255), plainText(mask(String(value))).slice(0, MAX_VARIABLE)]),
  )
}

/** The outcome of a request, with secrets masked. */
export function done(text: string, given: Readonly<Record<string, string>>, mask: Mask): Outcome {
  const variables = maskedVariables(given, mask)
  return { ok: true, text: mask(text), ...(variables ? { variables } : {}) }
}

export type Mask = (text: string) => string

/** Masks this tool's secrets, also in JSON, URL and base64 encoding. */
export function secretMask({ headers, authorization }: Pick<ToolRecord, 'headers' | 'authorization'>): Mask {
  const secrets = [
    ...Object.entries(headers ?? {}).flatMap(([name, value]) =>
      isOpenHeader(name) || value.length < MIN_HEADER_SECRET ? [] : [value],
    ),
    ...secretsIn(authorization),
  ]
  if (authorization && typeof authorization.password === 'string')
    secrets.push(base64(`${authorization.username ?? ''}:${authorization.password}`))
  // For `Bearer abc`, also `abc` alone.
  const parts = secrets.flatMap((secret) => [secret, secret.split(/\s/).at(-1) ?? ''])
  const shapes = new Set(
    parts
      .filter((secret) => secret !== '')
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), percent(secret), base64(secret)]),
  )
  const longestFirst = [...shapes].sort((a, b) => b.length - a.length)
  const hidden = longestFirst.map((secret) => (secret.length < MIN_SECRET ? byItself(secret) : secret))
  return (text) => hidden.reduce<string>((masked, secret) => masked.replaceAll(secret, MASK), text)
}

const byItself = (secret: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(secret)}(?![\\p{L}\\p{N}])`, 'gu')

const base64 = (text: string) => Buffer.from(text).toString('base64')
const percent = (text: string) => encodeURIComponent(text.toWellFormed())

function secretsIn(value: Json | null): string[] {
  return Object.entries(value ?? {}).flatMap(([name, part]) => {
    if (name === 'user' || isOpenField(name)) return []
    if (typeof part === 'string') return [part]
    return typeof part === 'object' && part !== null ? secretsIn(part as Json) : []
  })
}
