// Turns an HTTP response into a tool result: JSON or text, filtered, with variables for later tools.
import { isUtf8 } from 'node:buffer'
import type { HttpResponse } from '../../base/outside/http-port.ts'
import { JsonRefused, parseOutside } from '../../base/outside/json.ts'
import { limits } from '../../base/outside/limits.ts'
import { at, parsePath } from '../json-path.ts'
import type { Json } from '../ports.ts'

export type ReadResult = { text: string; value: unknown; variables: Record<string, string> }
export type ReadRules = {
  /** Paths to keep; all if empty. */
  filter?: readonly string[]
  /** Variable names and the paths of their values. */
  variables?: Readonly<Record<string, string>>
}

const MAX_EXCERPT = 300
const TOO_DEEP = 'the answer is nested too deeply, or has too many keys'
const MAX_VARIABLE = 5000
const MAX_VARIABLES = 50

/** A string says why it could not be read. */
export function readResponse(answer: HttpResponse, rules: ReadRules): ReadResult | string {
  const type = typeOf(answer)
  if (answer.body.length === 0) return { text: 'Done: the answer is empty.', value: undefined, variables: {} }
  if (isJson(type)) {
    const value = readJson(answer)
    if (!(value instanceof JsonRefused)) return fromValue(value, rules)
    return value.problem === 'syntax' ? 'its answer says it is JSON and is not' : TOO_DEEP
  }
  if (isText(type)) {
    const text = decoded(answer)
    // Many servers label JSON as text.
    const value = /^\s*[[{]/.test(text) ? jsonOf(answer) : undefined
    return value === undefined ? { text, value: text, variables: {} } : fromValue(value, rules)
  }
  const told = `Done: the answer is ${answer.body.length} bytes of ${type.slice(0, 100)}, which cannot be read here.`
  return { text: told, value: undefined, variables: {} }
}

function fromValue(value: unknown, { filter = [], variables = {} }: ReadRules): ReadResult | string {
  try {
    const taken = Object.entries(variables)
      .slice(0, MAX_VARIABLES)
      .flatMap(([name, path]) => {
        const parsed = parsePath(path)
        const found = parsed && at(value, parsed)
        return found === undefined || found === null ? [] : [[name, asText(found).slice(0, MAX_VARIABLE)] as const]
      })
    const kept = filter.length === 0 ? value : picked(value, filter)
    return { text: asText(kept), value, variables: Object.fromEntries(taken) }
  } catch {
    return TOO_DEEP // parsed without recursion, but cannot be serialized
  }
}

const picked = (value: unknown, paths: readonly string[]): Json =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const parsed = parsePath(path)
      const found = parsed ? at(value, parsed) : undefined
      return found === undefined ? [] : [[path, found]]
    }),
  )

export const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The start of a response in one line, for an error. */
export function excerptOf(answer: HttpResponse): string {
  const type = typeOf(answer)
  if (answer.body.length === 0 || !(isJson(type) || isText(type))) return ''
  const text = decoded({ ...answer, body: answer.body.subarray(0, 16_384) })
  const plain = /html/.test(type) ? text.replace(/<[^<>]*>/g, ' ') : text
  const line = plain.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT).toWellFormed()}…` : line
}

export function jsonOf(answer: HttpResponse): unknown {
  const value = readJson(answer)
  return value instanceof JsonRefused ? undefined : value
}

function readJson(answer: HttpResponse): unknown {
  try {
    return parseOutside(decoded(answer), limits.toolAnswer)
  } catch (error) {
    return error
  }
}

const typeOf = ({ headers }: HttpResponse): string =>
  (headers['content-type'] ?? 'text/plain').split(';')[0]?.trim().toLowerCase() ?? ''
const isJson = (type: string) => /^(application|text)\/([\w.+-]+\+)?json$/.test(type)
const isText = (type: string) =>
  /^text\/|^application\/(([\w.+-]+\+)?xml|x-www-form-urlencoded|javascript|x-ndjson)$/.test(type)

function decoded({ headers, body }: HttpResponse): string {
  // Text without a charset that is not UTF-8 is assumed to be windows-1252.
  const charset =
    /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? (isUtf8(body) ? 'utf-8' : 'windows-1252')
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
