// Strict validation: bodies are never coerced, but query strings are, because they contain only text. Unknown fields
// are rejected except where the spec ignores them.
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js'
import { openAjv } from '../base/domain/json-schema.ts'
import { unknownFields } from '../base/errors/validation-error.ts'
import { ignoresUnknownFields } from './spec-routes.ts'

function withLimits(options: Options): Ajv2020 {
  const ajv = openAjv({ verbose: true, useDefaults: false, ...options })
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
const ajvs = new Map<string, Ajv2020>()

export type Validator = { (value: unknown): boolean; errors?: ErrorObject[] | null | undefined }

type Checked = { schema: object; httpPart?: string; method?: string; url?: string }

function kindOf({ httpPart, method = '', url = '' }: Checked): Kind {
  if (httpPart !== 'body') return 'querystring'
  return ignoresUnknownFields(method, url) ? 'specBody' : 'body'
}

/** For a body with more values than this, only the first error is reported, because each value can have several. */
const MAX_TOLD_VALUES = 1000

function ajvOf(checked: Checked, allErrors: boolean): Ajv2020 {
  const kind = kindOf(checked)
  const name = `${kind} ${allErrors}`
  const ajv = ajvs.get(name) ?? withLimits({ ...optionsFor[kind], allErrors })
  ajvs.set(name, ajv)
  return ajv
}

/** Compiled on first use: about two hundred schemas take a third of the startup time, and few are ever used. */
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

/** Stops counting at one over the limit. */
function valuesIn(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const name in value) {
    count += valuesIn((value as Record<string, unknown>)[name], limit - count)
    if (count > limit) break
  }
  return count
}

/**
 * A route without a body accepts no fields, unless it is one of the spec's: a misplaced field would be lost silently.
 */
export function refuseFieldsOf(req: { method: string; url: string; body: unknown }): void {
  const { method, url, body } = req
  const isJson = typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
  if (method === 'DELETE' || !isJson || ignoresUnknownFields(method, url)) return
  const names = Object.keys(body)
  if (names.length === 0) return
  throw unknownFields(names)
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
