// /api/providers: accounts of users and of the platform, their keys, and which of them answers. Vendors are real servers on sockets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, assertError, atEnd, type Client, startTestApp, type TestApp, testApp } from '../../../test/app.ts'
import { startAnthropic } from '../../../test/vendors/anthropic.ts'
import { startLlm } from '../../../test/vendors/llm.ts'
import { KEY } from '../../../test/vendors/server.ts'

const url = '/api/providers'
const said = (word: string) => startLlm({ answer: () => ({ say: word }) })

async function vendor(word: string) {
  const server = await said(word)
  atEnd(() => server.stop())
  return { ...server, account: { vendor: 'openai-compatible', baseUrl: `${server.url}/v1`, model: 'm', apiKey: KEY } }
}

/** The reply of this user's agent in a chat. */
async function answerOf(client: Client): Promise<string> {
  const { id: agentId } = (await client.post('/api/agents', anAgent)).json
  const { id } = (await client.post('/api/conversations/start', { agentId })).json
  const sent = await client.post(`/api/conversations/message/send/${id}?reply=true`, { type: 'user', content: 'Hello' })
  assert.ok(sent.status < 300, sent.text)
  return sent.json.reply?.content ?? sent.text
}

const asText = async ({ database, logs }: TestApp) =>
  JSON.stringify(await database.db.selectFrom('providerAccounts').selectAll().execute()) + logs()

test('a key is stored sealed, shown by its last letters, and is in no response, log or event', async () => {
  const started = await testApp()
  const { newUser } = started
  const admin = await newUser('root', 'admin')
  const { account } = await vendor('yes')
  const made = await admin.post(url, account)
  assert.equal(made.status, 201, made.text)
  const { id, ...rest } = made.json
  assert.deepEqual([rest.hasKey, rest.keyHint, rest.isDefault, rest.isInUse], [true, `…${KEY.slice(-4)}`, true, true])
  const answers = [
    made,
    await admin.get(url),
    await admin.get(`${url}/${id}`),
    await admin.patch(`${url}/${id}`, { name: 'Mine' }),
    await admin.post(`${url}/${id}/test`),
    await admin.get(`${url}/${id}/models`),
    await admin.get('/api/settings'),
    await admin.get('/api/platform'),
    await admin.delete(`${url}/${id}`),
  ]
  for (const { status, text } of answers) {
    assert.ok(status < 300, text)
    assert.ok(!text.includes(KEY), text)
  }
  assert.ok(!(await asText(started)).includes(KEY))
})

test('a key is bound to its origin: another origin drops it, and a vendor that needs one asks for it again', async () => {
  const { newUser, database } = await testApp()
  const admin = await newUser('root', 'admin')
  const [first, second] = [await vendor('first'), await vendor('second')]
  const { id } = (await admin.post(url, first.account)).json
  const sameOrigin = await admin.patch(`${url}/${id}`, { baseUrl: `${first.url}/v1/` })
  assert.equal(sameOrigin.json.hasKey, true)
  const moved = await admin.patch(`${url}/${id}`, { baseUrl: second.account.baseUrl })
  assert.deepEqual([moved.json.hasKey, moved.json.keyHint], [false, null])
  assert.equal((await admin.post(`${url}/${id}/test`)).json.problem, 'key_refused')
  assert.ok(second.asked.length > 0, 'the new server was asked')
  assert.ok(second.asked.every(({ headers }) => headers.authorization === undefined))
  const draft = { vendor: 'openai-compatible', baseUrl: first.account.baseUrl, id }
  assertError(await admin.post(`${url}/draft/models`, draft), 502, /did not accept/)
  const keyed = (await admin.patch(`${url}/${id}`, { apiKey: KEY })).json
  assert.equal(keyed.hasKey, true)
  await database.db
    .updateTable('providerAccounts')
    .set({ baseUrl: first.account.baseUrl })
    .where('id', '=', id)
    .execute()
  assert.equal((await admin.post(`${url}/${id}/test`)).json.problem, 'key_refused', 'a row changed behind the API')

  const openAi = (await admin.post(url, { vendor: 'openai', model: 'm', apiKey: 'sk-a-key-of-sixteen-letters' })).json
  assertError(await admin.patch(`${url}/${openAi.id}`, { baseUrl: first.account.baseUrl }), 400, /send it again/)
  assertError(await admin.patch(`${url}/${openAi.id}`, { apiKey: null }), 400, /apiKey is required/)
  assertError(await admin.post(url, { vendor: 'openai', model: 'm' }), 400, /apiKey is required/)
  assertError(await admin.post(url, { vendor: 'openai-compatible', model: 'm' }), 400, /baseUrl is required/)
})

test("the owner's default answers, else the platform's, else the environment's, else the rules; without a restart", async () => {
  const [mine, shared, set] = [await vendor('mine'), await vendor('shared'), await vendor('environment')]
  const env = { LLM_BASE_URL: set.account.baseUrl, LLM_MODEL: 'e', LLM_API_KEY: KEY, ALLOWED_NETWORKS: '127.0.0.0/8' }
  const { newUser } = await startTestApp(env)
  const [admin, member] = [await newUser('root', 'admin'), await newUser('bia', 'member')]
  const inUse = async (client: Client) =>
    ((await client.get(url)).json as { isInUse: boolean; source: string }[]).find((each) => each.isInUse)?.source
  assert.deepEqual([await answerOf(member), await inUse(member)], ['environment', 'environment'])
  const platform = (await admin.post(url, { ...shared.account, isShared: true, isDefault: false })).json
  assert.deepEqual([await answerOf(member), await inUse(member)], ['shared', 'shared'])
  const own = (await member.post(url, mine.account)).json
  assert.deepEqual([await answerOf(member), await inUse(member)], ['mine', 'own'])
  assert.equal((await member.get('/api/platform')).json.model, 'm')
  const removed = (await member.delete(`${url}/${own.id}`)).json
  assert.equal(removed.next.id, platform.id)
  assert.equal(await answerOf(member), 'shared')
  await admin.patch(`${url}/${platform.id}`, { isShared: false })
  assert.equal(await answerOf(member), 'environment')

  const bare = await startTestApp()
  assert.match(await answerOf(bare.ana), /\w/)
  assert.deepEqual([(await bare.ana.get(url)).json, (await bare.ana.get('/api/platform')).json.model], [[], null])
})

test('one account of a user is the default; the first becomes it', async () => {
  const { ana } = await testApp()
  const at = (n: number) => ({ vendor: 'openai', model: `m${n}`, apiKey: `sk-a-key-of-the-user-${n}` })
  const first = (await ana.post(url, at(1))).json
  const second = (await ana.post(url, at(2))).json
  assert.deepEqual([first.isDefault, second.isDefault], [true, false])
  await ana.patch(`${url}/${second.id}`, { isDefault: true })
  const defaults = ((await ana.get(url)).json as { id: string; isDefault: boolean }[]).filter((each) => each.isDefault)
  assert.deepEqual(
    defaults.map(({ id }) => id),
    [second.id],
  )
  for (let n = 3; n <= 20; n++) assert.equal((await ana.post(url, at(n))).status, 201)
  assertError(await ana.post(url, at(21)), 409, /No more than 20/)
})

test("members see the platform's accounts without address and key, and change none of them", async () => {
  const set = await vendor('environment')
  const env = { LLM_BASE_URL: set.account.baseUrl, LLM_MODEL: 'e', LLM_MODELS: 'f,g', LLM_API_KEY: KEY }
  const { newUser, database } = await startTestApp(env)
  const [admin, member] = [await newUser('root', 'admin'), await newUser('bia', 'member')]
  const { id } = (await admin.post(url, { ...set.account, isShared: true })).json
  for (const account of (await member.get(url)).json)
    assert.deepEqual([account.baseUrl, account.keyHint, account.isDefault], [null, null, false])
  assertError(await member.patch(`${url}/${id}`, { name: 'x' }), 403)
  assertError(await member.delete(`${url}/${id}`), 403)
  assertError(await member.post(`${url}/${id}/test`), 403)
  assertError(await member.post(`${url}/environment/test`), 403)
  for (const client of [admin, member]) {
    assertError(await client.patch(`${url}/environment`, { name: 'x' }), 409, /environment/)
    assertError(await client.delete(`${url}/environment`), 409)
  }
  assertError(await member.post(url, { ...set.account, isShared: true }), 403)
  assertError(await member.get(`${url}/local`), 403)
  const models = (await member.get(`${url}/environment/models`)).json.map((model: { id: string }) => model.id)
  assert.deepEqual(models, ['e', 'f', 'g'])
  assert.equal((await admin.post(`${url}/environment/test`)).json.isOk, true)
  assert.equal((await admin.get(`${url}/environment`)).json.baseUrl, set.account.baseUrl)
  const disabledAt = new Date().toISOString()
  await database.db.updateTable('users').set({ disabledAt }).where('id', '=', admin.userId).execute()
  const left = ((await member.get(url)).json as { id: string }[]).map((account) => account.id)
  assert.deepEqual(left, ['environment'], 'a disabled administrator shares nothing')
})

test("another user's account is a 404 everywhere", async () => {
  const { ana, bia } = await testApp()
  const { id } = (await ana.post(url, { vendor: 'openai', model: 'm', apiKey: 'sk-a-key-of-the-user' })).json
  for (const answer of [
    await bia.get(`${url}/${id}`),
    await bia.patch(`${url}/${id}`, { name: 'x' }),
    await bia.delete(`${url}/${id}`),
    await bia.post(`${url}/${id}/test`),
    await bia.get(`${url}/${id}/models`),
    await bia.post(`${url}/draft/models`, { vendor: 'openai', id }),
    await bia.post(`${url}/draft/test`, { vendor: 'openai', model: 'm', id }),
  ])
    assertError(answer, 404, /Provider not found/)
})

test('private addresses are for administrators, this server and link-local ones for nobody', async () => {
  const { app, newUser } = await startTestApp()
  const at = new URL(await app.listen())
  const [admin, member] = [await newUser('root', 'admin'), await newUser('bia', 'member')]
  const { account } = await vendor('inside')
  const draft = { vendor: account.vendor, apiKey: KEY }
  for (const host of ['127.0.0.1', 'localhost', '10.1.2.3', '[::1]', '169.254.169.254', '192.168.0.9']) {
    const baseUrl = `http://${host}:8000/v1`
    assertError(await member.post(url, { ...account, baseUrl }), 400, /may not reach/)
    assertError(await member.post(`${url}/draft/models`, { ...draft, baseUrl }), 400, /may not reach/)
    assertError(await member.post(`${url}/draft/test`, { ...draft, baseUrl, model: 'm' }), 400, /may not reach/)
  }
  assertError(await member.post(url, { vendor: 'ollama', model: 'm' }), 400, /only an administrator/)
  assert.equal((await admin.post(url, account)).status, 201)
  assert.equal(
    (await admin.post(`${url}/draft/test`, { ...draft, baseUrl: account.baseUrl, model: 'm' })).json.isOk,
    true,
  )
  const own = { ...account, baseUrl: `${at.origin}/v1` }
  assertError(await admin.post(url, own), 400, /is this server/)
  assertError(await admin.post(url, { ...account, baseUrl: 'http://169.254.169.254/v1' }), 400, /may not reach/)
  for (const wrong of [
    'http://user:pw@example.com/v1',
    'ftp://example.com',
    'http://example.com/v1?key=1',
    'http://[/v1',
  ])
    assertError(await admin.post(url, { ...account, baseUrl: wrong }), 400)
})

test('an address that became private, and an owner who is no longer an administrator, are refused when it is used', async () => {
  const { newUser, database } = await startTestApp()
  const admin = await newUser('root', 'admin')
  const { account, asked } = await vendor('inside')
  const { id } = (await admin.post(url, account)).json
  await database.db.updateTable('users').set({ role: 'member' }).where('id', '=', admin.userId).execute()
  const tested = (await admin.post(`${url}/${id}/test`)).json
  assert.equal(tested.problem, 'address_refused')
  assert.match(tested.message, /may not reach/)
  assert.equal(asked.length, 0)
})

test('a redirect is not followed, and the key goes nowhere else', async () => {
  const { newUser } = await testApp()
  const admin = await newUser('root', 'admin')
  const target = await vendor('elsewhere')
  const { createServer } = await import('node:http')
  const server = createServer((_request, response) => response.writeHead(307, { location: target.url }).end())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atEnd(() => void server.close())
  const { port } = server.address() as { port: number }
  const { id } = (await admin.post(url, { ...target.account, baseUrl: `http://127.0.0.1:${port}/v1` })).json
  assert.equal((await admin.post(`${url}/${id}/test`)).json.isOk, false)
  assertError(await admin.get(`${url}/${id}/models`), 502)
  assert.equal(target.asked.length, 0)
})

test("Anthropic's accounts speak its own protocol", async () => {
  const { newUser } = await testApp()
  const admin = await newUser('root', 'admin')
  const claude = await startAnthropic({ answer: () => ({ say: 'Claude here' }) })
  atEnd(() => claude.stop())
  const account = { vendor: 'anthropic', baseUrl: `${claude.url}/v1`, apiKey: KEY, model: 'claude-small' }
  const { id } = (await admin.post(url, account)).json
  assert.equal((await admin.post(`${url}/${id}/test`)).json.isOk, true)
  assert.deepEqual((await admin.get(`${url}/${id}/models`)).json, [{ id: 'claude-small', title: 'Claude Small' }])
  assert.equal(await answerOf(admin), 'Claude here')
})
