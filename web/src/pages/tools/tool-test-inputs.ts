// Functions, inputs and side effects of a tool test. Pure.
import type { Tool } from '../../../../client/paths.ts'
import { isObject } from './parameter-fields.ts'
import { needsCall } from './tool-types.ts'

type Json = Record<string, unknown>
type TestableTool = Pick<Tool, 'name' | 'type' | 'method' | 'parameters' | 'config'>

export type ToolFunction = {
  /** The function name that the model sees; null if the tool has only one function. */
  name: string | null
  /** The display name. */
  word: string
  /** Null if the remote server defines the parameters: then the user enters JSON. */
  schema: Json | null
  /** Has side effects, so the test asks for confirmation first. */
  hasEffect: boolean
}

const text = (description = '') => ({ type: 'string', description })
const whole = { type: 'integer' }
const object = (properties: Json, required: string[] = []): Json => ({ type: 'object', properties, required })

const calendar: Readonly<Record<string, { schema: Json; hasEffect: boolean }>> = {
  check_availability: {
    schema: object({
      date: text('2026-03-10'),
      from: text('2026-03-10'),
      to: text('2026-03-12'),
      durationMinutes: whole,
    }),
    hasEffect: false,
  },
  list_events: { schema: object({ from: text('2026-03-10'), to: text('2026-03-12') }), hasEffect: false },
  create_event: {
    schema: object(
      {
        start: text('2026-03-10T14:30'),
        title: text(),
        durationMinutes: whole,
        description: text(),
        attendeeName: text(),
        attendeePhone: text(),
        attendeeEmail: text(),
      },
      ['start', 'title'],
    ),
    hasEffect: true,
  },
  cancel_event: {
    schema: object({ eventId: text(), start: text('2026-03-10T14:30'), title: text() }),
    hasEffect: true,
  },
}

const sheet = (parameters: Json | null): Readonly<Record<string, { schema: Json | null; hasEffect: boolean }>> => ({
  find_row: { schema: object({ value: text(), column: text() }, ['value']), hasEffect: false },
  append_row: { schema: parameters, hasEffect: true },
  update_row: {
    schema: object({ row: whole, key: text(), values: { type: 'object' } }, ['values']),
    hasEffect: true,
  },
})

export function functionsOf(tool: TestableTool): ToolFunction[] {
  const { type, config, parameters } = tool
  const one = (schema: Json | null, hasEffect: boolean): ToolFunction[] => [
    { name: null, word: tool.name, schema, hasEffect },
  ]
  if (needsCall(type)) return []
  switch (type) {
    case 'custom':
      return one(parameters ?? object({}), true)
    case 'api_request':
      return one(parameters ?? object({}), !['GET', 'HEAD'].includes((tool.method ?? 'GET').toUpperCase()))
    case 'query':
      return one(object({ query: text() }, ['query']), false)
    case 'send_text':
    case 'chat_workspace':
      return one(object({ text: text() }, ['text']), true)
    case 'calendar':
      return several(tool, calendar, config?.operation)
    case 'spreadsheet':
      return several(tool, sheet(parameters), config?.operation)
    default:
      return one(null, true)
  }
}

function several(
  { name }: TestableTool,
  operations: Readonly<Record<string, { schema: Json | null; hasEffect: boolean }>>,
  only: unknown,
): ToolFunction[] {
  const all = Object.entries(operations).map(([word, rest]) => ({
    name: functionName(`${name.slice(0, 40)}__${word}`),
    word,
    ...rest,
  }))
  const chosen = all.find(({ word }) => word === only)
  return chosen ? [{ ...chosen, name: null }] : all
}

/** Keeps only characters that models accept in function names. */
export const functionName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, 64)
    .replace(/^_+(?=[A-Za-z0-9])|_+$/g, '')

export type Input = {
  name: string
  kind: 'text' | 'number' | 'yesno' | 'choice' | 'json'
  description: string
  isNeeded: boolean
  options: string[]
  standard: string
}

export function inputsOf(schema: Json): Input[] {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([name, property]) => {
    const { type, description, enum: options, default: standard } = isObject(property) ? property : ({} as Json)
    const kinds: Readonly<Record<string, Input['kind']>> = {
      string: 'text',
      integer: 'number',
      number: 'number',
      boolean: 'yesno',
    }
    const isChoice = type === 'string' && Array.isArray(options)
    return {
      name,
      kind: isChoice ? 'choice' : (kinds[String(type)] ?? 'json'),
      description: typeof description === 'string' ? description : '',
      isNeeded: required.includes(name),
      options: isChoice ? options.map(String) : [],
      standard: standard === undefined ? '' : String(standard),
    }
  })
}

/** The entered values as a model would send them; `problem` names the first invalid or missing one. */
export function argumentsOf(
  inputs: readonly Input[],
  typed: Readonly<Record<string, string>>,
): { args: Json; problems: string[] } {
  const args: Json = {}
  const problems: string[] = []
  for (const { name, kind, isNeeded } of inputs) {
    const value = (typed[name] ?? '').trim()
    if (value === '') {
      if (isNeeded) problems.push(name)
      continue
    }
    if (kind === 'text' || kind === 'choice') args[name] = value
    else if (kind === 'yesno') args[name] = value === 'true'
    else {
      const read = readJson(value)
      if (read === undefined || (kind === 'number' && typeof read !== 'number')) problems.push(name)
      else args[name] = read
    }
  }
  return { args, problems }
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
