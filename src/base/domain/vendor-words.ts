// What a vendor says in an error response: one bounded line, without the key. Only for requests without a conversation in them.
import { parseOutside } from '../outside/json.ts'
import { limits } from '../outside/limits.ts'

const MAX_WORDS = 300
/** A part of the key this long is as good as the key to whoever knows the rest of it. */
const KEY_PART = 6
const NOT_A_KEY = '[key]'

/** Null where the body says nothing that a person could read. */
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

/** OpenAI, Anthropic and Google have `error.message`, ElevenLabs `detail.message`; others `message`, `detail` or a text. */
function messageIn(body: string): string | null {
  let value: unknown
  try {
    value = parseOutside(body, limits.errorBody)
  } catch {
    return /[<{]/.test(body) ? null : body.slice(0, 4 * MAX_WORDS) // a page or broken JSON says nothing
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

/** Vendors repeat the key, whole or with stars in its middle: every word with a part of it goes. */
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
