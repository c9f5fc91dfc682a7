// Building blocks for schemas. One schema serves validation, serialization and OpenAPI.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** `null` in the type list rather than in a union: the serializer then needs no look-ahead. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    ...(type ? { type: [...new Set([type, 'null'].flat())] } : {}),
    ...(values ? { enum: [...new Set([...values, null])] } : {}),
  })
}

/** A field that may be omitted from a POST; null means the same. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

/** A required text that must not be blank. */
export const Text = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength, pattern: '\\S', ...options })

export const Choice = <const V extends string[]>(values: [...V], options: Record<string, unknown> = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, ...options })

export const Timestamp = Type.String({ format: 'date-time' })

/** An id with the prefix of its resource, as base/ids.ts generates them. */
export const Id = (prefix: string, options: Record<string, unknown> = {}) =>
  Type.String({ examples: [exampleId(prefix)], ...options })
export const exampleId = (prefix: string) => `${prefix}_01kjq4m8x2v6t0c3r9n5h7wzde`

/** A text that is only returned, with an example for the API reference. */
export const Example = (example: string, options: Record<string, unknown> = {}) =>
  Type.String({ examples: [example], ...options })

/** Any JSON object, stored as sent. */
export const FreeObject = (options: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })

/** For a text whose pattern would not help the reader: the 400 says `must be <words>` instead. */
export const Expected = (words: string) => ({ 'x-expected': words })

/** A web URL without a user name. */
export const HttpUrl = {
  maxLength: 2048,
  pattern: '^https?://[^\\s@/]+(/\\S*)?$',
  ...Expected('an http or https address, such as https://example.com/hook'),
}

/** A body: unknown fields are rejected, or dropped at the spec's own endpoints (spec-routes.ts). */
export const Body = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** A nested object of our own: an unknown field is an error and is named. */
export const Strict = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { propertyNames: { enum: Object.keys(properties) }, ...options })

export const ById = Type.Object({ id: Type.String() })

/** Without `limit` a list is returned whole. */
export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      description: 'Page size; without it the whole list is returned',
      examples: [20],
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 1000, description: 'From the Link header of the previous page' })),
})
export type PageQuery = Static<typeof PageQuery>

/** The order of a list: one of these names, with a minus for descending. */
export const SortBy = <const N extends string[]>(names: [...N]) =>
  Type.Optional(
    Choice(names.flatMap((name) => [name, `-${name}`]) as (N[number] | `-${N[number]}`)[], {
      description: 'Order of the list; a minus means descending. Default: newest first',
      examples: [names[0]],
    }),
  )

/** A search in the list. */
export const SearchText = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 255, description, examples: [example] }))

export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ examples: [404] }),
    error: Type.String({ examples: ['Not Found'] }),
    message: Type.String({ examples: ['Agent not found'] }),
  },
  { title: 'Error', additionalProperties: false },
)

/** Every route can return an error, and all errors have the same shape. */
export const errorAnswers = { '4xx': ErrorBody, '5xx': ErrorBody }

const codeHeader = {
  'X-Error-Code': {
    type: 'string',
    description:
      'The code of each problem with its parameters, as a structured field (RFC 9651). The guide “Errors” lists the codes.',
    examples: ['not_found;what="agent"', 'field_required;field="name", field_too_long;field="prompt";limit=20000'],
  },
}
const described = { ...ErrorBody, headers: codeHeader }
/** The same with their header, for the OpenAPI document: a serializer does not know headers. */
export const describedErrorAnswers = { '4xx': described, '5xx': described }
