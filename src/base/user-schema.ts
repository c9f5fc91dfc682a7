// A JSON Schema that a user wrote is code to the validator: bounded, without references to elsewhere, and with patterns
// that run in linear time only. The same rules hold where it is stored and where it is used.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { AppError } from './errors.ts'
import { type CompilePattern, patternCompiler } from './linear-patterns.ts'

const MAX_LETTERS = 65_536
const MAX_DEPTH = 40
/** Parts to be looked at for one value: references that stand twice double it each time. */
const MAX_UNFOLDED = 10_000

/** Throws an AppError that names what is wrong with it. */
export function compileUserSchema(schema: Record<string, unknown>): ValidateFunction {
  const { plain, compilePattern } = checked(schema)
  /** Ajv asks for its own kind of regular expression; this one cannot be made to run for ever. */
  const regExp = Object.assign(
    (pattern: string) => {
      const compiled = compilePattern(pattern)
      return { test: (text: string) => compiled.matcher(text).find() }
    },
    { code: 're2' },
  )
  try {
    const own = { ...lenient, meta: false, validateSchema: false, code: { regExp, optimize: false } }
    return new Ajv2020(own).compile(plain)
  } catch (error) {
    throw notASchema((error as Error).message)
  }
}

/** All that compiling it would find wrong, but for the last details, at a small part of the cost. Throws an AppError. */
export const checkUserSchema = (schema: Record<string, unknown>): void => void checked(schema)

function checked(schema: Record<string, unknown>) {
  const compilePattern = patternCompiler()
  walk(schema, '', compilePattern, 0)
  if (JSON.stringify(schema).length > MAX_LETTERS) throw invalid('parameters: the schema is too large')
  if (unfoldedSize(schema) > MAX_UNFOLDED)
    throw invalid('parameters: the schema is too large once its references are followed')
  const { $schema, $id, ...plain } = schema
  if (!dialect.validateSchema(plain))
    throw notASchema(dialect.errorsText(dialect.errors, { dataVar: 'parameters', separator: '; ' }))
  return { plain, compilePattern }
}

const invalid = (message: string) => new AppError('invalid', message)
const notASchema = (why: string) => invalid(`parameters is not a valid JSON Schema: ${why.slice(0, 300)}`)

// All errors and no optimising: the code that is made for a large schema is then flat, and made many times faster.
const lenient = { strict: false, validateFormats: false, inlineRefs: false, logger: false, allErrors: true } as const

/** Knows what a JSON Schema is, and learns no other schema. */
const dialect = new Ajv2020({ ...lenient, allErrors: false })

function walk(value: unknown, at: string, compilePattern: CompilePattern, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw invalid('parameters: the schema is too deep')
  for (const [key, part] of Object.entries(value)) {
    if (/^\$(ref|dynamicRef|recursiveRef)$/.test(key) && typeof part === 'string' && !part.startsWith('#'))
      throw invalid('parameters: $ref must stay within the schema')
    if (key === '$data') throw invalid('parameters: $data is not allowed')
    if (key === 'pattern' && typeof part === 'string' && at !== 'properties') compilePattern(part)
    if (key === 'patternProperties' && at !== 'properties')
      for (const pattern of Object.keys((part ?? {}) as object)) compilePattern(pattern)
    walk(part, key, compilePattern, depth + 1)
  }
}

/** How large the schema is with every reference replaced by what it names. One that comes back to itself has no end. */
function unfoldedSize(root: Record<string, unknown>): number {
  const sizes = new Map<object, number>()
  const open = new Set<object>()
  function sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 1
    const known = sizes.get(value)
    if (known !== undefined) return known
    if (open.has(value)) throw invalid('parameters: a $ref must not lead back to itself')
    open.add(value)
    let size = 1
    for (const [key, part] of Object.entries(value)) {
      const isReference = /^\$(ref|dynamicRef|recursiveRef)$/.test(key) && typeof part === 'string'
      size += isReference ? sizeOf(target(root, part)) : sizeOf(part)
    }
    open.delete(value)
    sizes.set(value, size)
    return size
  }
  return sizeOf(root)
}

function target(root: Record<string, unknown>, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/'))
    throw invalid('parameters: $ref must be a path such as #/$defs/name')
  const names = reference.split('/').slice(1)
  return names.reduce<unknown>((at, name) => {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key)
    if (!isThere) throw invalid(`parameters: $ref names what is not there: ${reference.slice(0, 100)}`)
    return (at as Record<string, unknown>)[key]
  }, root)
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
