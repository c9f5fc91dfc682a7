// The words in which records and bodies are described. One description serves checking, answering and OpenAPI.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** `null` beside the type itself rather than in a union: the serialiser then needs no look-ahead. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string | string[]; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    ...(type ? { type: [...new Set([type, 'null'].flat())] } : {}),
    ...(values ? { enum: [...new Set([...values, null])] } : {}),
  })
}

/** A field that may be left out of a POST; null there means the same. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

/** A required text: something must stand in it. */
export const Text = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength, pattern: '\\S', ...options })

export const Choice = <const V extends string[]>(values: [...V], options: Record<string, unknown> = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, ...options })

export const Timestamp = Type.String({ format: 'date-time' })

/** An id with the prefix of its resource, as base/ids.ts makes them. */
export const Id = (prefix: string, options: Record<string, unknown> = {}) =>
  Type.String({ examples: [exampleId(prefix)], ...options })
export const exampleId = (prefix: string) => `${prefix}_01kjq4m8x2v6t0c3r9n5h7wzde`

/** A text that we only return, with an example for the API reference. */
export const Example = (example: string, options: Record<string, unknown> = {}) =>
  Type.String({ examples: [example], ...options })

/** Any JSON object, kept as it is sent. */
export const FreeObject = (options: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })

/** Where the pattern of a text would tell a reader little: a 400 says `must be <words>` instead. */
export const Expected = (words: string) => ({ 'x-expected': words })

/** An address on the web, without a user's name in it. */
export const HttpUrl = {
  maxLength: 2048,
  pattern: '^https?://[^\\s@/]+(/\\S*)?$',
  ...Expected('an http or https address, such as https://example.com/hook'),
}

/** A body: other fields are refused, and at the spec's own endpoints dropped (spec-routes.ts). */
export const Body = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** An object of ours inside a body: a name that is not in it is a mistake, and is told. */
export const Strict = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { propertyNames: { enum: Object.keys(properties) }, ...options })

export const ById = Type.Object({ id: Type.String() })

/** Without `limit` a list is whole. */
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

export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ examples: [404] }),
    error: Type.String({ examples: ['Not Found'] }),
    message: Type.String({ examples: ['Agent not found'] }),
  },
  { title: 'Error', additionalProperties: false },
)

/** Every route can answer an error, and all errors look alike. */
export const errorAnswers = { '4xx': ErrorBody, '5xx': ErrorBody }
