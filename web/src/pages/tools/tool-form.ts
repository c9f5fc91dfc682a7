// The tool form: values and request bodies. Stored secrets are masked, and sent back as the mask or not at all. Pure.
import type { Tool } from '../../../../client/paths.ts'
import { type Pair, pairsOf, recordOf } from '../../components/name-value-pairs.ts'
import { type Field, type FieldProblem, fieldProblems, fieldsOf, isObject, schemaOf } from './parameter-fields.ts'
import { type AuthKind, authFields, partsOf, type ToolType } from './tool-types.ts'

type Json = Record<string, unknown>
export const MASK = '********'
export const messageKinds = ['start', 'delayed', 'complete', 'failed'] as const
export type MessageKind = (typeof messageKinds)[number]

/** Each line is a variant, one of which is picked at random; anything beyond plain texts is JSON. */
export type MessageDraft = { text: string; isJson: boolean }

export type ToolDraft = {
  name: string
  description: string
  isActive: boolean
  method: string
  requestUrl: string
  headers: Pair[]
  authorization: { type: string; fields: Json }
  /** The JSON is authoritative while it is shown, otherwise the rows are. */
  parameters: { isJson: boolean; fields: Field[]; rest: Json; text: string }
  body: string
  messages: Record<MessageKind, MessageDraft>
  config: Json
}

export const pretty = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

export function draftOf(tool: Partial<Tool>): ToolDraft {
  const { type = 'none', ...fields } = (tool.authorization ?? {}) as { type?: string } & Json
  const rows = fieldsOf(tool.parameters)
  return {
    name: tool.name ?? '',
    description: tool.description ?? '',
    isActive: tool.isActive ?? true,
    method: tool.method ?? '',
    requestUrl: tool.requestUrl ?? '',
    headers: pairsOf(tool.headers),
    authorization: { type, fields },
    parameters: {
      isJson: rows === null,
      fields: rows?.fields ?? [],
      rest: rows?.rest ?? {},
      text: pretty(tool.parameters),
    },
    body: pretty(tool.body),
    messages: Object.fromEntries(
      messageKinds.map((kind) => [kind, messageDraft(tool.messages?.[kind])]),
    ) as ToolDraft['messages'],
    config: tool.config ?? {},
  }
}

export function messageDraft(message: unknown): MessageDraft {
  if (message === null || message === undefined) return { text: '', isJson: false }
  const texts = Array.isArray(message) ? message : [message]
  // A line break within a text would split it into two variants.
  const isPlain = texts.every((text) => typeof text === 'string' && !/[\r\n]/.test(text) && text.trim() === text)
  if (isPlain && !(Array.isArray(message) && texts.length < 2)) return { text: texts.join('\n'), isJson: false }
  return { text: pretty(message), isJson: true }
}

export function messageOf({ text, isJson }: MessageDraft): unknown {
  if (text.trim() === '') return null
  if (isJson) return parsed(text)
  const lines = text.split('\n').map((line) => line.trim())
  const texts = lines.filter((line) => line !== '')
  return texts.length === 1 ? texts[0] : texts
}

/** Returns invalid JSON as a string, which validation reports. */
const parsed = (text: string): unknown => {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const parametersOf = ({ isJson, fields, rest, text }: ToolDraft['parameters']): unknown =>
  isJson ? parsed(text) : schemaOf({ fields, rest })

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
const emptyToNull = <T extends object>(record: T): T | null => (Object.keys(record).length === 0 ? null : record)

/** Removes empty values at any depth. */
export function tidy(value: Json): Json {
  const kept = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    if (part === undefined || part === null || part === '') return []
    if (Array.isArray(part)) return part.length === 0 ? [] : [[name, part]]
    if (!isObject(part)) return [[name, part]]
    const inner = tidy(part)
    return Object.keys(inner).length === 0 ? [] : [[name, inner]]
  })
  return Object.fromEntries(kept)
}

export function bodyOf(draft: ToolDraft): Json {
  const { type, fields } = draft.authorization
  const messages = messageKinds.map((kind) => [kind, messageOf(draft.messages[kind])] as const)
  return {
    name: draft.name.trim(),
    description: orNull(draft.description),
    isActive: draft.isActive,
    method: orNull(draft.method),
    requestUrl: orNull(draft.requestUrl),
    headers: emptyToNull(recordOf(draft.headers)),
    authorization: type === 'none' ? null : { type, ...tidy(fields) },
    parameters: parametersOf(draft.parameters),
    body: parsed(draft.body),
    messages: emptyToNull(Object.fromEntries(messages.filter(([, message]) => message !== null))),
    config: emptyToNull(tidy(draft.config)),
  }
}

/** Returns only the changes: an untouched secret is not sent. */
export function changesOf(before: ToolDraft, after: ToolDraft): Json {
  const [was, is] = [bodyOf(before), bodyOf(after)]
  return Object.fromEntries(
    Object.entries(is).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(was[field])),
  )
}

/** A new tool has no stored secret, and is active. */
export function newToolBody(type: ToolType, draft: ToolDraft): Json {
  const { isActive, ...body } = bodyOf(draft)
  return { type, ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) }
}

export type ToolProblem =
  | 'name'
  | 'description'
  | 'url'
  | 'headers'
  | 'parameters'
  | 'body'
  | `auth.${string}`
  | `message.${MessageKind}`

export function problemsOf(type: ToolType, draft: ToolDraft): ToolProblem[] {
  const parts = partsOf[type]
  const problems: ToolProblem[] = []
  const url = draft.requestUrl.trim()
  if (draft.name.trim() === '') problems.push('name')
  // The description is the model's only hint; an MCP server describes its tools itself.
  if (draft.description.trim() === '' && type !== 'mcp') problems.push('description')
  if (url === '' ? parts.url === 'needed' : !/^https?:\/\/[^/?#\s{}@\\]+([/?#]\S*)?$/i.test(url)) problems.push('url')
  for (const { name, isNeeded } of authFields[draft.authorization.type as AuthKind] ?? [])
    if (isNeeded && !draft.authorization.fields[name]) problems.push(`auth.${name}`)
  if (!isReadable(parametersOf(draft.parameters)) || parameterProblems(draft).length > 0) problems.push('parameters')
  if (!isReadable(parsed(draft.body))) problems.push('body')
  for (const kind of messageKinds) {
    const { isJson, text } = draft.messages[kind]
    const message = messageOf({ isJson, text })
    if (isJson && typeof message === 'string' && !text.trim().startsWith('"')) problems.push(`message.${kind}`)
  }
  return problems
}

/** Placeholders in the URL or headers that no parameter fills: such a tool could never run. */
export function missingParameters(type: ToolType, draft: ToolDraft): string[] {
  if (!partsOf[type].hasParameters || draft.parameters.isJson) return []
  const places = [draft.requestUrl, ...draft.headers.map(({ value }) => value)].join(' ')
  const named = [...places.matchAll(/(?<!\{)\{(\w{1,64})\}(?!\})/g)].map(([, name = '']) => name)
  const known = new Set(draft.parameters.fields.map(({ name }) => name))
  return [...new Set(named)].filter((name) => !known.has(name))
}

export const parameterProblems = ({ parameters }: ToolDraft): FieldProblem[] =>
  parameters.isJson ? [] : fieldProblems(parameters.fields)

const isReadable = (value: unknown) => value === null || isObject(value)
