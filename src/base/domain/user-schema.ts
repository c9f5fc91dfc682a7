// Compiles users' JSON Schemas, which the validator turns into code: limited in size, without external references, and
// with patterns that run in linear time. The same rules apply where a schema is stored and where it is used.
import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js'
import { appError } from '../errors/errors.ts'
import { type Patterns, patternCompiler } from '../text/linear-patterns.ts'
import { openAjv } from './json-schema.ts'

const MAX_LETTERS = 65_536
const MAX_DEPTH = 40
/** Schema parts visited for one value: each reference that is used twice doubles them. */
const MAX_UNFOLDED = 10_000

export type UserSchema = {
  /** Throws TextTooLong if matching its patterns would take too long. */
  validate: ValidateFunction
  /** Call before validating another value: matching cost is counted per value. */
  restart(): void
}

/** Throws an AppError that names the problem. */
export function compileUserSchema(schema: Record<string, unknown>): UserSchema {
  const { plain, patterns } = checked(schema)
  /** The RegExp interface that Ajv expects, implemented with RE2, which runs in linear time. */
  const regExp = Object.assign((pattern: string) => patterns.compile(pattern, 0), { code: 're2' })
  try {
    const own = { ...lenient, meta: false, validateSchema: false, code: { regExp, optimize: false } }
    return { validate: openAjv(own).compile(plain), restart: patterns.restart }
  } catch (error) {
    throw notASchema((error as Error).message)
  }
}

/** Finds nearly every problem that compiling would, at a fraction of the cost. Throws an AppError. */
export const checkUserSchema = (schema: Record<string, unknown>): void => void checked(schema)

function checked(schema: Record<string, unknown>) {
  const patterns = patternCompiler()
  walk(schema, '', patterns, 0)
  if (JSON.stringify(schema).length > MAX_LETTERS) throw appError('schema_too_large')
  if (unfoldedSize(schema) > MAX_UNFOLDED) throw appError('schema_too_large_expanded')
  const { $schema, $id, ...plain } = schema
  dialect ??= openAjv({ ...lenient, allErrors: false })
  if (!dialect.validateSchema(plain))
    throw notASchema(dialect.errorsText(dialect.errors, { dataVar: 'parameters', separator: '; ' }))
  return { plain, patterns }
}

const notASchema = (why: string) => appError('schema_invalid', { reason: why.slice(0, 300) })

// With allErrors and without optimizing, the code generated for a large schema is flat and generated many times faster.
const lenient: Options = { validateFormats: false, inlineRefs: false, logger: false, allErrors: true }

/** Only validates schemas against the meta-schema; no schema is added to it. */
let dialect: Ajv2020 | undefined

function walk(value: unknown, at: string, patterns: Patterns, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  const { maxLength } = value as { maxLength?: unknown }
  const letters = typeof maxLength === 'number' ? maxLength : undefined
  if (depth > MAX_DEPTH) throw appError('schema_too_deep')
  for (const [key, part] of Object.entries(value)) {
    if (/^\$(ref|dynamicRef|recursiveRef)$/.test(key) && typeof part === 'string' && !part.startsWith('#'))
      throw appError('schema_ref_outside')
    if (key === '$data') throw appError('schema_data')
    if (key === 'pattern' && typeof part === 'string' && at !== 'properties') patterns.compile(part, letters)
    if (key === 'patternProperties' && at !== 'properties')
      for (const pattern of Object.keys((part ?? {}) as object)) patterns.compile(pattern)
    walk(part, key, patterns, depth + 1)
  }
}

/** The size of the schema with every reference expanded. A circular reference is an error. */
function unfoldedSize(root: Record<string, unknown>): number {
  const sizes = new Map<object, number>()
  const open = new Set<object>()
  function sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 1
    const known = sizes.get(value)
    if (known !== undefined) return known
    if (open.has(value)) throw appError('schema_ref_circle')
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
  if (reference !== '#' && !reference.startsWith('#/')) throw appError('schema_ref_path')
  const names = reference.split('/').slice(1)
  return names.reduce<unknown>((at, name) => {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key)
    if (!isThere) throw appError('schema_ref_missing', { ref: reference.slice(0, 100) })
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
