// Trunks: create, read, change, list and delete.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, testApp } from '../../../test/app.ts'

const defaults = {
  directions: ['inbound', 'outbound'],
  provider: null,
  host: null,
  port: null,
  transport: 'udp',
  authMode: 'ip',
  username: null,
  hasPassword: false,
  realm: null,
  fromUser: null,
  fromDomain: null,
  outboundProxy: null,
  registerExpires: 300,
  allowedAddresses: [],
  allowedNumbers: [],
  numbers: [],
  callerId: null,
  codecs: ['PCMA', 'PCMU', 'G722', 'opus'],
  mediaEncryption: 'allowed',
  dtmfMode: 'auto',
  numberFormat: { leadingPlus: true, prefix: null, stripPrefix: null },
  sessionTimers: true,
  optionsPing: true,
  priority: 0,
  weight: 1,
  maxConcurrentCalls: null,
  headers: {},
  headerVariables: [],
  outboundHeaders: [],
  status: 'unconfigured',
  statusDetail: null,
  lastSeenAt: null,
  isActive: true,
}

const full = {
  name: 'Carrier',
  host: 'sip.example.com',
  isActive: true,
  directions: ['outbound'],
  provider: 'a carrier',
  port: 5061,
  transport: 'tls',
  authMode: 'register',
  username: 'u-1',
  realm: 'example.com',
  fromUser: '5511',
  fromDomain: 'example.com',
  outboundProxy: 'sip:proxy.example.com',
  registerExpires: 600,
  allowedAddresses: ['192.0.2.0/24', '2001:db8::1'],
  allowedNumbers: ['+5511*'],
  numbers: ['+551130000000'],
  callerId: '+551130000000',
  codecs: ['opus', 'PCMA'],
  mediaEncryption: 'required',
  dtmfMode: 'rfc4733',
  numberFormat: { leadingPlus: false, prefix: '0', stripPrefix: '55' },
  sessionTimers: false,
  optionsPing: false,
  priority: 5,
  weight: 10,
  maxConcurrentCalls: 30,
  headers: { 'X-Account': 'a b' },
  headerVariables: ['X-Customer-Id', 'History-Info'],
  outboundHeaders: ['X-Customer-Id'],
}

test('138 a trunk needs only a name; everything else has a default', async () => {
  const { ana } = await testApp()
  assertError(await ana.post('/api/trunks', {}), 400, 'name is required')
  for (const name of [null, '', ' ', 5, 'x'.repeat(256)])
    assertError(await ana.post('/api/trunks', { name }), 400, /^name must/)
  const nulls = Object.fromEntries(Object.keys(full).map((field) => [field, null]))
  for (const body of [{ name: 'x' }, { ...nulls, password: null, name: 'x' }]) {
    const { status, json } = await ana.post('/api/trunks', body)
    const { id, createdAt, updatedAt, ...rest } = json
    assert.equal(status, 201)
    assert.deepEqual(rest, { name: 'x', ...defaults })
    assert.equal(updatedAt, createdAt)
  }
})

test('138 a trunk stores all its fields; the list and a single trunk contain the same record', async () => {
  const { ana, bia } = await testApp()
  const { status, json: trunk } = await ana.post('/api/trunks', full)
  const { id, createdAt, updatedAt, ...rest } = trunk
  assert.equal(status, 201)
  assert.deepEqual(rest, { ...defaults, ...full, status: 'unknown' })
  const { json: second } = await ana.post('/api/trunks', { name: 'second' })
  assert.deepEqual((await ana.get('/api/trunks')).json, [second, trunk])
  assert.deepEqual((await ana.get(`/api/trunks/${id}`)).json, trunk)
  assert.deepEqual((await bia.get('/api/trunks')).json, [])
  assertError(await bia.get(`/api/trunks/${id}`), 404, 'Trunk not found')
})

test('138 an invalid value is a 400 that names its field, in POST and in PATCH', async () => {
  const { ana } = await testApp()
  const { json: trunk } = await ana.post('/api/trunks', full)
  const wrong: Record<string, unknown[]> = {
    host: ['', 'a b', 'a/b', 'x\r\ny', 5, 'x'.repeat(256)],
    port: [0, 65_536, 5060.5, '5060'],
    directions: ['inbound', ['up'], [1]],
    transport: ['ws', ''],
    authMode: ['none'],
    username: ['a b', 'a"b', 'a\r\nb', 5],
    registerExpires: [29, 86_401, '300'],
    allowedAddresses: ['192.0.2.1', [5]],
    codecs: [[], ['G729'], 'PCMA'],
    mediaEncryption: ['maybe'],
    dtmfMode: ['x'],
    sessionTimers: ['yes', 1],
    numberFormat: [{ color: 1 }, { leadingPlus: 'yes' }, []],
    priority: [-1, 1.5],
    maxConcurrentCalls: [0, 'many'],
    headers: [{ 'X-A': 'a\r\nX-B: b' }, { 'X A': 'a' }, { 'X-A': 5 }, [], { [`X-${'a'.repeat(70)}`]: 'a' }],
    isActive: ['yes', 1],
    password: ['', 5, 'x'.repeat(1025)],
  }
  for (const [field, values] of Object.entries(wrong))
    for (const value of values) {
      const message = new RegExp(`(^|; )${field}`)
      assertError(await ana.post('/api/trunks', { name: 'x', [field]: value }), 400, message)
      assertError(await ana.patch(`/api/trunks/${trunk.id}`, { [field]: value }), 400, message)
    }
  assert.deepEqual((await ana.get('/api/trunks')).json, [trunk])
})

test('a trunk may set only headers that neither routing nor the dialog depends on', async () => {
  const { ana } = await testApp()
  const free = { 'x-account': '1', 'P-Asserted-Identity': '<sip:a@b>', DIVERSION: '<sip:c@d>', 'User-to-User': '00' }
  const { json: trunk } = await ana.post('/api/trunks', { name: 'x', headers: free })
  assert.deepEqual(trunk.headers, free)
  for (const name of ['From', 'via', 'Route', 'CONTACT', 'f', 'Call-ID', 'Max-Forwards', 'Authorization', 'Xyz']) {
    const message = `headers.${name} cannot be set: allowed are X-*, P-*, User-to-User, Call-Info, Alert-Info, Diversion, Subject and Priority`
    for (const refused of [
      await ana.post('/api/trunks', { name: 'x', headers: { [name]: 'a' } }),
      await ana.patch(`/api/trunks/${trunk.id}`, { headers: { [name]: 'a' } }),
    ])
      assertError(refused, 400, new RegExp(`^${message.replaceAll('*', '\\*')}$`))
  }
})

test('23, 138 PATCH changes only the field sent, for each field', async () => {
  const { ana } = await testApp()
  let { json: expected } = await ana.post('/api/trunks', { name: 'x' })
  const url = `/api/trunks/${expected.id}`
  for (const [field, value] of Object.entries(full)) {
    const { status, json } = await ana.patch(url, { [field]: value })
    assert.equal(status, 200)
    assert.ok(json.updatedAt > expected.updatedAt)
    expected = { ...expected, [field]: value, updatedAt: json.updatedAt }
    if (field === 'host') expected.status = 'unknown'
    assert.deepEqual(json, expected)
    assert.deepEqual((await ana.get(url)).json, expected)
  }
})

test('23, 138 an empty PATCH changes nothing; read-only fields are rejected', async () => {
  const { ana } = await testApp()
  const { json: trunk } = await ana.post('/api/trunks', full)
  const readOnly = {
    id: 'x',
    status: 'registered',
    statusDetail: 'x',
    lastSeenAt: 'x',
    hasPassword: true,
    createdAt: 1,
  }
  const url = `/api/trunks/${trunk.id}`
  for (const [name, value] of Object.entries(readOnly)) {
    assertError(await ana.patch(url, { [name]: value }), 400, `${name} is not known here`)
    assertError(await ana.post('/api/trunks', { name: 'x', [name]: value }), 400, `${name} is not known here`)
  }
  for (const body of [undefined, {}]) assert.deepEqual((await ana.patch(url, body)).json, trunk)
})

test('23, 138 null resets an optional field to its default, and is rejected for an enum or a boolean', async () => {
  const { ana } = await testApp()
  const { json: trunk } = await ana.post('/api/trunks', full)
  const url = `/api/trunks/${trunk.id}`
  const fixed = ['name', 'isActive', 'transport', 'authMode', 'mediaEncryption', 'dtmfMode', 'sessionTimers']
  for (const field of [...fixed, 'optionsPing'])
    assertError(await ana.patch(url, { [field]: null }), 400, new RegExp(`^${field} must`))
  assert.deepEqual((await ana.get(url)).json, trunk)
  const clearable = Object.keys(full).filter((field) => ![...fixed, 'optionsPing'].includes(field))
  for (const field of clearable) {
    const { json } = await ana.patch(url, { [field]: null })
    assert.deepEqual(json[field], defaults[field as keyof typeof defaults], field)
  }
  const { json } = await ana.get(url)
  const { status } = defaults
  const kept = Object.fromEntries(Object.entries(full).filter(([field]) => !clearable.includes(field)))
  assert.deepEqual(json, { ...trunk, ...defaults, ...kept, status, updatedAt: json.updatedAt })
})

test('138 a partial numberFormat leaves the rest of it at its default', async () => {
  const { ana } = await testApp()
  const { json: trunk } = await ana.post('/api/trunks', { name: 'x', numberFormat: { prefix: '0' } })
  assert.deepEqual(trunk.numberFormat, { leadingPlus: true, prefix: '0', stripPrefix: null })
  const change = { numberFormat: { leadingPlus: null, stripPrefix: '55' } }
  const { json } = await ana.patch(`/api/trunks/${trunk.id}`, change)
  assert.deepEqual(json.numberFormat, { leadingPlus: true, prefix: null, stripPrefix: '55' })
})

test('138 concurrent changes all take effect', async () => {
  const { ana } = await testApp()
  for (let round = 0; round < 3; round++) {
    const { json: trunk } = await ana.post('/api/trunks', { name: 'x' })
    const answers = await Promise.all(
      Object.entries(full).map(([field, value]) => ana.patch(`/api/trunks/${trunk.id}`, { [field]: value })),
    )
    const updatedAt = answers
      .map((answer) => answer.json.updatedAt)
      .sort()
      .at(-1)
    const { json } = await ana.get(`/api/trunks/${trunk.id}`)
    assert.deepEqual(json, { ...trunk, ...full, status: 'unknown', updatedAt })
  }
})

test('138 status: unconfigured without a host, unknown with a new host, disabled while inactive', async () => {
  const { ana, database } = await testApp()
  const { json: trunk } = await ana.post('/api/trunks', { name: 'x' })
  const url = `/api/trunks/${trunk.id}`
  const statusAfter = async (change: object) => (await ana.patch(url, change)).json.status
  assert.equal(trunk.status, 'unconfigured')
  assert.equal(await statusAfter({ port: 5080 }), 'unconfigured')
  assert.equal(await statusAfter({ isActive: false }), 'disabled')
  assert.equal(await statusAfter({ isActive: true }), 'unconfigured')
  assert.equal(await statusAfter({ host: 'one.example.com' }), 'unknown')
  // As the phone would report it.
  const seen = { status: 'registered', statusDetail: '200 OK', lastSeenAt: new Date().toISOString() } as const
  await database.db.updateTable('trunks').set(seen).where('id', '=', trunk.id).execute()
  assert.equal(await statusAfter({ name: 'y', host: 'one.example.com' }), 'registered')
  assert.equal(await statusAfter({ isActive: false }), 'disabled')
  assert.equal((await ana.get('/api/trunks')).json[0].status, 'disabled')
  assert.equal(await statusAfter({ isActive: true }), 'registered')
  const { json: moved } = await ana.patch(url, { host: 'two.example.com' })
  assert.deepEqual([moved.status, moved.statusDetail, moved.lastSeenAt], ['unknown', null, null])
  assert.equal(await statusAfter({ host: null }), 'unconfigured')
  assert.equal((await ana.post('/api/trunks', { name: 'x', host: 'h', isActive: false })).json.status, 'disabled')
})

test('138 DELETE returns the deleted trunk and removes its links; numbers stay with their agent', async () => {
  const { ana, bia } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: trunk } = await ana.post('/api/trunks', full)
  const link = { trunkId: trunk.id, trunkType: 'inbound', phoneNumber: aNumber() }
  await ana.post(`/api/agents/${agent.id}/link-trunk`, link)
  await ana.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: 'other', trunkType: 'inbound' })
  assertError(await bia.delete(`/api/trunks/${trunk.id}`), 404, 'Trunk not found')
  const removed = await ana.delete(`/api/trunks/${trunk.id}`)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.json, trunk)
  assertError(await ana.get(`/api/trunks/${trunk.id}`), 404, 'Trunk not found')
  assertError(await ana.patch(`/api/trunks/${trunk.id}`, { name: 'y' }), 404, 'Trunk not found')
  assertError(await ana.delete(`/api/trunks/${trunk.id}`), 404, 'Trunk not found')
  const trunkIds = (list: { trunkId: string }[]) => list.map(({ trunkId }) => trunkId)
  assert.deepEqual(trunkIds((await ana.get(`/api/agents/${agent.id}/linked-trunks`)).json), ['other'])
  const [did] = (await ana.get('/api/did')).json
  assert.deepEqual([did.phoneNumber, did.agentId], [link.phoneNumber, agent.id])
})

test('the lists of headers take names that routing does not depend on, 20 at most', async () => {
  const { ana } = await testApp()
  const wrong = {
    headerVariables: ['Via', 'From', 'X-', 'X-a b', 'X-a\r\nVia'],
    outboundHeaders: ['P-Asserted-Identity', 'To'],
  }
  for (const [field, names] of Object.entries(wrong))
    for (const name of names)
      assertError(await ana.post('/api/trunks', { name: 'x', [field]: [name] }), 400, new RegExp(`^${field}`))
  const many = Array.from({ length: 21 }, (_, i) => `X-H${i}`)
  for (const field of Object.keys(wrong))
    assertError(await ana.post('/api/trunks', { name: 'x', [field]: many }), 400, new RegExp(`^${field}`))
  const made = await ana.post('/api/trunks', { name: 'x', headerVariables: ['P-Asserted-Identity', 'diversion'] })
  assert.deepEqual(made.json.headerVariables, ['P-Asserted-Identity', 'diversion'])
})
