// The X-Error-Code header: a structured field (RFC 9651), a list of codes with their parameters, such as
// `field_required;field="name", field_too_long;field="prompt";limit=20000`. All of it is bounded and ASCII.
import type { ErrorParams, Problem } from '../base/errors/errors.ts'

export const ERROR_CODE = 'x-error-code'

const MAX_PROBLEMS = 10
const MAX_PARAMS = 6
const MAX_VALUE = 120 // characters per text
const MAX_LENGTH = 2048 // proxies allow 4 to 8 kB for all headers of a response
const MAX_INTEGER = 999_999_999_999_999

type Coded = Pick<Problem, 'code' | 'params'>

export function errorCodeHeader(problems: readonly Coded[]): string {
  let header = ''
  for (const { code, params } of problems.slice(0, MAX_PROBLEMS)) {
    const member = code + parametersOf(params)
    if (header.length + member.length + 2 > MAX_LENGTH) break
    header += header === '' ? member : `, ${member}`
  }
  return header
}

function parametersOf(params: ErrorParams): string {
  let text = ''
  for (const [name, value] of Object.entries(params).slice(0, MAX_PARAMS)) text += `;${name}=${bareItem(value)}`
  return text
}

function bareItem(value: string | number): string {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAX_INTEGER) return String(value)
  const text = shortened(String(value))
  return /^[\x20-\x7e]*$/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : displayString(text)
}

/** Text with other characters, as percent-encoded UTF-8, which contains no control characters or line breaks. */
function displayString(text: string): string {
  let encoded = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25 && byte !== 0x22
    encoded += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`
  }
  return `%"${encoded}"`
}

function shortened(text: string): string {
  if (text.length <= MAX_VALUE) return text.toWellFormed()
  return `${text.slice(0, MAX_VALUE - 1).toWellFormed()}…`
}
