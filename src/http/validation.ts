// Strict validation: bodies are never coerced, query strings are (they have only text), and unknown fields are rejected except where
// the spec ignores them.
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv'
import { unknownFields } from '../base/errors/validation-error.ts'
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
