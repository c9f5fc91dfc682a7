// Errors of schema validation for clients: up to ten invalid fields are reported in one message.
import type { ErrorObject } from 'ajv/dist/2020.js'
import { AppError, type Problem, problemOf } from './errors.ts'

/** An Ajv error as passed on by Fastify; Ajv's options determine which fields are present. */
export type SchemaError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'params' | 'message'> &
  Partial<Pick<ErrorObject, 'propertyName' | 'schema' | 'parentSchema'>>

const unknownField = (name: string): Problem => problemOf('field_unknown', { field: name.slice(0, 100) })

const TOLD = 10

/** One message that names the first problems, each only once. */
function invalidFields(problems: Iterable<Problem>): AppError {
  const byMessage = new Map<string, Problem>()
  for (const problem of problems) {
    byMessage.set(problem.message, problem)
    if (byMessage.size === TOLD) break
  }
  const told = [...byMessage.values()]
  return new AppError('invalid', told.map(({ message }) => message).join('; '), { problems: told })
}

/** One message that names the invalid fields; `part` is the validated part, such as "body" or "querystring". */
export const validationError = (errors: readonly SchemaError[], part: string): AppError =>
  invalidFields(errors.values().map((error) => problemIn(error, part)))

export const unknownFields = (names: readonly string[]): AppError => invalidFields(names.values().map(unknownField))

function problemIn(error: SchemaError, part: string): Problem {
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  const field = path === '' ? part : path
  const below = path === '' ? '' : `${path}.`
  const { params } = error
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

/** Uses Ajv's own wording, which varies with the limit ("1 characters" and the like). */
function limitProblem(field: string, error: SchemaError): Problem {
  const code = limitCodes[error.keyword as keyof typeof limitCodes]
  const limit = Number((error.params as { limit?: unknown }).limit)
  return { ...problemOf(code, { field, limit }), message: wordsOf(field, error) }
}

const otherProblem = (field: string, error: SchemaError): Problem => ({
  ...problemOf('field_invalid', { field }),
  message: wordsOf(field, error),
})

const wordsOf = (field: string, error: SchemaError) => `${field} ${error.message ?? 'is not valid'}`

/** The error for an invalid field name; the schema of the names may supply the wording. */
function nameProblem(at: string, name: string, names: unknown): Problem {
  const { description } = (names ?? {}) as { description?: string }
  if (description === undefined) return problemOf('field_unknown_name', { field: at })
  return problemOf('field_name_invalid', { field: `${at}.${name}`, reason: description })
}
