// What a tool gave back, made fit for a model and a record: bounded, without control characters, and without the tool's own secrets,
// which a far side may repeat.
import type { Json, ToolRecord } from './ports.ts'

export const MAX_RESULT = 16_000
const MAX_ERROR = 1000
const MAX_VARIABLES = 50
const MAX_VARIABLE = 5000
const MASK = '********'
/** Shorter ones are hidden where they stand by themselves: within other words they would black out half a text. */
const MIN_SECRET = 6
/** A header of one or two letters, such as a version, proves nothing. */
const MIN_HEADER_SECRET = 3

/** Headers that are no secret, and the fields of an authorization that name rather than prove. */
const openHeaders = /^(accept|accept-language|content-type|user-agent|cache-control)$/i
const openFields =
  /^(type|username|user|name|header|headerName|in|tokenUrl|clientId|clientEmail|subject|scopes?|audience|algorithm|prefix|realm)$/

const control = /[\p{Cc}\u2028\u2029]/gu
/** Of control characters only the end of a line and the tabulator stay. */
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

export type Mask = (text: string) => string

/** Hides the secrets of this tool wherever they stand, also as they look in JSON, in a URL or in base64. */
export function secretMask({ headers, authorization }: Pick<ToolRecord, 'headers' | 'authorization'>): Mask {
  const secrets = [
    ...Object.entries(headers ?? {}).flatMap(([name, value]) =>
      openHeaders.test(name) || value.length < MIN_HEADER_SECRET ? [] : [value],
    ),
    ...secretsIn(authorization),
  ]
  if (authorization && typeof authorization.password === 'string')
    secrets.push(base64(`${authorization.username ?? ''}:${authorization.password}`))
  // Of `Bearer abc` also `abc` by itself.
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
    if (openFields.test(name)) return []
    if (typeof part === 'string') return [part]
    return typeof part === 'object' && part !== null ? secretsIn(part as Json) : []
  })
}
