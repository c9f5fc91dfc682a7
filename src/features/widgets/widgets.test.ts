// /api/widgets: the owner's records, their checks, and their end with the agent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, type Client, testApp } from '../../../test/app.ts'
import { chatTokens } from './chat-tokens.ts'
import { siteOrigin } from './origins.ts'
import { defaultAppearance, defaultLimits } from './schema.ts'

const site = 'https://shop.example'
const newAgent = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id

test('a widget is created with defaults, changed in part, listed and deleted', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const made = await ana.post('/api/widgets', { agentId, name: 'Shop' })
  assert.equal(made.status, 201)
  const { id, createdAt, updatedAt, ...rest } = made.json
  assert.match(id, /^wgt_[0-9a-z]{26}$/)
  assert.equal(createdAt, updatedAt)
  const channels = ['call', 'chat']
  const whole = { agentId, name: 'Shop', origins: [], channels, isActive: true }
  assert.deepEqual(rest, { ...whole, appearance: defaultAppearance, limits: defaultLimits })

  const patch = {
    origins: [site, `${site}:443`],
    channels: ['chat'],
    appearance: { color: '#112233' },
    limits: { callsPerDay: 3 },
  }
  const changed = (await ana.patch(`/api/widgets/${id}`, patch)).json
  assert.deepEqual(changed.origins, [site])
  assert.deepEqual(changed.channels, ['chat'])
  assert.deepEqual(changed.appearance, { ...defaultAppearance, color: '#112233' })
  assert.deepEqual(changed.limits, { ...defaultLimits, callsPerDay: 3 })
  assert.ok(changed.updatedAt > createdAt)
  assert.deepEqual((await ana.get('/api/widgets')).json, [changed])
  assert.deepEqual((await ana.get(`/api/widgets/${id}`)).json, changed)
  const usage = (await ana.get(`/api/widgets/${id}/usage`)).json
  assert.deepEqual(
    [usage.calls, usage.messages],
    [
      { used: 0, limit: 3 },
      { used: 0, limit: 1000 },
    ],
  )
  assert.equal((await ana.delete(`/api/widgets/${id}`)).status, 200)
  assertError(await ana.get(`/api/widgets/${id}`), 404, 'Widget not found')
})

test('only exact https origins are accepted, and http on this machine', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const make = (origin: string) => ana.post('/api/widgets', { agentId, name: 'x', origins: [origin] })
  for (const origin of [
    ...['http://shop.example', 'https://*.shop.example', 'https://shop.example/', 'https://shop.example/path', 'null'],
    ...['ftp://shop.example', 'https://user@shop.example', 'https://', 'shop.example', '*', 'http://127.0.0.2'],
    ...['https://shop.example?x', 'https://shop.example#x', 'https://a b', 'https://shop.example\\evil'],
    'http://localhost.shop.example',
  ])
    assertError(await make(origin), 400)
  for (const origin of [
    site,
    'https://shop.example:8443',
    'http://localhost:5173',
    'http://127.0.0.1',
    'http://[::1]:80',
  ])
    assert.equal((await make(origin)).status, 201, origin)
  assert.equal(siteOrigin('https://SHOP.example:443'), site)
  assert.equal(siteOrigin('https://xn--ol-xka.example'), 'https://xn--ol-xka.example')
})

test('every setting is bounded, and unknown ones are refused', async () => {
  const { ana } = await testApp()
  const agentId = await newAgent(ana)
  const bad = [
    { name: ' ' },
    { channels: [] },
    { channels: ['fax'] },
    { appearance: { color: 'red' } },
    { appearance: { color: '#FFFFFF;}' } },
    { appearance: { title: 'x'.repeat(61) } },
    { appearance: { buttonText: 'x'.repeat(31) } },
    ...[
      'http://www.shop.example/logo.png',
      'https://ana:secret@shop.example/logo.png',
      '//shop.example/logo.png',
      'javascript:alert(1)',
      'data:text/html;base64,PGI+',
      'data:image/svg+xml;base64,PHN2Zz4=',
      'data:image/png,<b>',
      `data:image/png;base64,${'A'.repeat(32_800)}`,
    ].map((logo) => ({ appearance: { logo } })),
    { appearance: { html: '<b>' } },
    { limits: { callsPerDay: 0 } },
    { limits: { maxCallSeconds: 100_000 } },
    { limits: { unlimited: true } },
    { origins: Array.from({ length: 21 }, (_, i) => `https://s${i}.example`) },
  ]
  for (const part of bad) assertError(await ana.post('/api/widgets', { agentId, name: 'x', ...part }), 400)
})

test('a key with scopes cannot manage widgets', async () => {
  const { ana } = await testApp()
  const scoped = await ana.withKey({ scopes: ['agents', 'calls', 'conversations'] })
  assertError(await scoped.get('/api/widgets'), 403)
})

test('deleting the agent deletes its widgets', async () => {
  const { ana, bia } = await testApp()
  const [agentId, other] = [await newAgent(ana), await newAgent(ana)]
  const { id } = (await ana.post('/api/widgets', { agentId, name: 'x' })).json
  const { id: kept } = (await ana.post('/api/widgets', { agentId: other, name: 'x' })).json
  assertError(await ana.patch(`/api/widgets/${kept}`, { agentId: await newAgent(bia) }), 404, 'Agent not found')
  await ana.delete(`/api/agents/${agentId}`)
  assertError(await ana.get(`/api/widgets/${id}`), 404)
  assertError(await ana.patch(`/api/widgets/${kept}`, { agentId }), 404, 'Agent not found')
  assert.equal((await ana.get('/api/widgets')).json.length, 1)
})

test('a chat token is bound to its widget and site, and expires', (t) => {
  const tokens = chatTokens(['a key of this test'])
  const grant = { widgetId: 'wgt_1', conversationId: 'cnv_1', origin: site }
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
  const { token, expiresMs } = tokens.issue(grant)
  assert.equal(tokens.read(token, grant), 'cnv_1')
  assert.equal(tokens.read(token, { ...grant, widgetId: 'wgt_2' }), undefined)
  assert.equal(tokens.read(token, { ...grant, origin: 'https://evil.example' }), undefined)
  assert.equal(tokens.read(`${token.slice(0, -2)}AA`, grant), undefined)
  assert.equal(chatTokens(['another']).read(token, grant), undefined)
  t.mock.timers.setTime(expiresMs)
  assert.equal(tokens.read(token, grant), undefined)
  const long = {
    widgetId: `wgt_${'0'.repeat(26)}`,
    conversationId: `cnv_${'0'.repeat(26)}`,
    origin: `https://${'a'.repeat(192)}`,
  }
  assert.equal(tokens.read(tokens.issue(long).token, long), long.conversationId)
})
