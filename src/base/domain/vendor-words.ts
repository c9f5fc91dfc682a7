// A vendor's own words in an error response: one bounded line, without the key. Only for requests that contain no
// conversation.
import { parseOutside } from '../outside/json.ts'
import { limits } from '../outside/limits.ts'

const MAX_WORDS = 300
/** A key fragment this long is as good as the key to someone who knows the rest of it. */
const KEY_PART = 6
const NOT_A_KEY = '[key]'

/** Null if the body contains nothing readable for a person. */
export function vendorWords(body: string, apiKey: string | null): string | null {
  const message = messageIn(body)
  if (message === null) return null
  const line = withoutKey(message, apiKey)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/ {2,9}/g, ' ')
    .trim()
  if (line === '') return null
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS - 1)}…` : line
}

/**
 * OpenAI, Anthropic and Google have `error.message`, ElevenLabs `detail.message`; others `message`, `detail` or a text.
 */
function messageIn(body: string): string | null {
  let value: unknown
  try {
    value = parseOutside(body, limits.errorBody)
  } catch {
    return /[<{]/.test(body) ? null : body.slice(0, 4 * MAX_WORDS) // an HTML page or broken JSON is useless
  }
  const first: unknown = Array.isArray(value) ? value[0] : value
  const { error, message, detail } = fieldsOf(first)
  const found = [fieldsOf(error).message, error, message, fieldsOf(detail).message, detail, first].find(
    (each) => typeof each === 'string',
  )
  return typeof found === 'string' ? found.slice(0, 4 * MAX_WORDS) : null
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Vendors echo the key, in full or with its middle masked: every word that contains a part of it is removed. */
export function withoutKey(text: string, apiKey: string | null): string {
  if (!apiKey) return text
  const size = Math.min(KEY_PART, apiKey.length)
  const hasPart = (word: string) => {
    for (let i = 0; i + size <= word.length; i++) if (apiKey.includes(word.slice(i, i + size))) return true
    return /\*{3}/.test(word)
  }
  return text
    .split(/(\s)/)
    .map((word) => (hasPart(word) ? NOT_A_KEY : word))
    .join('')
}
