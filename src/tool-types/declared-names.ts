// The argument names a schema declares. Undeclared arguments are dropped and never reach a request or a variable.
import type { Json } from './ports.ts'

const MAX_STEPS = 10_000
const applicators = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', '$ref', '$dynamicRef']

/** Names of a schema's properties, including those from subschemas and local references. */
export function declaredNames(schema: Json | null): ReadonlySet<string> {
  const names = new Set<string>()
  const seen = new Set<unknown>()
  const waiting: unknown[] = [schema]
  for (let steps = 0; waiting.length > 0 && steps < MAX_STEPS; steps++) {
    const part = waiting.pop()
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    const { properties, required } = part as { properties?: unknown; required?: unknown }
    if (typeof properties === 'object' && properties !== null)
      for (const name of Object.keys(properties)) names.add(name)
    if (Array.isArray(required)) for (const name of required) names.add(String(name))
    for (const key of applicators) waiting.push(...partsOf((part as Json)[key], schema))
  }
  return names
}

function partsOf(value: unknown, root: Json | null): unknown[] {
  if (typeof value === 'string') return [referred(value, root)]
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value)]
}

/** `#/$defs/name`; null if it does not resolve. */
function referred(reference: string, root: Json | null): unknown {
  const names = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
  return names.reduce<unknown>((at, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Json)[key] : null
  }, root)
}

/** The schema allows additional properties, or declares none and does not forbid them. */
export function takesOthers(schema: Json): boolean {
  const { additionalProperties, patternProperties, properties } = schema
  if (patternProperties !== undefined) return true
  if (additionalProperties !== undefined) return additionalProperties !== false
  return properties === undefined && declaredNames(schema).size === 0
}

export function declaredOnly(schema: Json, args: Json): Json {
  if (takesOthers(schema)) return args
  const names = declaredNames(schema)
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)))
}
