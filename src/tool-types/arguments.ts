// Validates and repairs a model's arguments against the tool's JSON Schema; errors tell the model what to correct.
import { createHash } from 'node:crypto'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { compileUserSchema, type UserSchema } from '../base/domain/user-schema.ts'
import { AppError } from '../base/errors/errors.ts'
import { LruCache } from '../base/lru-cache.ts'
import { parseOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import { TextTooLong } from '../base/text/linear-patterns.ts'
import { declaredOnly } from './declared-names.ts'
import type { Json, ToolFunction } from './ports.ts'

export type Checked = { ok: true; args: Json } | { ok: false; error: string }

const MAX_VALUES = 2000
const MAX_DEPTH = 32
const MAX_LETTERS = 65_536
const MAX_TOLD = 5
const MAX_REPAIRS = 3

const compiled = new LruCache<string, UserSchema>(500)

export function checkArguments(schema: Json, given: unknown): Checked {
  const args = objectOf(given)
  if (!args) return refused('they must be one JSON object')
  if (!isSmall(args)) return refused('they are too large')
  try {
    const { validate, restart } = validatorOf(schema)
    restart()
    for (let repairs = 0; !validate(args); repairs++) {
      const errors = validate.errors ?? []
      if (repairs === MAX_REPAIRS || !errors.map((error) => repair(args, error)).includes(true))
        return refused(told(errors))
    }
    return { ok: true, args }
  } catch (error) {
    if (error instanceof TextTooLong) return refused(error.message)
    if (error instanceof AppError) return { ok: false, error: `This tool cannot be used: ${error.message}` }
    throw error
  }
}

/** Drops arguments that the function's schema does not declare, unless the function checks names itself. */
export function argumentsFor({ parameters, keepsUndeclared }: ToolFunction, given: unknown): Checked {
  const checked = checkArguments(parameters, given)
  return checked.ok && !keepsUndeclared ? { ok: true, args: declaredOnly(parameters, checked.args) } : checked
}

const refused = (why: string): Checked => ({
  ok: false,
  error: `The arguments are not valid: ${why}. Correct them and call again, or ask for what is missing.`,
})

function validatorOf(schema: Json): UserSchema {
  const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
  const known = compiled.get(key)
  if (known) return known
  const made = compileUserSchema(schema)
  compiled.set(key, made)
  return made
}

/** A copy that may be repaired. Some models send the object as a string. */
function objectOf(given: unknown): Json | null {
  if (given === undefined || given === null) return {}
  if (typeof given === 'string') {
    try {
      return given.length > MAX_LETTERS ? null : objectOf(parseOutside(given, limits.modelText))
    } catch {
      return null
    }
  }
  return typeof given === 'object' && !Array.isArray(given) ? structuredClone(given as Json) : null
}

/** Validation time grows with the input, for some schemas quadratically. */
function isSmall(args: Json): boolean {
  let values = 0
  let letters = 0
  const count = (value: unknown, depth: number): boolean => {
    if (typeof value === 'string') letters += value.length
    if (++values > MAX_VALUES || letters > MAX_LETTERS || depth > MAX_DEPTH) return false
    if (typeof value !== 'object' || value === null) return true
    return Object.entries(value).every(([name, part]) => {
      letters += name.length
      return count(part, depth + 1)
    })
  }
  return count(args, 0)
}

/** True if something was repaired. */
function repair(args: Json, { keyword, instancePath, params }: ErrorObject): boolean {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const holder = at(args, path)
    const name: string = params.additionalProperty ?? params.unevaluatedProperty
    return isHolder(holder) && Object.hasOwn(holder, name) && delete holder[name]
  }
  if (keyword !== 'type' || path.length === 0) return false
  const name = path[path.length - 1] as string
  const holder = at(args, path.slice(0, -1))
  if (!isHolder(holder) || !Object.hasOwn(holder, name)) return false
  const value = holder[name]
  // Null means "not given"; if the field is required, the next validation reports it as missing.
  if (value === null && !Array.isArray(holder)) return delete holder[name]
  for (const type of [params.type].flat() as string[]) {
    const meant = asType(value, type)
    if (meant === undefined) continue
    holder[name] = meant
    return true
  }
  return false
}

const isHolder = (value: unknown): value is Json => typeof value === 'object' && value !== null

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isHolder(part) && Object.hasOwn(part, name) ? part[name] : undefined), value)

function asType(value: unknown, type: string): unknown {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (type === 'integer') return /^-?\d{1,15}(\.0+)?$/.test(text) ? Number(text) : undefined
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (type !== 'object' && type !== 'array') return undefined
  try {
    const parsed = parseOutside(text, limits.modelText)
    return isHolder(parsed) && Array.isArray(parsed) === (type === 'array') ? parsed : undefined
  } catch {
    return undefined
  }
}

function told(errors: readonly ErrorObject[]): string {
  const lines = new Set(errors.map(sentence))
  const more = lines.size > MAX_TOLD ? ` (and ${lines.size - MAX_TOLD} more)` : ''
  return `${[...lines].slice(0, MAX_TOLD).join('; ')}${more}`
}

function sentence({ keyword, instancePath, params, message = 'is not valid' }: ErrorObject): string {
  const where = instancePath.slice(1).replaceAll('/', '.') || 'the object'
  const inside = (name: string) => (instancePath === '' ? name : `${where}.${name}`)
  if (keyword === 'required') return `${inside(params.missingProperty)} is missing`
  if (keyword === 'enum') return `${where} must be one of ${JSON.stringify(params.allowedValues).slice(0, 300)}`
  if (keyword === 'const') return `${where} must be ${JSON.stringify(params.allowedValue).slice(0, 100)}`
  return `${where} ${message}`.slice(0, 300)
}

/** The same text for the same arguments, regardless of key order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(',')}}`
}
