// The operations of the API from its own OpenAPI document, for tests that iterate over all of them.
import type { App } from '../src/app-types.ts'

export type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
}

export type Operation = {
  /** For example `GET /api/agents/{id}`. */
  title: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  pathParameters: string[]
  query: { name: string; schema: Schema }[]
  body: Schema | undefined
  /** Media types of the body, JSON first. */
  mediaTypes: string[]
  operationId: string | undefined
  summary: string | undefined
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>
}

type Described = {
  operationId?: string
  summary?: string
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Operation['responses']
}

export function operationsOf(app: App): Operation[] {
  const { paths } = app.http.swagger() as unknown as { paths: Record<string, Record<string, Described>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, described]) => {
      const method = name.toUpperCase() as Operation['method']
      const parameters = described.parameters ?? []
      return {
        title: `${method} ${path}`,
        method,
        path,
        pathParameters: parameters.filter((p) => p.in === 'path').map((p) => p.name),
        query: parameters.filter((p) => p.in === 'query').map((p) => ({ name: p.name, schema: p.schema ?? {} })),
        body: described.requestBody?.content['application/json']?.schema,
        mediaTypes: Object.keys(described.requestBody?.content ?? {}),
        operationId: described.operationId,
        summary: described.summary,
        responses: described.responses,
      }
    }),
  )
}

/** Event streams never end by themselves; they have tests of their own. */
export const isStream = ({ method, responses }: Operation): boolean =>
  method === 'GET' && Object.keys(responses['200']?.content ?? {}).includes('text/event-stream')

/** The path with each parameter replaced by its percent-encoded value. */
export const urlOf = (operation: Operation, values: Record<string, string>): string =>
  operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

/** For every path parameter an id that no record has. */
export const missingIds = {
  id: 'missing',
  agentId: 'missing',
  trunkId: 'missing',
  conversationId: 'missing',
  sessionId: 'missing',
  documentId: 'missing',
  rowId: 'missing',
  contactId: 'missing',
  importId: 'missing',
  deliveryId: 'missing',
  personId: 'missing',
  invitationId: 'missing',
}

/** Names no record, but the client's own organization where the path names one: another organization is always a 404. */
export const urlOfMissing = (operation: Operation, { userId }: { userId: string }): string =>
  urlOf(operation, operation.path.startsWith('/api/organizations/{id}') ? { ...missingIds, id: userId } : missingIds)
