// DIDs: create, read and list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNumber, anAgent, assertError, type Client, testApp } from '../../../test/app.ts'

const newAgent = async (client: Client): Promise<string> => (await client.post('/api/agents', anAgent)).json.id
const aDid = () => ({ phoneNumber: aNumber(), countryCode: '55' })

test('92 phoneNumber is required, in E.164', async () => {
  const { ana } = await testApp()
  assertError(await ana.post('/api/did', { countryCode: '55' }), 400, 'phoneNumber is required')
  assertError(await ana.post('/api/did'), 400, /phoneNumber is required.*countryCode is required/)
  const wrong = [
    '5511999990000',
    '+551199',
    '+5511999990000123',
    '+0511999990000',
    '+55 11 99999-0000',
    ' +5511999990000',
    '+5511999990000 ',
    '+5511999990000\n',
    '+55119999９0000',
    '++5511999990000',
    '00551199990000',
    'tel:+5511999990000',
    '',
    null,
    5511999990000,
    ['+5511999990000'],
  ]
  for (const phoneNumber of wrong)
    assertError(await ana.post('/api/did', { phoneNumber, countryCode: '55' }), 400, /^phoneNumber must/)
  assert.deepEqual((await ana.get('/api/did')).json, [])
})

test('92 a number may have seven to fifteen digits', async () => {
  const { ana } = await testApp()
  const [short, long] = [aNumber().slice(0, 3) + aNumber().slice(-5), `${aNumber()}99`]
  for (const [phoneNumber, digits] of [[short, 7] as const, [long, 15] as const]) {
    assert.equal(phoneNumber.length, digits + 1)
    const { status, json } = await ana.post('/api/did', { phoneNumber, countryCode: '55' })
    assert.equal(status, 201)
    assert.equal(json.phoneNumber, phoneNumber)
  }
})

test('93 countryCode is required: one to three digits, no plus, the beginning of the number', async () => {
  const { ana } = await testApp()
  const phoneNumber = aNumber()
  assertError(await ana.post('/api/did', { phoneNumber }), 400, 'countryCode is required')
  for (const countryCode of ['+55', '', '5511', 'BR', '55 ', '055', '0', null, 55, ['55']])
    assertError(await ana.post('/api/did', { phoneNumber, countryCode }), 400, /^countryCode must/)
  for (const countryCode of ['1', '44', '351', '552'])
    assertError(await ana.post('/api/did', { phoneNumber, countryCode }), 400, /must begin with countryCode$/)
  assert.deepEqual((await ana.get('/api/did')).json, [])
  const unique = phoneNumber.slice(-9)
  for (const countryCode of ['1', '55', '351']) {
    const made = await ana.post('/api/did', { phoneNumber: `+${countryCode}${unique}`, countryCode })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.json.countryCode, countryCode)
  }
})

test('94 provider is any text of at most 64 characters, and defaults to gateway', async () => {
  const { ana } = await testApp()
  for (const provider of ['gateway', 'Another one: ção', 'x'.repeat(64)])
    assert.equal((await ana.post('/api/did', { ...aDid(), provider })).json.provider, provider)
  for (const body of [aDid(), { ...aDid(), provider: null }])
    assert.equal((await ana.post('/api/did', body)).json.provider, 'gateway')
  for (const provider of ['x'.repeat(65), 5, true, {}])
    assertError(await ana.post('/api/did', { ...aDid(), provider }), 400, /^provider must/)
})

test('95 agentId is optional and must be an agent of the user', async () => {
  const { ana, bia } = await testApp()
  const [own, foreign] = [await newAgent(ana), await newAgent(bia)]
  assert.equal((await ana.post('/api/did', { ...aDid(), agentId: own })).json.agentId, own)
  for (const body of [aDid(), { ...aDid(), agentId: null }])
    assert.equal((await ana.post('/api/did', body)).json.agentId, null)
  const did = aDid()
  for (const agentId of ['agt_none', '', 'x'.repeat(5000), foreign])
    assertError(await ana.post('/api/did', { ...did, agentId }), 404, 'Agent not found')
  for (const agentId of [5, true, [own]])
    assertError(await ana.post('/api/did', { ...did, agentId }), 400, /^agentId must/)
  // The rejected requests have not taken the number.
  assert.equal((await bia.post('/api/did', did)).status, 201)
})

test('96, 97 POST answers 201 with the record, which is active', async () => {
  const { ana } = await testApp()
  const did = aDid()
  const before = new Date().toISOString()
  const sent = { ...did, status: 'inactive', id: 'did_mine', createdAt: 'x' }
  const { status, json } = await ana.post('/api/did', sent)
  const { id, createdAt, ...rest } = json
  assert.equal(status, 201)
  assert.deepEqual(rest, { ...did, provider: 'gateway', status: 'active', agentId: null })
  assert.ok(typeof id === 'string' && id !== 'did_mine')
  assert.ok(createdAt >= before && createdAt <= new Date().toISOString())
})

test("97 a user's list contains their DIDs, newest first, and each is read by its id", async () => {
  const { ana, bia } = await testApp()
  const made = []
  for (let i = 0; i < 3; i++) made.push((await ana.post('/api/did', aDid())).json)
  assert.deepEqual((await ana.get('/api/did')).json, made.toReversed())
  assert.deepEqual((await bia.get('/api/did')).json, [])
  for (const did of made) {
    const read = await ana.get(`/api/did/${did.id}`)
    assert.equal(read.status, 200)
    assert.deepEqual(read.json, did)
    assertError(await bia.get(`/api/did/${did.id}`), 404, 'DID not found')
  }
  assertError(await ana.get('/api/did/did_none'), 404, 'DID not found')
})

test('98 a number is unique across all users', async () => {
  const { ana, bia } = await testApp()
  const did = aDid()
  const { json: first } = await ana.post('/api/did', did)
  for (const client of [ana, bia])
    assertError(
      await client.post('/api/did', { ...did, provider: 'other' }),
      409,
      `${did.phoneNumber} is already registered`,
    )
  assert.deepEqual((await ana.get('/api/did')).json, [first])
  assert.deepEqual((await bia.get('/api/did')).json, [])
})

test('98 of 20 concurrent creates of one number, by two users, one is a 201', async () => {
  const { ana, bia } = await testApp()
  for (let round = 0; round < 3; round++) {
    const did = aDid()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? ana : bia).post('/api/did', did)))
    const made = answers.filter((answer) => answer.status === 201)
    assert.equal(made.length, 1)
    assert.equal(answers.filter((answer) => answer.status === 409).length, 19)
    const all = [...(await ana.get('/api/did')).json, ...(await bia.get('/api/did')).json]
    assert.deepEqual(
      all.filter((one) => one.phoneNumber === did.phoneNumber),
      [made[0]?.json],
    )
  }
})
