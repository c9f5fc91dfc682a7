// The OpenAPI document, the registered routes, the scope map and the spec's endpoints must agree.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { scopeNames, scopeOf } from '../src/http/scopes.ts'
import { type TestApp, testApp } from './app.ts'
import { operationsOf } from './operations.ts'

type Endpoint = { method: string; path: string }
const spec: Endpoint[] = JSON.parse(readFileSync(new URL('fixtures/spec-endpoints.json', import.meta.url), 'utf8'))

/**
 * The router's own routes, parsed from the tree it prints: four columns per level, then the segment and its methods.
 */
function routesOf({ app }: TestApp): string[] {
  const above: string[] = []
  return app.http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, branches, part, methods] = /^([│├└─ ]*)(\S+) \(([A-Z, ]+)\)$/.exec(line) ?? []
      if (branches === undefined || part === undefined || methods === undefined) {
        assert.equal(line.trim(), '', `a line of the route tree was not understood: ${line}`)
        return []
      }
      const depth = branches.length / 4
      above.length = depth
      above[depth - 1] = part
      return methods.split(', ').map((method) => `${method} ${above.join('')}`)
    })
}

const isApi = (route: string) => route.includes(' /api')
/** OpenAPI cannot describe WebSockets: docs/live-calls.md documents this one. */
const isSocket = (route: string) => route === 'GET /api/calls/:id/listen'
const withColons = (path: string) => path.replaceAll(/\{([^}]+)\}/g, ':$1')
const lines = (list: readonly string[]) => [...list].sort().join('\n')

test('1, 34 the document lists every route under /api and no other, and none has a version in its path', async () => {
  const started = await testApp()
  const described = operationsOf(started.app).map((o) => `${o.method} ${withColons(o.path)}`)
  const routes = routesOf(started).filter((route) => isApi(route) && !route.startsWith('HEAD ') && !isSocket(route))
  assert.equal(lines(described), lines(routes))
  assert.ok(described.every((line) => /^[A-Z]+ \/api\/(?!v\d)/.test(line)))
})

test('26 there is a HEAD for every GET, and nowhere else', async () => {
  const routes = routesOf(await testApp())
  const of = (method: string) => routes.filter((r) => r.startsWith(`${method} `)).map((r) => r.slice(method.length))
  assert.equal(lines(of('HEAD')), lines(of('GET')))
})

test('all 52 endpoints of the spec exist', async () => {
  const { app } = await testApp()
  assert.equal(spec.length, 52)
  const nameless = (path: string) => path.replaceAll(/:\w+/g, ':')
  const there = new Set(operationsOf(app).map((o) => `${o.method} ${nameless(withColons(o.path))}`))
  const missing = spec.map((e) => `${e.method} ${nameless(e.path)}`).filter((line) => !there.has(line))
  assert.deepEqual(missing, [])
})

test('51 every route has a scope, and each scope guards the paths that the spec assigns to it', async () => {
  const { app } = await testApp()
  const firstWords: Record<string, string> = {
    'api-keys': 'full',
    webhooks: 'full',
    widgets: 'full',
    events: 'any',
    agents: 'agents',
    trunks: 'agents',
    'trunk-links': 'agents',
    conversations: 'conversations',
    did: 'dids',
    gateway: 'gateway',
    tools: 'tools',
    'knowledge-bases': 'tools',
    spreadsheets: 'tools',
    rehearsals: 'agents',
    'rehearsal-scripts': 'agents',
    users: 'admin',
    invitations: 'admin',
    calls: 'calls',
    callbacks: 'calls',
    campaigns: 'calls',
    suppressions: 'calls',
    'suppression-lists': 'calls',
    'calling-rules': 'calls',
    'web-calls': 'calls',
    overview: 'calls',
    platform: 'full',
    providers: 'full',
    settings: 'admin',
    organizations: 'full',
    audit: 'full',
    tts: 'tts',
  }
  const used = new Set<string>()
  for (const { path } of operationsOf(app)) {
    const scope = scopeOf(withColons(path))
    used.add(scope)
    const isHook = /^\/api\/(did|agents)\/\{id\}\/answer-hook/.test(path)
    const byWord = isHook ? 'full' : firstWords[path.split('/')[2] ?? '']
    const expected = path === '/api/providers/local' ? 'admin' : byWord
    assert.equal(scope, expected, path)
  }
  assert.deepEqual([...used].sort(), [...scopeNames, 'any', 'full', 'admin'].sort())
  assert.throws(() => scopeOf('/api/nobody-decided'), /No scope is decided/)
  assert.throws(() => scopeOf('/api/constructor'), /No scope is decided/)
})

test('an independent validator accepts the document as OpenAPI 3.1', async () => {
  const { anonymous } = await testApp()
  const { status, json } = await anonymous({ method: 'GET', url: '/openapi.json' })
  assert.equal(status, 200)
  const validator = new Validator()
  assert.deepEqual(await validator.validate(structuredClone(json)), { valid: true })
  assert.equal(validator.version, '3.1')
  const etag = json.paths['/api/agents/{id}'].get.responses['200'].headers.ETag
  assert.deepEqual([etag.schema.type, Object.keys(etag).sort()], ['string', ['description', 'schema']])
  assert.match(json.info.description, /literal segment wins/)
  const broken = structuredClone(json)
  broken.paths['/api/agents'].get.responses = 'none'
  assert.equal((await validator.validate(broken)).valid, false)
})

test('5 every operation has a unique name, a summary, and errors in the common shape', async () => {
  const { app } = await testApp()
  const operations = operationsOf(app)
  const names = operations.map((o) => o.operationId)
  assert.equal(new Set(names).size, operations.length)
  for (const { title, operationId, summary, responses } of operations) {
    assert.match(operationId ?? '', /^[a-z][A-Za-z_]+$/, title)
    assert.ok((summary?.length ?? 0) > 5, `${title} has no summary`)
    assert.ok(
      Object.keys(responses).some((status) => /^20\d$/.test(status)),
      `${title} has no answer`,
    )
    for (const range of ['4XX', '5XX']) {
      const schema = responses[range]?.content?.['application/json']?.schema
      assert.deepEqual(schema?.required, ['statusCode', 'error', 'message'], `${title} ${range}`)
      assert.equal(schema?.additionalProperties, false)
    }
  }
})

test('every path parameter is described, and every operation requires the key', async () => {
  const { app } = await testApp()
  const document = app.http.swagger() as unknown as { security: unknown; components: { securitySchemes: object } }
  assert.deepEqual(document.security, [{ apiKey: [] }])
  assert.deepEqual(document.components.securitySchemes, { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } })
  for (const { title, path, pathParameters } of operationsOf(app))
    assert.deepEqual(
      pathParameters,
      [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]),
      title,
    )
})
