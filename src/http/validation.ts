// Strict validation: bodies are never coerced, query strings are (they have only text), unknown fields are rejected except where
// the spec ignores them, and up to ten errors are reported in one message.
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import { AppError, type Problem, problemOf } from '../base/errors/errors.ts'
import { loadAjv } from '../base/process/lazy-packages.ts'
import { ignoresUnknownFields } from './spec-routes.ts'

const formats = {
  'date-time': isMoment,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  'language-tag': isLanguageTag,
}

const common = { verbose: true, strict: false, useDefaults: false, formats } as const

function withLimits(options: Options): Ajv {
  const ajv = new (loadAjv().Ajv)({ ...common, ...options })
  ajv.addKeyword({ keyword: 'x-max-bytes', validate: maxBytes, error: { message: 'must be smaller' } })
  ajv.addKeyword({ keyword: 'x-max-depth', validate: maxDepth, error: { message: 'must not be nested so deep' } })
  return ajv
}

const optionsFor = {
  specBody: { removeAdditional: true, coerceTypes: false },
  body: { removeAdditional: false, coerceTypes: false },
  querystring: { removeAdditional: false, coerceTypes: true },
} as const
type Kind = keyof typeof optionsFor
const ajvs = new Map<string, Ajv>()

export type Validator = { (value: unknown): boolean; errors?: ErrorObject[] | null | undefined }

type Checked = { schema: object; httpPart?: string; method?: string; url?: string }

function kindOf({ httpPart, method = '', url = '' }: Checked): Kind {
  if (httpPart !== 'body') return 'querystring'
  return ignoresUnknownFields(method, url) ? 'specBody' : 'body'
}

/** Values of a body whose every error is reported; of a larger one only the first: each value can have several. */
const MAX_TOLD_VALUES = 1000

function ajvOf(checked: Checked, allErrors: boolean): Ajv {
  const kind = kindOf(checked)
  const name = `${kind} ${allErrors}`
  const ajv = ajvs.get(name) ?? withLimits({ ...optionsFor[kind], allErrors })
  ajvs.set(name, ajv)
  return ajv
}

/** Compiled on first use: about two hundred schemas take a third of the start-up time, and few are ever used. */
export function validatorCompiler(checked: Checked): Validator {
  const compiled: { all?: ValidateFunction; first?: ValidateFunction } = {}
  const validate: Validator = (value) => {
    const isSmall = valuesIn(value, MAX_TOLD_VALUES) <= MAX_TOLD_VALUES
    const kind = isSmall ? 'all' : 'first'
    const run = compiled[kind] ?? ajvOf(checked, isSmall).compile(checked.schema)
    compiled[kind] = run
    const isValid = run(value)
    validate.errors = run.errors
    return isValid
  }
  return validate
}

/** Counts no further than one over the limit. */
function valuesIn(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const name in value) {
    count += valuesIn((value as Record<string, unknown>)[name], limit - count)
    if (count > limit) break
  }
  return count
}

/** A route without a body takes no fields, unless it is one of the spec's: a misplaced field would be lost silently. */
export function refuseFieldsOf(req: { method: string; url: string; body: unknown }): void {
  const { method, url, body } = req
  const isJson = typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
  if (method === 'DELETE' || !isJson || ignoresUnknownFields(method, url)) return
  const names = Object.keys(body)
  if (names.length === 0) return
  throw invalidFields(names.slice(0, TOLD).map((name) => unknownField(name)))
}

const unknownField = (name: string): Problem => problemOf('field_unknown', { field: name.slice(0, 100) })

const TOLD = 10

/** One message that names the first problems, each once. */
function invalidFields(problems: Iterable<Problem>): AppError {
  const byMessage = new Map<string, Problem>()
  for (const problem of problems) {
    byMessage.set(problem.message, problem)
    if (byMessage.size === TOLD) break
  }
  const told = [...byMessage.values()]
  return new AppError('invalid', told.map(({ message }) => message).join('; '), { problems: told })
}

/** One message that names the invalid fields. */
export const validationError = (errors: FastifySchemaValidationError[], part: string): AppError =>
  invalidFields((errors as unknown as ErrorObject[]).values().map((error) => problemIn(error, part)))

function problemIn(error: ErrorObject, part: string): Problem {
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  const field = path === '' ? part : path
  const below = path === '' ? '' : `${path}.`
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return problemOf('field_required', { field: `${below}${params.missingProperty}` })
    case 'type':
      return problemOf('field_type', { field, type: [params.type].flat().join(' or ') })
    case 'enum': {
      if (error.propertyName) return unknownField(`${field === part ? '' : `${field}.`}${error.propertyName}`)
      const allowed = (params.allowedValues as unknown[]).filter((v) => v !== null).join(', ')
      return problemOf('field_not_one_of', { field, allowed })
    }
    case 'additionalProperties':
      return unknownField(`${below}${params.additionalProperty}`)
    case 'pattern': {
      if (error.propertyName !== undefined) return nameProblem(field, error.propertyName, error.parentSchema)
      if (params.pattern === '\\S') return problemOf('field_empty', { field })
      const expected = (error.parentSchema as { 'x-expected'?: string } | undefined)?.['x-expected']
      if (expected) return problemOf('field_expected', { field, expected })
      return problemOf('field_pattern', { field, pattern: String(params.pattern) })
    }
    case 'propertyNames':
      return nameProblem(field, String(params.propertyName), error.schema)
    case 'x-max-bytes':
      return problemOf('field_too_many_bytes', { field, limit: Number(error.schema) })
    case 'x-max-depth':
      return problemOf('field_too_deep', { field, limit: Number(error.schema) })
    case 'format':
      if (params.format === 'date-time') return problemOf('field_time', { field })
      return problemOf('field_format', { field, format: String(params.format) })
    default:
      return error.keyword in limitCodes ? limitProblem(field, error) : otherProblem(field, error)
  }
}

const limitCodes = {
  maxLength: 'field_too_long',
  minLength: 'field_too_short',
  maxItems: 'field_too_many_items',
  minItems: 'field_too_few_items',
  maxProperties: 'field_too_many_properties',
  maximum: 'field_too_large',
  minimum: 'field_too_small',
} as const

/** Ajv's own wording is the message; it varies with the limit ("1 characters" and the like). */
function limitProblem(field: string, error: ErrorObject): Problem {
  const code = limitCodes[error.keyword as keyof typeof limitCodes]
  const limit = Number((error.params as { limit?: unknown }).limit)
  return { ...problemOf(code, { field, limit }), message: wordsOf(field, error) }
}

const otherProblem = (field: string, error: ErrorObject): Problem => ({
  ...problemOf('field_invalid', { field }),
  message: wordsOf(field, error),
})

const wordsOf = (field: string, error: ErrorObject) => `${field} ${error.message ?? 'is not valid'}`

/** The error for an invalid field name; the schema of the names may word it. */
function nameProblem(at: string, name: string, names: unknown): Problem {
  const { description } = (names ?? {}) as { description?: string }
  if (description === undefined) return problemOf('field_unknown_name', { field: at })
  return problemOf('field_name_invalid', { field: `${at}.${name}`, reason: description })
}

function maxBytes(limit: number, value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value) ?? '') <= limit
}

function maxDepth(limit: number, value: unknown): boolean {
  return depthWithin(value, limit)
}

function depthWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.values(value).every((part) => depthWithin(part, levels - 1))
}

/** RFC 3339, with or without seconds. Without an offset, the time would depend on the server's time zone. */
function isMoment(text: string): boolean {
  const [, date = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)T([01]\d:[0-5]\d|2[0-3]:[0-5]\d)(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(
      text,
    ) ?? []
  // Date.parse takes 30 February for 2 March.
  return date !== '' && new Date(`${date}T${time}Z`).toJSON()?.startsWith(date)
}

/** BCP 47, as the runtime itself parses it. */
function isLanguageTag(text: string): boolean {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(text)) return false
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
