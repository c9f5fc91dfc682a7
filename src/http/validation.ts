// Strict validation: bodies are never coerced, query strings are (they have only text), unknown fields are rejected except where
// the spec ignores them, and every error is reported in one message.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import { AppError } from '../base/errors.ts'
import { ignoresUnknownFields } from './spec-routes.ts'

const formats = {
  'date-time': (text: string) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  'language-tag': isLanguageTag,
}

const common = { allErrors: true, verbose: true, strict: false, useDefaults: false, formats } as const

function withLimits(ajv: Ajv): Ajv {
  ajv.addKeyword({ keyword: 'x-max-bytes', validate: maxBytes, error: { message: 'must be smaller' } })
  ajv.addKeyword({ keyword: 'x-max-depth', validate: maxDepth, error: { message: 'must not be nested so deep' } })
  return ajv
}

const ajvFor = {
  specBody: withLimits(new Ajv({ ...common, removeAdditional: true, coerceTypes: false })),
  body: withLimits(new Ajv({ ...common, removeAdditional: false, coerceTypes: false })),
  querystring: withLimits(new Ajv({ ...common, removeAdditional: false, coerceTypes: true })),
}

export type Validator = { (value: unknown): boolean; errors?: ErrorObject[] | null | undefined }

type Checked = { schema: object; httpPart?: string; method?: string; url?: string }

function ajvOf({ httpPart, method = '', url = '' }: Checked): Ajv {
  if (httpPart !== 'body') return ajvFor.querystring
  return ignoresUnknownFields(method, url) ? ajvFor.specBody : ajvFor.body
}

/** Compiled on first use: about two hundred schemas take a third of the start-up time, and few are ever used. */
export function validatorCompiler(checked: Checked): Validator {
  let compiled: ValidateFunction | undefined
  const validate: Validator = (value) => {
    compiled ??= ajvOf(checked).compile(checked.schema)
    const isValid = compiled(value)
    validate.errors = compiled.errors
    return isValid
  }
  return validate
}

/** A route without a body takes no fields, unless it is one of the spec's: a misplaced field would be lost silently. */
export function refuseFieldsOf(req: { method: string; url: string; body: unknown }): void {
  const { method, url, body } = req
  const isJson = typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
  if (method === 'DELETE' || !isJson || ignoresUnknownFields(method, url)) return
  const names = Object.keys(body)
  if (names.length === 0) return
  throw new AppError('invalid', names.slice(0, TOLD).map(unknownField).join('; '))
}

const unknownField = (name: string) => `${name.slice(0, 100)} is not known here`

const TOLD = 10

/** One message that names every invalid field. */
export function validationError(errors: FastifySchemaValidationError[], part: string): AppError {
  const told = new Set<string>()
  for (const error of errors as unknown as ErrorObject[]) told.add(inWords(error, part))
  return new AppError('invalid', [...told].slice(0, TOLD).join('; '))
}

function inWords(error: ErrorObject, part: string): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  const at = path === '' ? part : path
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return `${path === '' ? '' : `${path}.`}${params.missingProperty} is required`
    case 'type':
      return `${at} must be ${[params.type].flat().join(' or ')}`
    case 'enum':
      return error.propertyName
        ? unknownField(`${at === part ? '' : `${at}.`}${error.propertyName}`)
        : `${at} must be one of ${(params.allowedValues as unknown[]).filter((v) => v !== null).join(', ')}`
    case 'additionalProperties':
      return unknownField(`${path === '' ? '' : `${path}.`}${params.additionalProperty}`)
    case 'pattern': {
      if (error.propertyName !== undefined) return nameInWords(at, error.propertyName, error.parentSchema)
      if (params.pattern === '\\S') return `${at} must not be empty`
      const expected = (error.parentSchema as { 'x-expected'?: string } | undefined)?.['x-expected']
      return expected ? `${at} must be ${expected}` : `${at} must match ${params.pattern}`
    }
    case 'propertyNames':
      return nameInWords(at, String(params.propertyName), error.schema)
    case 'x-max-bytes':
    case 'x-max-depth':
      return `${at} ${error.message}: at most ${error.schema} ${error.keyword === 'x-max-bytes' ? 'bytes' : 'levels'}`
    default:
      return `${at} ${error.message ?? 'is not valid'}`
  }
}

/** The error for an invalid field name; the schema of the names may word it. */
function nameInWords(at: string, name: string, names: unknown): string {
  const { description } = (names ?? {}) as { description?: string }
  return description === undefined ? `${at} has an unknown field` : `${at}.${name} ${description}`
}

function maxBytes(limit: number, value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value) ?? '') <= limit
}

function maxDepth(limit: number, value: unknown): boolean {
  return depthWithin(value, limit)
}

export function depthWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.values(value).every((part) => depthWithin(part, levels - 1))
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
