// Example requests and responses, built from the `examples` and defaults of the schemas.
import { type Content, type Operation, type Schema, typesOf } from './document.ts'

const EXAMPLE_TIME = '2026-03-02T14:05:09.000Z'
const byFormat: Readonly<Record<string, string>> = {
  'date-time': EXAMPLE_TIME,
  date: EXAMPLE_TIME.slice(0, 10),
  uuid: '019a8c1e-7d3f-7b20-9c41-5e6f7a8b9c0d',
  'language-tag': 'pt-BR',
}

/** Replaces a string without an example; no schema should need it. */
export const NO_EXAMPLE = '…'

/** A request shows required fields and those with an example; a response shows every field. */
export type Purpose = 'request' | 'response'

export function exampleOf(schema: Schema, purpose: Purpose): unknown {
  if (schema.examples && schema.examples.length > 0) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const [firstForm] = schema.anyOf ?? []
  if (firstForm) return exampleOf(firstForm, purpose)
  const type = typesOf(schema).find((name) => name !== 'null')
  if (schema.items) return [exampleOf(schema.items, purpose)]
  if (type === 'object' || schema.properties) return exampleObject(schema, purpose)
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, schema.exclusiveMinimum ?? 0)
  if (type === 'array') return []
  return type === 'string' ? (byFormat[schema.format ?? ''] ?? NO_EXAMPLE) : null
}

function exampleObject({ properties = {}, required = [] }: Schema, purpose: Purpose): object {
  const isShown = (name: string, field: Schema) =>
    purpose === 'response' || required.includes(name) || (field.examples?.length ?? 0) > 0
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, field]) => isShown(name, field))
      .map(([name, field]) => [name, exampleOf(field, purpose)]),
  )
}

/** The examples of the operation itself, otherwise one derived from its schema. */
export function examplesOf({ schema = {}, example, examples }: Content, purpose: Purpose): unknown[] {
  if (examples) return Object.values(examples).map(({ value }) => value)
  return [example ?? exampleOf(schema, purpose)]
}

export const jsonOf = (content: Readonly<Record<string, Content>> | undefined): Content | undefined =>
  content?.['application/json']

/** Values for path parameters: an id is that of the record returned by the path up to it. */
export function pathExamples(operation: Operation, all: readonly Operation[]): Record<string, string> {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
  return Object.fromEntries(
    parameters.map(({ name, example }) => [
      name,
      typeof example === 'string' ? example : recordId(operation.path, name, all),
    ]),
  )
}

function recordId(path: string, name: string, all: readonly Operation[]): string {
  const upToId = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2)
  const collection = path.slice(0, path.indexOf(`/{${name}}`))
  const candidates = [
    ...all.filter((operation) => operation.path === upToId && operation.method === 'GET'),
    ...all.filter((operation) => operation.path === collection && operation.method === 'GET'),
    ...all.filter((operation) => operation.path === upToId),
    ...all.filter((operation) => operation.path.endsWith(`s/{id}`) && name === `${singular(operation.path)}Id`),
  ]
  for (const { responses } of candidates) {
    const record = Object.values(responses).map(({ content }) => jsonOf(content)?.schema)[0]
    const id = (record?.items ?? record)?.properties?.id
    if (id) return String(exampleOf(id, 'response'))
  }
  return 'id'
}

/** /api/conversations/{id} -> conversation */
const singular = (path: string) => path.split('/').at(-2)?.replace(/s$/, '') ?? ''
