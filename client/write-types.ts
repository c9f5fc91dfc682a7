// Generates TypeScript from the OpenAPI document: `paths` as openapi-fetch expects it, and a type per titled schema.

export type Schema = {
  type?: string | readonly string[]
  title?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  format?: string
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}
type Content = Readonly<Record<string, { schema?: Schema }>>
type Operation = {
  summary?: string
  parameters?: readonly { in: string; name: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Content; required?: boolean }
  responses: Readonly<Record<string, { content?: Content }>>
}
export type Document = { paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

type Line = { name: string; isOptional: boolean; type: string; comment: string | undefined }

const head = '// Made from the OpenAPI document by `npm run client`. Not edited by hand.\n'
const methods = ['get', 'put', 'post', 'delete', 'patch']
const places = ['query', 'header', 'path', 'cookie']

export function writeTypes(document: Document): string {
  const named = new Map<string, string>()
  const paths = Object.keys(document.paths)
    .sort()
    .map((path) => line(path, pathItem(document.paths[path] ?? {}, named)))
  const types = [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, type]) => `export type ${name} = ${type}\n`)
  return [head, ...types, `export interface paths ${block(paths)}\n`].join('\n')
}

function pathItem(operations: Readonly<Record<string, Operation>>, named: Map<string, string>): string {
  const there = methods.filter((method) => operations[method] !== undefined)
  return block(
    there.map((method) => {
      const operation = operations[method] as Operation
      return line(method, operationType(operation, named), { comment: operation.summary })
    }),
  )
}

function operationType({ parameters = [], requestBody, responses }: Operation, named: Map<string, string>): string {
  const given = places.map((place) => {
    const here = parameters.filter((parameter) => parameter.in === place)
    if (here.length === 0) return line(place, 'never', { isOptional: true })
    const fields = here.map(({ name, required, schema, description = schema.description }) =>
      line(name, typeOf(schema, named), { isOptional: !required, comment: description }),
    )
    return line(place, block(fields), { isOptional: !here.some(({ required }) => required) })
  })
  const body = requestBody
    ? line('requestBody', contentType(requestBody.content, named), { isOptional: !requestBody.required })
    : line('requestBody', 'never', { isOptional: true })
  const answers = Object.entries(responses).map(([status, { content }]) =>
    line(status, content ? contentType(content, named) : '{ content?: never }'),
  )
  return block([line('parameters', block(given)), body, line('responses', block(answers))])
}

const contentType = (content: Content, named: Map<string, string>): string =>
  block([
    line(
      'content',
      block(Object.entries(content).map(([mediaType, { schema = {} }]) => line(mediaType, typeOf(schema, named)))),
    ),
  ])

export function typeOf(schema: Schema, named: Map<string, string>): string {
  const { title } = schema
  if (title === undefined) return plainType(schema, named)
  const { isNullable, rest } = withoutNull(schema)
  const name = typeName(title)
  const type = plainType(rest, named)
  if ((named.get(name) ?? type) !== type) throw new Error(`two schemas that differ have the title ${title}`)
  named.set(name, type)
  return isNullable ? `${name} | null` : name
}

/** Splits off null: a titled schema may be nullable in one place and not in another. */
function withoutNull(schema: Schema): { isNullable: boolean; rest: Schema } {
  const types = [schema.type ?? []].flat()
  if (!types.includes('null')) return { isNullable: false, rest: schema }
  const rest = { ...schema, type: types.filter((type) => type !== 'null') }
  return { isNullable: true, rest: schema.enum ? { ...rest, enum: schema.enum.filter((v) => v !== null) } : rest }
}

function typeName(title: string): string {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(title)) throw new Error(`the title ${title} cannot be the name of a type`)
  return title === 'Error' ? 'ErrorBody' : title // Error would shadow the global type
}

function plainType(schema: Schema, named: Map<string, string>): string {
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  const others = schema.anyOf ?? schema.oneOf
  const own = schema.type === undefined ? [] : [union([schema.type].flat().map((type) => ofType(type, schema, named)))]
  const parts = [
    // On a typed object, `anyOf` only says which fields go together: it adds nothing to the type.
    ...(others && own.length === 0 ? [union(others.map((other) => typeOf(other, named)))] : own),
    ...(schema.allOf ?? []).map((part) => typeOf(part, named)),
  ]
  if (parts.length === 0) return schema.properties ? objectType(schema, named) : 'unknown'
  return parts.length === 1 ? (parts[0] as string) : parts.map((part) => `(${part})`).join(' & ')
}

function ofType(type: string, schema: Schema, named: Map<string, string>): string {
  if (type === 'object') return objectType(schema, named)
  if (type === 'array') return schema.items ? `(${typeOf(schema.items, named)})[]` : 'unknown[]'
  if (type === 'string') return schema.format === 'binary' ? 'Blob' : 'string'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean' || type === 'null') return type
  throw new Error(`no TypeScript is known for the type ${type}`)
}

function objectType({ properties, required = [], additionalProperties }: Schema, named: Map<string, string>): string {
  const names = Object.keys(properties ?? {})
  if (!properties || names.length === 0) {
    if (additionalProperties === false) return 'Record<string, never>'
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, named) : 'unknown'}>`
  }
  const fields = block(
    names.map((name) => {
      const field = properties[name] ?? {}
      return line(name, typeOf(field, named), { isOptional: !required.includes(name), comment: field.description })
    }),
  )
  return additionalProperties ? `(${fields} & Record<string, unknown>)` : fields
}

const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))
const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const line = (name: string, type: string, { isOptional = false, comment }: Partial<Line> = {}): Line => ({
  name,
  type,
  isOptional,
  comment,
})

function block(lines: readonly Line[]): string {
  const text = lines.map(({ name, type, isOptional, comment }) => {
    const key = /^([A-Za-z_$][\w$]*|[1-9]\d*)$/.test(name) ? name : quoted(name)
    return `${comment ? `/** ${comment.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n` : ''}${key}${isOptional ? '?' : ''}: ${type}`
  })
  return `{\n${text.join('\n')}\n}`
}
