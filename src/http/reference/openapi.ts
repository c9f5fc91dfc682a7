// The OpenAPI 3.1 document, generated from the schemas that validate requests and serialize responses.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { loadSwagger } from '../../base/process/lazy-packages.ts'
import { describedErrorAnswers } from '../schema.ts'
import { versionHeaders } from '../versions.ts'

const tagByWord: Record<string, string> = {
  'api-keys': 'API keys',
  agents: 'Agents',
  conversations: 'Conversations',
  did: 'DIDs',
  trunks: 'Trunks',
  'trunk-links': 'Trunks',
  gateway: 'Gateway',
  tools: 'Tools',
  'knowledge-bases': 'Knowledge',
  spreadsheets: 'Spreadsheets',
  rehearsals: 'Rehearsals',
  'rehearsal-scripts': 'Rehearsals',
  calls: 'Calls',
  callbacks: 'Calls',
  campaigns: 'Campaigns',
  suppressions: 'Campaigns',
  'suppression-lists': 'Campaigns',
  'calling-rules': 'Campaigns',
  'web-calls': 'Web calls',
  widgets: 'Widgets',
  tts: 'Text-to-speech',
  events: 'Events',
  webhooks: 'Webhooks',
  providers: 'Providers',
  organizations: 'Organizations',
  users: 'Users',
  audit: 'Audit',
  invitations: 'Users',
  overview: 'Overview',
  platform: 'Platform',
  settings: 'Settings',
}

/** Describes all routes added from here on. The document is generated on first request. */
export function describeApi(app: FastifyInstance, version: string): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  let document: ReturnType<FastifyInstance['swagger']> | undefined
  const swagger = () => (document ??= documentOf(routes, optionsFor(version)))
  app.decorate('swagger', swagger as FastifyInstance['swagger'])
}

/** Runs the plugin on routes that were added before it was loaded. */
function documentOf(routes: readonly RouteOptions[], options: FastifyDynamicSwaggerOptions) {
  const hooks = new Map<string, (given: unknown) => void>()
  let describe: (() => ReturnType<FastifyInstance['swagger']>) | undefined
  const recorded = {
    addHook: (name: string, hook: (given: unknown) => void) => hooks.set(name, hook),
    getSchemas: () => ({}),
    decorate(_name: string, made: typeof describe) {
      describe = made
    },
  }
  const plugin = loadSwagger().fastifySwagger as (server: object, given: typeof options, done: () => void) => void
  plugin(recorded, options, () => {})
  for (const route of routes) hooks.get('onRoute')?.(route)
  hooks.get('onReady')?.(() => {})
  if (!describe) throw new Error('@fastify/swagger is of a version that Ramal does not know')
  return describe()
}

function optionsFor(version: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Ramal',
        version,
        description:
          'Voice agents on telephone calls: agents, conversations, numbers, trunks, devices, tools, knowledge, calls and speech.\n\n' +
          'Some paths overlap, such as `/api/agents/{id}/chain` and `/api/agents/toggle/{id}`. A literal segment wins over a parameter, ' +
          'from left to right; ids are never such words. Linters report these pairs as ambiguous.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [...new Set(Object.values(tagByWord))].map((name) => ({ name })),
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
      security: [{ apiKey: [] }],
    },
    transform: ({ schema, url, route }) => {
      const word = url.split('/')[2] ?? ''
      const method = [route.method].flat()[0] ?? 'GET'
      const given = (schema ?? {}) as Record<string, unknown>
      return {
        url,
        schema: {
          ...given,
          ...withUploadTypes(given.body, route.config?.uploads),
          tags: [tagByWord[word] ?? 'Other'],
          operationId: operationId(method, url),
          response: { ...(given.response as object), ...describedErrorAnswers },
          ...(route.config?.isVersioned
            ? versionHeaders(method, { ...(given.response as object), ...describedErrorAnswers })
            : {}),
        },
      }
    },
  }
}

/** A body that may also be a file is described once per media type. */
function withUploadTypes(json: unknown, uploads: readonly string[] | undefined): object {
  if (!uploads) return {}
  const file = { schema: { type: 'string', format: 'binary' } }
  const files = Object.fromEntries(uploads.map((mediaType) => [mediaType, file]))
  return { body: { content: { ...(json ? { 'application/json': { schema: json } } : {}), ...files } } }
}

/** GET /api/agents/:id/tools becomes getAgentsByIdTools. */
function operationId(method: string, url: string): string {
  const words = url
    .split('/')
    .slice(2)
    .flatMap((part) => (part.startsWith(':') ? ['by', part.slice(1)] : part.split('-')))
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}
