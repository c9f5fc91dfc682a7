// Fills {param} in a tool's URL, headers and body. Values are encoded for their position and never change the host.
import { declaredNames } from './declared-names.ts'
import type { Json, Run, ToolRecord } from './ports.ts'

export type Values = (name: string) => unknown

/** A value that cannot be inserted. Its message is for the model. */
export class TemplateError extends Error {}

const MAX_URL_BYTES = 8192
const MAX_HEADER = 8192
const MAX_DEPTH = 32
const placeholder = /\{([A-Za-z_][\w.-]{0,127})\}/g

/**
 * Declared arguments first, then variables of the call and of earlier tools, then the schema's default. Undeclared
 * arguments come last: they must not replace the caller's number.
 */
export function valuesOf(run: Run, { parameters }: ToolRecord, schema: Json | null = parameters): Values {
  const defaults = (parameters?.properties ?? {}) as Record<string, { default?: unknown } | undefined>
  const declared = declaredNames(schema)
  return (name) => {
    if (own(run.args, name) && declared.has(name)) return run.args[name]
    if (own(run.context.variables, name)) return run.context.variables[name]
    if (own(run.args, name)) return run.args[name]
    return own(defaults, name) ? defaults[name]?.default : undefined
  }
}

const own = (value: object, name: string) => Object.hasOwn(value, name)

/** All placeholder names in a template. */
export function namesIn(template: unknown): string[] {
  if (typeof template === 'string') return [...template.matchAll(placeholder)].map(([, name]) => name ?? '')
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(namesIn)
}

/** The error lists all missing values at once, so that the model asks only once. */
export function checkPresent(names: Iterable<string>, values: Values): void {
  const missing = [...new Set(names)].filter((name) => values(name) === undefined)
  if (missing.length > 0) throw new TemplateError(`Missing: ${missing.join(', ')}. Ask for it, then try again.`)
}

/** A value becomes one path segment or one part of the query; a fragment is never sent. */
export function fillUrl(template: string, values: Values): string {
  const [, origin = '', path = '', query = ''] = /^([^:/?#]+:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/.exec(template) ?? []
  if (/[{}]/.test(origin)) throw new TemplateError('The address of this tool has a value in its host')
  const inPath = (name: string) => {
    const text = textOf(values(name))
    if (text === '') throw new TemplateError(`The value of ${name} is empty`) // else an item's URL becomes the list's
    // Proxies that decode %2F first would allow path traversal.
    if (/(^|[/\\])\.\.?([/\\]|$)/.test(text)) throw unfit(name, 'an address')
    return encode(text)
  }
  const filled = origin + fill(path, inPath) + fill(query, (name) => encode(textOf(values(name))))
  if (Buffer.byteLength(filled) > MAX_URL_BYTES) throw new TemplateError('The values are too long for an address')
  // The parsed URL must match the template: the same host and the same number of segments.
  const sample = new URL(origin + fill(path, () => 'x'))
  const url = URL.canParse(filled) ? new URL(filled) : null
  if (url?.origin !== sample.origin || steps(url) !== steps(sample) || url.username !== '' || url.password !== '')
    throw new TemplateError('The values do not fit into the address')
  return url.href
}

const steps = (url: URL) => url.pathname.split('/').length
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

export function fillHeaders(headers: Readonly<Record<string, string>>, values: Values): Record<string, string> {
  const inHeader = (name: string) => {
    const text = textOf(values(name))
    if (text.length > MAX_HEADER || /[^\t\x20-\x7e\x80-\xff]/.test(text)) throw unfit(name, 'a header')
    return text
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value, inHeader)]))
}

/** A string that is only {param} becomes the value itself: a number stays a number. */
export function fillJson(template: unknown, values: Values, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new TemplateError('The body of this tool is nested too deep')
  if (typeof template === 'string') {
    const whole = /^\{([A-Za-z_][\w.-]{0,127})\}$/.exec(template)?.[1]
    return whole === undefined ? fill(template, (name) => textOf(values(name))) : values(whole)
  }
  if (Array.isArray(template)) return template.map((part) => fillJson(part, values, depth + 1))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, fillJson(part, values, depth + 1)]))
}

export function formOf(fields: Json): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, textOf(one)]),
  )
  return new URLSearchParams(pairs).toString()
}

/** In one pass: placeholders inside a value are not filled. */
const fill = (template: string, textFor: (name: string) => string): string =>
  template.replace(placeholder, (_, name: string) => textFor(name))

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return value.map(textOf).join(',')
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()
}

const unfit = (name: string, where: string) =>
  new TemplateError(`The value of ${name} holds characters that ${where} cannot carry`)

/** The result, or an error for the model if the template could not be filled. */
export function orTemplateError<T extends object>(make: () => T): T | { ok: false; error: string } {
  try {
    return make()
  } catch (error) {
    if (error instanceof TemplateError) return { ok: false, error: error.message }
    throw error
  }
}
