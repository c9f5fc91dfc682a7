// Parses a hook's answer: size-limited, strictly typed, accepted whole or not at all. Pure.
import { DEFAULT_REFUSAL, refusalCodes } from '../../base/domain/hook-statuses.ts'

export type HookAnswer = {
  agentId: string | null
  variables: Record<string, string>
  language: string | null
  /** SIP code to refuse with. */
  refuse: number | null
  transferTo: string | null
  context: string | null
}

export type ReadAnswer = { answer: HookAnswer; ignored: string[] } | { problem: string }

export const noAnswer: HookAnswer = {
  agentId: null,
  variables: {},
  language: null,
  refuse: null,
  transferTo: null,
  context: null,
}

/** The same limit as for call variables. */
const MAX_VALUE = 5000
const MAX_VARIABLES_BYTES = 32_768
const MAX_VARIABLES = 100
const MAX_CONTEXT = 4000
const MAX_TARGET = 510
const MAX_ID = 255
const MAX_IGNORED = 10

const fields = new Set(Object.keys(noAnswer))
/** Names that {{name}} can refer to. */
const variableName = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u
const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$/

class Problem extends Error {}

/** An absent value: null in JSON, an empty cell. */
const isAbsent = (value: unknown) => value === undefined || value === null

/** Unknown fields are ignored, so that a server may send more than this version knows. */
export function readAnswer(value: unknown): ReadAnswer {
  if (isAbsent(value)) return { answer: noAnswer, ignored: [] }
  if (typeof value !== 'object' || Array.isArray(value)) return { problem: 'The answer is not a JSON object' }
  const given = value as Record<string, unknown>
  const ignored = Object.keys(given).filter((name) => !fields.has(name))
  try {
    const answer: HookAnswer = {
      agentId: textOf(given.agentId, 'agentId', MAX_ID),
      variables: variablesOf(given.variables),
      language: languageOf(given.language),
      refuse: refusalOf(given.refuse),
      transferTo: textOf(given.transferTo, 'transferTo', MAX_TARGET),
      context: textOf(given.context, 'context', MAX_CONTEXT),
    }
    return { answer, ignored: ignored.slice(0, MAX_IGNORED).map((name) => plain(name).slice(0, 64)) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}

export const isEmpty = ({ variables, ...rest }: HookAnswer): boolean =>
  Object.keys(variables).length === 0 && Object.values(rest).every((value) => value === null)

/** Strips control characters except line breaks and tabs; a carriage return would end a header. */
const plain = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
    .toWellFormed()

function textOf(value: unknown, name: string, most: number): string | null {
  if (isAbsent(value)) return null
  if (typeof value !== 'string') throw new Problem(`${name} is not a text`)
  if (value.length > most) throw new Problem(`${name} has more than ${most} characters`)
  return plain(value).trim() || null
}

function languageOf(value: unknown): string | null {
  const text = textOf(value, 'language', 35)
  if (text !== null && !languageTag.test(text)) throw new Problem('language is not a language tag, such as pt-BR')
  return text
}

function refusalOf(value: unknown): number | null {
  if (isAbsent(value) || value === false) return null
  if (value === true) return DEFAULT_REFUSAL
  if (typeof value !== 'number' || !refusalCodes.includes(value))
    throw new Problem(`refuse is none of true, ${refusalCodes.join(', ')}`)
  return value
}

function variablesOf(value: unknown): Record<string, string> {
  if (isAbsent(value)) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new Problem('variables is not an object')
  const entries = Object.entries(value as object).filter(([, each]) => !isAbsent(each))
  if (entries.length > MAX_VARIABLES) throw new Problem(`variables has more than ${MAX_VARIABLES} names`)
  const read = entries.map(([name, each]) => [checkedName(name), variableValue(each)] as const)
  const variables = Object.fromEntries(read)
  if (Buffer.byteLength(JSON.stringify(variables)) > MAX_VARIABLES_BYTES)
    throw new Problem(`variables has more than ${MAX_VARIABLES_BYTES} bytes`)
  return variables
}

function checkedName(name: string): string {
  if (!variableName.test(name) || name === '__proto__')
    throw new Problem('variables has a name that is not of letters, digits, _, . and -')
  return name
}

function variableValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') throw new Problem('variables has a value that is not a text, a number or a boolean')
  if (value.length > MAX_VALUE) throw new Problem(`variables has a value of more than ${MAX_VALUE} characters`)
  return plain(value)
}
