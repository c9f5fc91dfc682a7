// The parts of an OpenAPI document that the API reference shows.

export type Schema = {
  type?: string | readonly string[]
  title?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  examples?: readonly unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: readonly Schema[]
  'x-expected'?: string
  'x-max-bytes'?: number
}

/** Shapes of a field that depend on another field's value, such as a tool's `config` on its `type`. */
export type Variants = { by: string; schemas: Readonly<Record<string, Schema>> }

export type Content = {
  schema?: Schema
  example?: unknown
  examples?: Readonly<Record<string, { value: unknown }>>
}
export type Parameter = {
  name: string
  in: string
  required?: boolean
  schema?: Schema
  description?: string
  example?: unknown
}
export type OperationObject = {
  summary?: string
  tags?: readonly string[]
  operationId?: string
  parameters?: readonly Parameter[]
  requestBody?: { content: Readonly<Record<string, Content>> }
  responses: Readonly<Record<string, { description?: string; content?: Readonly<Record<string, Content>> }>>
}
export type OpenApiDocument = {
  info: { title: string; version: string; description?: string }
  tags?: readonly { name: string }[]
  paths?: object
}

export type Operation = OperationObject & {
  id: string
  method: string
  path: string
  /** Keyed by the body field's name. */
  variants: Readonly<Record<string, Variants>>
}

export function operationsOf(
  document: OpenApiDocument,
  variantsOf: (method: string, path: string) => Readonly<Record<string, Variants>> = () => ({}),
): Operation[] {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase()
      return { ...operation, id: operation.operationId ?? '', method, path, variants: variantsOf(method, path) }
    }),
  )
}

export const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat() as string[]
