// Speech and embeddings accounts: vendors of each kind, tests, voices, prices, and addresses that members may not
// reach.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { assertError, atEnd, startTestApp, testApp } from '../../../test/app.ts'
import { startAzure } from '../../../test/vendors/azure.ts'
import { startCartesia } from '../../../test/vendors/cartesia.ts'
import { startDeepgram } from '../../../test/vendors/deepgram.ts'
import { startElevenLabs } from '../../../test/vendors/elevenlabs.ts'
import { startEmbeddings } from '../../../test/vendors/embeddings.ts'
import { startOpenAi } from '../../../test/vendors/openai.ts'
import { KEY, type VendorServer } from '../../../test/vendors/server.ts'
import type { Provider } from './schema.ts'

const url = '/api/providers'

async function running(started: Promise<VendorServer>): Promise<VendorServer> {
  const server = await started
  atEnd(() => server.stop())
  return server
}

/** One account of each vendor, on a server that speaks its protocol. */
async function accounts() {
  const openAi = `${(await running(startOpenAi())).url}/v1`
  const at = async (started: Promise<VendorServer>) => (await running(started)).url
  return [
    { kind: 'stt', vendor: 'deepgram', baseUrl: await at(startDeepgram()) },
    { kind: 'stt', vendor: 'openai', baseUrl: openAi },
    { kind: 'stt', vendor: 'openai-compatible', baseUrl: openAi, model: 'whisper' },
    { kind: 'tts', vendor: 'elevenlabs', baseUrl: await at(startElevenLabs()) },
    { kind: 'tts', vendor: 'azure', baseUrl: await at(startAzure()) },
    { kind: 'tts', vendor: 'cartesia', baseUrl: await at(startCartesia()) },
    { kind: 'tts', vendor: 'openai-compatible', baseUrl: `${await at(startOpenAi(true))}/v1`, model: 'tts-1' },
    { kind: 'embeddings', vendor: 'openai', baseUrl: `${await at(startEmbeddings())}/v1` },
  ].map((account) => ({ ...account, apiKey: KEY }))
}

test('an account of every vendor is stored, tested as a draft and as it is stored, and says nothing of its key', async () => {
  const { newUser, logs } = await startTestApp()
  const admin = await newUser('root', 'admin')
  for (const account of await accounts()) {
    const draft = await admin.post(`${url}/draft/test`, account)
    assert.deepEqual([draft.json.isOk, draft.json.message], [true, null], `${account.vendor}: ${draft.text}`)
    const made = await admin.post(url, account)
    assert.equal(made.status, 201, made.text)
    const { id, kind, isDefault, health, prices } = made.json as Provider
    assert.deepEqual([kind, prices], [account.kind, null])
    assert.equal(health.state, 'unused')
    if (kind === 'tts') assert.equal(isDefault, false, 'an agent names its voice')
    const tested = await admin.post(`${url}/${id}/test`)
    assert.deepEqual([tested.json.isOk, tested.json.problem], [true, null], tested.text)
    assert.ok(Number.isInteger(tested.json.firstMs) && tested.json.firstTokenMs === null)
    if (kind === 'stt') assert.match(tested.json.heard, /marcar uma consulta/i)
    for (const { text } of [draft, made, tested]) assert.ok(!text.includes(KEY))
  }
  assert.ok(!logs().includes(KEY))
  const kinds = ((await admin.get(`${url}?kind=stt`)).json as Provider[]).map(({ kind, isDefault }) => [
    kind,
    isDefault,
  ])
  assert.deepEqual(kinds, [
    ['stt', false],
    ['stt', false],
    ['stt', true],
  ])
})

test('a vendor belongs to its kinds, and a model may be omitted where the vendor has one', async () => {
  const { ana } = await testApp()
  assertError(
    await ana.post(url, { kind: 'stt', vendor: 'anthropic', apiKey: 'k' }),
    400,
    /vendor: anthropic has no stt/,
  )
  assertError(await ana.post(`${url}/draft/voices`, { kind: 'tts', vendor: 'deepgram' }), 400, /has no tts/)
  assertError(await ana.post(url, { vendor: 'openai', apiKey: 'k' }), 400, /model is required/)
  assertError(await ana.post(url, { kind: 'tts', vendor: 'azure', apiKey: 'k' }), 400, /baseUrl is required/)
  const { id, model } = (await ana.post(url, { kind: 'stt', vendor: 'deepgram', apiKey: 'k' })).json
  assert.equal(model, 'nova-3')
  const vendors = (await ana.get(`${url}/vendors`)).json as { kind: string; vendor: string }[]
  assert.deepEqual(
    vendors.filter(({ kind }) => kind === 'stt').map(({ vendor }) => vendor),
    ['deepgram', 'openai', 'openai-realtime', 'azure', 'openai-compatible'],
  )
  assertError(await ana.get(`${url}/${id}/voices`), 400, /kind tts/)
  const models = (await ana.get(`${url}/${id}/models`)).json as { id: string }[]
  assert.ok(models.some((each) => each.id === 'nova-3'))
})

test('prices are entered by hand, kept and removed', async () => {
  const { ana } = await testApp()
  const account = { kind: 'stt', vendor: 'deepgram', apiKey: 'k' }
  const prices = { currency: 'USD', perMinute: 0.0043 }
  const { id, prices: stored } = (await ana.post(url, { ...account, prices })).json
  assert.deepEqual(stored, prices)
  const changed = { currency: 'BRL', perMinute: 0.03 }
  assert.deepEqual((await ana.patch(`${url}/${id}`, { prices: changed })).json.prices, changed)
  assert.equal((await ana.patch(`${url}/${id}`, { prices: null })).json.prices, null)
  for (const wrong of [{ currency: 'usd' }, { currency: 'USD', perMinute: -1 }, { currency: 'USD', perHour: 1 }])
    assertError(await ana.post(url, { ...account, prices: wrong }), 400)
})

test("a vendor's voices are listed for a stored account, a draft and the embedded engine", async () => {
  const { newUser } = await startTestApp()
  const admin = await newUser('root', 'admin')
  const { url: baseUrl } = await running(startElevenLabs())
  const account = { kind: 'tts', vendor: 'elevenlabs', baseUrl, apiKey: KEY }
  const { id } = (await admin.post(url, account)).json
  const names = async (path: string) => ((await admin.get(path)).json as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(await names(`${url}/${id}/voices`), ['Rachel', 'Adam', 'Sky'])
  assert.equal((await admin.post(`${url}/draft/voices`, account)).json.length, 3)
  assert.ok((await names(`${url}/embedded/voices`)).includes('Heart'))
  const byVoice = (voiceId: string) => admin.post(`${url}/${id}/test?voiceId=${voiceId}`)
  assert.equal((await byVoice('pNInz6obpgDQGcFmaJgB')).json.isOk, true)
  const unknown = (await byVoice('nobody')).json
  assert.deepEqual([unknown.isOk, unknown.problem], [false, 'voice_unknown'])
})

test('what is wrong is said in one sentence, with the words of the vendor and without the key', async () => {
  const { newUser } = await startTestApp()
  const admin = await newUser('root', 'admin')
  const [deepgram, openAi, voices] = await Promise.all([
    running(startDeepgram()),
    running(startOpenAi()),
    running(startElevenLabs()),
  ])
  const tried = async (account: object) => (await admin.post(`${url}/draft/test`, account)).json
  const ears = { kind: 'stt', vendor: 'deepgram', baseUrl: deepgram.url, apiKey: 'another-key-0815' }
  assert.equal((await tried(ears)).problem, 'key_refused')
  const closed = await closedPort()
  assert.equal((await tried({ ...ears, baseUrl: `http://127.0.0.1:${closed}` })).problem, 'unreachable')

  const voice = { kind: 'tts', vendor: 'elevenlabs', baseUrl: voices.url, apiKey: KEY, model: 'no_such_model' }
  const wrongModel = await tried(voice)
  assert.deepEqual([wrongModel.problem, wrongModel.vendorMessage], ['model_unknown', 'no such model'])
  voices.fail('empty', 9)
  assert.equal((await tried({ ...voice, model: null })).isOk, false)

  const file = { kind: 'stt', vendor: 'openai', baseUrl: `${openAi.url}/v1`, apiKey: KEY }
  openAi.fail('throttled', 1)
  const limited = await tried(file)
  assert.equal(limited.problem, 'limited')
  assert.ok(!JSON.stringify(limited).includes(KEY), JSON.stringify(limited))
  openAi.fail('wrong', 2)
  assert.equal((await tried(file)).problem, 'failed')
})

test('what the environment sets for speech and embeddings appears read-only, and what is inside if asked for', async () => {
  const [eleven, ears, vectors] = [
    await running(startElevenLabs()),
    await running(startDeepgram()),
    await running(startEmbeddings()),
  ]
  const { newUser } = await startTestApp({
    TTS_PROVIDER_A: 'elevenlabs',
    ELEVENLABS_API_KEY: KEY,
    ELEVENLABS_BASE_URL: eleven.url,
    STT_PROVIDER: 'deepgram',
    DEEPGRAM_API_KEY: KEY,
    DEEPGRAM_BASE_URL: ears.url,
    EMBEDDINGS_BASE_URL: `${vectors.url}/v1`,
    EMBEDDINGS_MODEL: 'e',
    EMBEDDINGS_API_KEY: KEY,
  })
  const [admin, member] = [await newUser('root', 'admin'), await newUser('bia', 'member')]
  const ids = ['environment-deepgram-stt', 'environment-elevenlabs-tts', 'environment-openai-compatible-embeddings']
  const seen = (await member.get(url)).json as Provider[]
  assert.deepEqual(
    seen.map(({ id, source, baseUrl }) => [id, source, baseUrl]),
    ids.map((id) => [id, 'environment', null]),
  )
  assert.deepEqual(
    seen.map(({ isInUse }) => isInUse),
    [true, false, true],
  )
  for (const id of ids) {
    const tested = await admin.post(`${url}/${id}/test`)
    assert.equal(tested.json.isOk, true, tested.text)
    assertError(await member.post(`${url}/${id}/test`), 403)
    assertError(await admin.patch(`${url}/${id}`, { name: 'x' }), 409, /environment/)
  }
  assert.equal((await member.get(`${url}/environment-elevenlabs-tts/voices`)).json.length, 3)
  const inside = ((await member.get(`${url}?embedded=true`)).json as Provider[]).slice(3)
  assert.deepEqual(
    inside.map(({ id, kind, source }) => [id, kind, source]),
    [
      ['embedded', 'stt', 'embedded'],
      ['embedded', 'tts', 'embedded'],
    ],
  )
})

test("members' speech and embeddings reach no private address, over HTTP or WebSocket", async () => {
  const { newUser, database } = await startTestApp()
  const [admin, member] = [await newUser('root', 'admin'), await newUser('bia', 'member')]
  for (const account of await accounts()) {
    assertError(await member.post(url, account), 400, /may not reach/)
    assertError(await member.post(`${url}/draft/test`, account), 400, /may not reach/)
    const { model, ...draft } = account as { model?: string }
    if (account.kind === 'tts') assertError(await member.post(`${url}/draft/voices`, draft), 400, /may not reach/)
  }
  // The address was given while the owner was an administrator: every connection is checked again.
  const all = await accounts()
  const stored: string[] = []
  for (const account of all) stored.push((await admin.post(url, account)).json.id)
  await database.db.updateTable('users').set({ role: 'member' }).where('id', '=', admin.userId).execute()
  for (const [i, id] of stored.entries()) {
    const { problem, message } = (await admin.post(`${url}/${id}/test`)).json
    assert.equal(problem, 'address_refused', `${all[i]?.vendor}: ${message}`)
  }
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise<void>((done) => server.close(() => done()))
  return port
}
