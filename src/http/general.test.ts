// The contract's rules for all resources: create, read, update, delete.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, startTestApp, testApp } from '../../test/app.ts'
import { operationsOf } from '../../test/operations.ts'

type Resource = {
  list: string
  /** The minimal valid body. */
  least: () => Record<string, unknown>
  /**
   * Optional fields, each with a value. In a PATCH, null clears those in `clears` and is a 400 for those in `refuses`.
   */
  clears: Record<string, unknown>
  refuses: Record<string, unknown>
}

const resources: Resource[] = [
  {
    list: '/api/agents',
    least: () => ({ ...anAgent }),
    clears: {
      description: 'd',
      voiceId: 'v',
      initialSpeech: 'hello',
      llmConfig: { model: 'm' },
      provider_aConfig: { model_id: 'x' },
      settings: {},
    },
    refuses: {
      name: 'Bia',
      systemPrompt: 'x',
      direction: 'inbound',
      language: 'en',
      ttsProvider: 'provider_b',
      isActive: false,
    },
  },
  {
    list: '/api/tools',
    least: () => ({ name: 'Weather', type: 'api_request' }),
    clears: {
      description: 'd',
      method: 'POST',
      requestUrl: 'https://example.com/{city}',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
      headers: { 'x-a': 'b' },
      authorization: { type: 'bearer', token: 't' },
      body: { a: 1 },
      messages: { start: 'One moment' },
      config: null,
    },
    refuses: { name: 'Other', type: 'custom', isActive: false },
  },
  {
    list: '/api/trunks',
    least: () => ({ name: 'Trunk' }),
    clears: { host: 'sip.example.com', port: 5061, username: 'u', provider: 'p', callerId: '+551199999', realm: 'r' },
    refuses: { name: 'Other', transport: 'tls', authMode: 'digest', mediaEncryption: 'required', isActive: false },
  },
  {
    list: '/api/did',
    least: () => ({ phoneNumber: aNumber(), countryCode: '55' }),
    clears: { agentId: null },
    refuses: { status: 'inactive' },
  },
  {
    list: '/api/gateway/devices',
    least: () => ({}),
    clears: {
      name: 'n',
      displayName: 'd',
      phone: '+5511988887777',
      agentId: null,
      maxConcurrentCalls: 3,
      webhookUrl: 'https://example.com/hook',
    },
    refuses: { inboundEnabled: false, outboundEnabled: false, recordCalls: false },
  },
]

const make = async (client: Client, { list, least }: Resource, more: object = {}) => {
  const answer = await client.post(list, { ...least(), ...more })
  assert.equal(answer.status, 201, `${list}: ${answer.text}`)
  return answer.json
}
const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== null))

test('2, 11, 27 a record is created with 201, and read, updated and deleted with 200; each response is the record itself', async () => {
  const { ana } = await testApp()
  for (const resource of resources) {
    const { list } = resource
    const made = await ana.post(list, resource.least())
    assert.equal(made.status, 201, list)
    const url = `${list}/${made.json.id}`
    const change = given(resource.refuses)
    const answers = [made, await ana.get(url), await ana.patch(url, change), await ana.get(list)]
    const changed = (await ana.get(url)).json
    const removed = await ana.delete(url)
    for (const answer of [...answers, removed]) {
      assert.match(String(answer.headers['content-type']), /^application\/json/, list)
      assert.equal(answer.json.data, undefined, list)
    }
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200, 200, 200],
      list,
    )
    assert.deepEqual(answers[1]?.json, made.json, list)
    assert.deepEqual(answers[2]?.json, changed, list)
    assert.deepEqual([removed.status, removed.json], [200, changed], `${list}: DELETE answers with the last record`)
    assertError(await ana.delete(url), 404)
    assertError(await ana.get(url), 404)
    assertError(await ana.patch(url, change), 404)
    assert.deepEqual((await ana.get(list)).json, [], list)
  }
})

test('27 no operation answers 204, and only a POST answers 201', async () => {
  const { app } = await testApp()
  for (const { title, method, responses } of operationsOf(app)) {
    const statuses = Object.keys(responses).filter((status) => status.startsWith('2'))
    assert.ok(!statuses.includes('204'), title)
    assert.ok(method === 'POST' || !statuses.includes('201'), title)
    assert.ok(statuses.length > 0, title)
  }
})

test('24 unset fields are present, as null', async () => {
  const { ana } = await testApp()
  for (const resource of resources) {
    const made = await make(ana, resource)
    const read = (await ana.get(`${resource.list}/${made.id}`)).json
    for (const name of Object.keys(resource.clears)) {
      assert.ok(name in made, `${resource.list}: ${name} is in the answer`)
      assert.equal(made[name], null, `${resource.list}: ${name}`)
      assert.equal(read[name], null, `${resource.list}: ${name}`)
    }
  }
  const { id: agentId } = await make(ana, resources[0] as Resource)
  const conversation = (await ana.post('/api/conversations/start', { agentId })).json
  assert.deepEqual([conversation.title, conversation.endedAt], [null, null])
  const key = (await ana.get('/api/api-keys')).json[0]
  assert.deepEqual([key.scopes, key.expiresAt], [null, null])
})

const ids = new Set('id createdAt updatedAt phoneNumber deviceUuid deviceId token sip qrCode qrExpiresAt'.split(' '))
const withoutIds = (record: object) => Object.fromEntries(Object.entries(record).filter(([name]) => !ids.has(name)))

test('22 null for an optional field of a POST is the same as omitting it', async () => {
  const { app, ana } = await testApp()
  for (const resource of resources) {
    const operation = operationsOf(app).find(({ title }) => title === `POST ${resource.list}`)
    const { properties = {}, required = [] } = operation?.body ?? {}
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    assert.ok(optional.length > 0)
    const plain = withoutIds(await make(ana, resource))
    const nulls = Object.fromEntries(optional.map((name) => [name, null]))
    assert.deepEqual(withoutIds(await make(ana, resource, nulls)), plain, resource.list)
    for (const name of required) assertError(await ana.post(resource.list, { ...resource.least(), [name]: null }), 400)
  }
  const { id: agentId } = await make(ana, resources[0] as Resource)
  assert.equal((await ana.post('/api/conversations/start', { agentId, title: null })).json.title, null)
  assertError(await ana.post('/api/conversations/start', { agentId: null }), 400)
})

test('23 a PATCH changes the fields sent and nothing else', async () => {
  const { ana } = await testApp()
  for (const resource of resources) {
    const made = await make(ana, resource)
    const url = `${resource.list}/${made.id}`
    let before = made
    for (const [name, value] of Object.entries(given({ ...resource.clears, ...resource.refuses }))) {
      const { status, json: after } = await ana.patch(url, { [name]: value })
      assert.equal(status, 200, `${url} ${name}: ${JSON.stringify(after)}`)
      // A trunk's status depends on its host and on isActive.
      const follows = resource.list === '/api/trunks' ? { status: after.status } : {}
      const masked = name === 'headers' || name === 'authorization' ? { [name]: after[name] } : { [name]: value }
      const time = 'updatedAt' in after ? { updatedAt: after.updatedAt } : {}
      assert.deepEqual(after, { ...before, ...follows, ...masked, ...time }, `${resource.list} ${name}`)
      if ('updatedAt' in after) assert.ok(after.updatedAt > before.updatedAt, `${resource.list} ${name}`)
      assert.deepEqual((await ana.get(url)).json, after)
      before = after
    }
  }
})

test('23 an empty PATCH is a 200 that changes nothing, not even updatedAt', async () => {
  const { ana } = await testApp()
  for (const resource of resources) {
    const made = await make(ana, resource)
    const url = `${resource.list}/${made.id}`
    for (const body of [{}, undefined, ...(resource.list === '/api/trunks' ? [] : [{ unknown: 1 }])]) {
      const { status, json } = await ana.patch(url, body)
      assert.deepEqual([status, json], [200, made], resource.list)
    }
    assert.deepEqual((await ana.get(url)).json, made)
    assertError(await ana.patch(`${resource.list}/missing`, {}), 404)
  }
})

test('23 null clears an optional field and is a 400 for any other, which then changes nothing', async () => {
  const { ana } = await testApp()
  const { id: agentId } = await make(ana, resources[0] as Resource)
  for (const resource of resources) {
    const filled = given(resource.clears)
    const made = await make(ana, resource, { ...filled, ...('agentId' in resource.clears ? { agentId } : {}) })
    const url = `${resource.list}/${made.id}`
    for (const name of Object.keys(resource.refuses)) {
      assertError(await ana.patch(url, { ...filled, [name]: null }), 400, new RegExp(`${name} must be`))
      assert.deepEqual((await ana.get(url)).json, made, `${resource.list} ${name}`)
    }
    for (const name of Object.keys(resource.clears)) {
      if (name !== 'config') assert.notEqual(made[name], null, `${resource.list} ${name}`)
      const { status, json } = await ana.patch(url, { [name]: null })
      assert.deepEqual([status, json[name]], [200, null], `${resource.list} ${name}`)
    }
  }
})

test('21 a required text must not be blank, and no text may exceed its limit', async () => {
  const { ana } = await testApp()
  const { id: agentId } = await make(ana, resources[0] as Resource)
  const { id: talk } = (await ana.post('/api/conversations/start', { agentId })).json
  const texts: [url: string, body: object, field: string, max: number, isRequired: boolean][] = [
    ['/api/agents', anAgent, 'name', 255, true],
    ['/api/agents', anAgent, 'systemPrompt', 100_000, true],
    ['/api/agents', anAgent, 'description', 2000, false],
    ['/api/agents', anAgent, 'voiceId', 255, false],
    ['/api/tools', { name: 'x', type: 'custom' }, 'name', 255, true],
    ['/api/tools', { name: 'x', type: 'custom' }, 'description', 2000, false],
    ['/api/trunks', { name: 'x' }, 'name', 255, true],
    ['/api/api-keys', { name: 'x' }, 'name', 255, true],
    ['/api/conversations/start', { agentId }, 'title', 255, false],
    [`/api/conversations/message/send/${talk}`, { type: 'user', content: 'x' }, 'content', 32_000, true],
  ]
  for (const [url, body, field, max, isRequired] of texts) {
    const about = `${url} ${field}`
    if (isRequired)
      for (const blank of ['', ' ', '\n\t ', '\u00a0', '\u3000'])
        assertError(await ana.post(url, { ...body, [field]: blank }), 400, `${field} must not be empty`)
    for (const letter of ['x', 'é', '😀']) {
      const longest = letter.repeat(max)
      const made = await ana.post(url, { ...body, [field]: longest })
      assert.equal(made.status, 201, about)
      assert.equal(made.json[field], longest, about)
    }
    assertError(await ana.post(url, { ...body, [field]: 'x'.repeat(max + 1) }), 400, new RegExp(`^${field} must NOT`))
  }
})

test('19 unknown fields are ignored by the endpoints of the spec, and never stored', async () => {
  const { ana, bia, database } = await testApp()
  const planted = {
    id: 'planted',
    userId: bia.userId,
    createdAt: '2001-01-01T00:00:00.000Z',
    updatedAt: '2001-01-01T00:00:00.000Z',
    hash: 'planted',
    key: 'planted',
    prefix: 'planted',
    lastUsedAt: '2001-01-01T00:00:00.000Z',
    passwordSealed: 'planted',
    sipUsername: 'planted',
    provisioned: true,
    deviceId: 'planted',
    constructor: { prototype: { planted: true } },
    unknown: { planted: true },
  }
  const tables = ['agents', 'tools', 'trunks', 'dids', 'devices', 'apiKeys'] as const
  const keys: Resource = { list: '/api/api-keys', least: () => ({ name: 'k' }), clears: {}, refuses: {} }
  for (const [i, resource] of [...resources, keys].entries()) {
    const table = tables[i] as (typeof tables)[number]
    const plain = await make(ana, resource)
    if (table === 'trunks') {
      assertError(await ana.post(resource.list, { ...resource.least(), ...planted }), 400, /userId is not known here/)
      continue
    }
    const made = await make(ana, resource, planted)
    assert.deepEqual(Object.keys(made).sort(), Object.keys(plain).sort(), resource.list)
    const url = `${resource.list}/${made.id}`
    if (resource !== keys) assert.deepEqual((await ana.patch(url, planted)).json, made, resource.list)
    for (const text of ['planted', '2001-01-01', bia.userId])
      assert.ok(!JSON.stringify(made).includes(text), resource.list)
    const rows = await database.db.selectFrom(table).selectAll().where('id', '=', made.id).execute()
    assert.equal(rows.length, 1)
    assert.equal(rows[0]?.userId, ana.userId)
    assert.ok(!JSON.stringify(rows).includes('planted') && !JSON.stringify(rows).includes('2001-01'), table)
    const others = await database.db.selectFrom(table).select('id').where('userId', '=', bia.userId).execute()
    assert.equal(others.length, table === 'apiKeys' ? 1 : 0)
  }
})

test('33 the platform sends nothing to anyone on its own', async () => {
  const { ana } = await startTestApp()
  const sent: unknown[] = []
  const hear = (message: unknown) => void sent.push(message)
  const channels = ['http.client.request.start', 'undici:request:create']
  for (const channel of channels) subscribe(channel, hear)
  try {
    for (const resource of resources) {
      const made = await make(ana, resource, given({ ...resource.clears, webhookUrl: null })) // would get events
      await ana.patch(`${resource.list}/${made.id}`, given(resource.refuses))
    }
    const { id: agentId } = await make(ana, resources[0] as Resource)
    const { id } = (await ana.post('/api/conversations/start', { agentId })).json
    await ana.post(`/api/conversations/message/send/${id}`, { type: 'user', content: 'x' })
    await ana.post('/api/conversations/end', { conversationId: id })
    await ana.post('/api/gateway/provision-device')
    await ana.post('/api/gateway/credentials', { email: 'a@b', password: 'x' })
    await ana.delete(`/api/agents/${agentId}`)
    assert.deepEqual(sent, [])
  } finally {
    for (const channel of channels) unsubscribe(channel, hear)
  }
})
