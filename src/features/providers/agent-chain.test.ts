// What an agent may name when it is saved or tested, and its chain with warnings.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, atEnd, type Client, startTestApp, testApp } from '../../../test/app.ts'
import { startLlm } from '../../../test/vendors/llm.ts'
import { KEY } from '../../../test/vendors/server.ts'
import type { AgentChain } from './chain-schema.ts'

const providers = '/api/providers'
const model = { vendor: 'openai', model: 'small', models: ['large'], apiKey: 'sk-a-key-of-the-user' }
const ears = { kind: 'stt', vendor: 'deepgram', apiKey: 'a-key-of-the-user' }
const voice = { kind: 'tts', vendor: 'elevenlabs', apiKey: 'a-key-of-the-user' }

async function accountsOf(client: Client) {
  const made = async (account: object) => (await client.post(providers, account)).json.id as string
  return { llm: await made(model), stt: await made(ears), tts: await made(voice) }
}

const chainOf = async (client: Client, agentId: string): Promise<AgentChain> =>
  (await client.get(`/api/agents/${agentId}/chain`)).json

test('an account of another user, an unknown one, one of the wrong kind and a model it does not have are a 400', async () => {
  const { ana, bia } = await testApp()
  const [mine, theirs] = [await accountsOf(ana), await accountsOf(bia)]
  const { id } = (await ana.post('/api/agents', anAgent)).json
  const conversation = (await ana.post('/api/conversations/start', { agentId: id })).json.id
  const refused: [object, RegExp][] = [
    [{ settings: { llm: { providerId: theirs.llm } } }, /^settings\.llm\.providerId: there is no such/],
    [{ settings: { recognition: { providerId: 'prv_none' } } }, /^settings\.recognition\.providerId: there is no such/],
    [
      { settings: { voice: { providerId: mine.llm } } },
      /^settings\.voice\.providerId: this account is of kind llm, not tts/,
    ],
    [
      { settings: { voice: { fallbacks: [{ providerId: mine.tts }, { providerId: theirs.tts }] } } },
      /^settings\.voice\.fallbacks\[1\]\.providerId/,
    ],
    [
      { settings: { llm: { providerId: mine.llm } }, llmConfig: { model: 'huge' } },
      /^llmConfig\.model: this account has no model huge/,
    ],
    [
      { settings: { llm: { fallbacks: [{ providerId: mine.llm, model: 'huge' }] } } },
      /^settings\.llm\.fallbacks\[0\]\.model/,
    ],
  ]
  for (const [change, words] of refused) {
    assertError(await ana.post('/api/agents', { ...anAgent, ...change }), 400, words)
    assertError(await ana.patch(`/api/agents/${id}`, change), 400, words)
    assertError(await ana.post('/api/web-calls', { agentId: id, draft: change }), 400, words)
    const said = { type: 'user', content: 'Hello', draft: change }
    assertError(await ana.post(`/api/conversations/message/send/${conversation}?reply=true`, said), 400, words)
  }
  const good = {
    llmConfig: { model: 'large' },
    settings: {
      llm: { providerId: mine.llm, fallbacks: [{ providerId: mine.llm, model: 'small' }] },
      recognition: { providerId: mine.stt, model: 'nova-2', fallbacks: [{ providerId: 'embedded' }] },
      voice: { providerId: mine.tts },
    },
  }
  assert.equal((await ana.post('/api/agents', { ...anAgent, ...good })).status, 201)
  assert.equal((await ana.patch(`/api/agents/${id}`, good)).status, 200)
  // For an agent without an account, the names are stored as sent.
  assert.equal((await ana.patch(`/api/agents/${id}`, { settings: null, llmConfig: { model: 'x' } })).status, 200)
})

test('a removed account leaves the agent on its next link, with a warning, and the agent can still be saved', async () => {
  const { ana } = await testApp()
  const first = await accountsOf(ana)
  const second = (await ana.post(providers, { ...model, name: 'Second' })).json.id
  const settings = {
    llm: { providerId: first.llm, fallbacks: [{ providerId: second, model: 'large' }] },
    voice: { providerId: first.tts },
  }
  const body = { ...anAgent, language: 'pt-BR', voiceId: 'v1', settings }
  const { id } = (await ana.post('/api/agents', body)).json
  const before = await chainOf(ana, id)
  assert.deepEqual(
    before.llm.map((link) => [link.id, link.model, link.source]),
    [
      [first.llm, 'small', 'own'],
      [second, 'large', 'own'],
      ['embedded', null, 'embedded'],
    ],
  )
  assert.deepEqual(
    before.tts.map((link) => [link.id, link.voiceId, link.model]),
    [
      [first.tts, 'v1', 'eleven_flash_v2_5'],
      ['embedded', null, null],
    ],
  )
  assert.deepEqual(
    before.stt.map((link) => [link.id, link.model]),
    [
      [first.stt, 'nova-3'],
      ['embedded', null],
    ],
    'the default account',
  )
  assert.equal(before.llm[0]?.health.state, 'unused')
  const removed = (await ana.delete(`${providers}/${first.llm}`)).json
  assert.equal(removed.agents, 1)
  const after = await chainOf(ana, id)
  assert.deepEqual(
    after.llm.map((link) => link.id),
    [second, 'embedded'],
  )
  const warning = after.warnings.find(({ code }) => code === 'account_missing')
  assert.deepEqual([warning?.kind, warning?.providerId], ['llm', first.llm])
  assert.equal((await ana.patch(`/api/agents/${id}`, { name: 'Renamed', settings })).status, 200)
})

test('a language without an embedded voice or recogniser, a missing key and a missing model are warnings', async () => {
  const server = await startLlm({})
  atEnd(() => server.stop())
  const { newUser, database } = await startTestApp({ EMBEDDED_VOICE: 'small' })
  const admin = await newUser('root', 'admin')
  const codes = async (id: string) => (await chainOf(admin, id)).warnings.map(({ kind, code }) => `${kind} ${code}`)
  const make = async (more: object) => (await admin.post('/api/agents', { ...anAgent, ...more })).json.id as string
  assert.deepEqual(await codes(await make({ language: 'pt-BR' })), ['llm no_model'])
  assert.deepEqual(await codes(await make({ language: 'de-DE' })), ['llm no_model', 'tts no_embedded_voice'])
  assert.deepEqual(await codes(await make({ language: 'gn-PY' })), [
    'llm no_model',
    'stt no_embedded_recognition',
    'tts no_embedded_voice',
  ])
  const account = { vendor: 'openai', model: 'm', models: ['n'], apiKey: KEY, baseUrl: `${server.url}/v1` }
  const llm = (await admin.post(providers, account)).json.id
  const id = await make({ language: 'pt-BR', llmConfig: { model: 'n' }, settings: { llm: { providerId: llm } } })
  assert.deepEqual(await codes(id), [])
  await admin.patch(`${providers}/${llm}`, { models: ['other'] })
  await database.db.updateTable('providerAccounts').set({ keyFor: 'http://other.example' }).execute()
  assert.deepEqual(await codes(id), ['llm model_missing', 'llm key_missing'])
})

test("another user's chain is a 404", async () => {
  const { ana, bia } = await testApp()
  const { id } = (await ana.post('/api/agents', anAgent)).json
  assertError(await bia.get(`/api/agents/${id}/chain`), 404, /Agent not found/)
})

test('the platform starts with a model file that is missing; its account is read-only and says what is wrong', async () => {
  const { newUser } = await startTestApp({ LLM_MODEL_FILE: '/nowhere/small.gguf' })
  const [admin, member] = [await newUser('root', 'admin'), await newUser('bia', 'member')]
  const id = 'environment-model-file'
  const tested = (await admin.post(`${providers}/${id}/test`)).json
  assert.deepEqual([tested.isOk, tested.model, tested.problem], [false, 'small.gguf', 'failed'])
  assert.match(tested.message, /LLM_MODEL_FILE: the file small\.gguf cannot be read/)
  const [shown] = (await member.get(providers)).json
  const { vendor, name, model, baseUrl, source, isInUse, health } = shown
  assert.deepEqual([shown.id, vendor, name, model], [id, 'model-file', 'small.gguf', 'small.gguf'])
  assert.deepEqual(
    [baseUrl, source, isInUse, health.state, health.reason],
    [null, 'environment', true, 'down', 'unreachable'],
  )
  assert.ok(!JSON.stringify(shown).includes('nowhere'), 'its folder is not shown')
  assertError(await admin.patch(`${providers}/${id}`, { name: 'x' }), 409, /environment/)
  assertError(await member.post(`${providers}/${id}/test`), 403)
  assert.deepEqual((await member.get(`${providers}/${id}/models`)).json, [{ id: 'small.gguf', title: null }])
  const agent = (await member.post('/api/agents', anAgent)).json
  const chain = await chainOf(member, agent.id)
  assert.deepEqual(
    chain.llm.map((link) => [link.id, link.health.state]),
    [
      [id, 'down'],
      ['embedded', 'unused'],
    ],
  )
})
