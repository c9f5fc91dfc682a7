// What a schema cannot say about a tool: its URL, its headers, the JSON Schema of its parameters.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { AppError } from '../../base/errors.ts'
import { type CompilePattern, patternCompiler } from './patterns.ts'

const invalid = (message: string) => new AppError('invalid', message)

const MAX_URL_BYTES = 2048

/** Absolute, http or https, no user in it, and no braces where they could change whom we call. */
export function checkRequestUrl(url: string): void {
  // Something must stand between the slashes: of `http:///x` a URL parser makes the host x.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]
  if (!authority) throw invalid('requestUrl must be an absolute http or https URL')
  if (Buffer.byteLength(url) > MAX_URL_BYTES) throw invalid(`requestUrl must have at most ${MAX_URL_BYTES} bytes`)
  if (/[{}]/.test(authority)) throw invalid('requestUrl must not have braces in its host')
  if (authority.includes('@')) throw invalid('requestUrl must not hold a user name or password')
  const sample = url.replaceAll(/[{}]/g, 'x')
  if (/[\s\\]/.test(url) || !URL.canParse(sample)) throw invalid('requestUrl is not a valid URL')
  if (/[{}]/.test(new URL(sample).host)) throw invalid('requestUrl must not have braces in its host') // as %7B, or wide ones
}

// RFC 9110: these belong to the connection, not to the message, or are made from it.
const connectionHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
])

export function checkHeaders(headers: Record<string, string>): void {
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (connectionHeaders.has(lower) || lower.startsWith('proxy-')) throw invalid(`headers: ${name} cannot be set`)
  }
}

/** A user's schema is code to the validator: no references to elsewhere, and patterns only that run in linear time. */
export function checkParameters(schema: Record<string, unknown>): void {
  const compilePattern = patternCompiler()
  walk(schema, '', compilePattern)
  /** Ajv asks for its own kind of regular expression; this one cannot be made to run for ever. */
  const regExp = Object.assign(
    (pattern: string) => {
      const compiled = compilePattern(pattern)
      return { test: (text: string) => compiled.matcher(text).find() }
    },
    { code: 're2' },
  )
  const { $schema, $id, ...plain } = schema
  if (!dialect.validateSchema(plain))
    throw notASchema(dialect.errorsText(dialect.errors, { dataVar: 'parameters', separator: '; ' }))
  try {
    new Ajv2020({ ...lenient, meta: false, validateSchema: false, code: { regExp, optimize: false } }).compile(plain)
  } catch (error) {
    throw notASchema((error as Error).message)
  }
}

// All errors and no optimising: the code that is made for a large schema is then flat, and made many times faster.
const lenient = { strict: false, validateFormats: false, inlineRefs: false, logger: false, allErrors: true } as const

/** Knows what a JSON Schema is, and learns no other schema. */
const dialect = new Ajv2020({ ...lenient, allErrors: false })

const notASchema = (why: string) => invalid(`parameters is not a valid JSON Schema: ${why.slice(0, 300)}`)

function walk(value: unknown, at: string, compilePattern: CompilePattern): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    if (/^\$(ref|dynamicRef|recursiveRef)$/.test(key) && typeof part === 'string' && !part.startsWith('#'))
      throw invalid('parameters: $ref must stay within the schema')
    if (key === '$data') throw invalid('parameters: $data is not allowed')
    if (key === 'pattern' && typeof part === 'string' && at !== 'properties') compilePattern(part)
    if (key === 'patternProperties' && at !== 'properties')
      for (const pattern of Object.keys((part ?? {}) as object)) compilePattern(pattern)
    walk(part, key, compilePattern)
  }
}
