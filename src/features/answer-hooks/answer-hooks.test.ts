// The answer hooks API: created, replaced, tested and removed, for numbers and agents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { aNumber, anAgent, assertError, type Client, startTestApp } from '../../../test/app.ts'
import { everyRow } from '../../../test/every-row.ts'
import { openWebServer, sendJson } from '../../../test/web-server.ts'

const app = await startTestApp({ ALLOWED_NETWORKS: '127.0.0.0/8' })
const aUrl = 'https://crm.example.com/answer?token=hidden'
/** The maximum timeout, for tests that expect an answer: the machine may be busy. */
const patient = { timeoutMs: 5000 }

async function owner(name: string) {
  const client = await app.newUser(name)
  const agentId: string = (await client.post('/api/agents', anAgent)).json.id
  const number = aNumber()
  const did = (await client.post('/api/did', { phoneNumber: number, countryCode: '55', agentId })).json
  return { client, agentId, number, hooks: [`/api/did/${did.id}/answer-hook`, `/api/agents/${agentId}/answer-hook`] }
}

const aSheet = async (client: Client, columns: string[], rows: Record<string, unknown>[]) => {
  const { id } = (await client.post('/api/spreadsheets', { name: 'Clientes', columns })).json
  for (const values of rows) assert.equal((await client.post(`/api/spreadsheets/${id}/rows`, { values })).status, 201)
  return id as string
}

test('a hook is created, read, replaced and deleted; its secret is returned once and stored sealed', async () => {
  const { client, hooks } = await owner('resource')
  for (const url of hooks) {
    assertError(await client.get(url), 404, 'Answer hook not found')
    const made = await client.put(url, { kind: 'url', url: aUrl })
    assert.equal(made.status, 200, made.text)
    const { secret, ...hook } = made.json
    assert.match(secret, /^whsec_/)
    assert.deepEqual([hook.kind, hook.url, hook.spreadsheet, hook.timeoutMs], ['url', aUrl, null, 2000])
    assert.deepEqual((await client.get(url)).json, hook)
    assert.ok(!(await everyRow(app.database.db)).includes(secret.slice(6)))
    const changed = await client.put(url, { kind: 'url', url: aUrl, timeoutMs: 900, isActive: false })
    assert.deepEqual([changed.json.id, changed.json.secret], [hook.id, null])
    assert.deepEqual([changed.json.timeoutMs, changed.json.isActive], [900, false])
    const rotated = (await client.post(`${url}/rotate-secret`)).json
    assert.ok(rotated.secret !== secret && rotated.secret.startsWith('whsec_'))
    assert.equal((await client.delete(url)).json.id, hook.id)
    assertError(await client.delete(url), 404, 'Answer hook not found')
  }
})

test('a hook has a version: If-Match of another one is a 412', async () => {
  const { client, hooks } = await owner('versions')
  const url = hooks[0] as string
  const first = await client.put(url, { kind: 'url', url: aUrl })
  assert.equal(first.headers.etag, '"1"')
  const second = await client.put(url, { kind: 'url', url: aUrl }, { 'if-match': '"1"' })
  assert.equal(second.headers.etag, '"2"')
  assert.equal((await client.put(url, { kind: 'url', url: aUrl }, { 'if-match': '"1"' })).status, 412)
  assert.equal((await client.delete(url, { 'if-match': '"1"' })).status, 412)
})

test('of 10 that create a hook at once, all get the same one', async () => {
  const { client, hooks } = await owner('race')
  const all = await Promise.all(
    Array.from({ length: 10 }, () => client.put(hooks[0] as string, { kind: 'url', url: aUrl })),
  )
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
  assert.equal(new Set(all.map(({ json }) => json.id)).size, 1)
  assert.equal(all.filter(({ json }) => json.secret !== null).length, 1)
})

test('wrong settings are a 400 that names the field', async () => {
  const { client, hooks } = await owner('wrong')
  const put = (body: object) => client.put(hooks[0] as string, body)
  assertError(await put({}), 400, /kind is required/)
  assertError(await put({ kind: 'url' }), 400, 'url is required')
  assertError(await put({ kind: 'spreadsheet' }), 400, 'spreadsheet is required')
  for (const timeoutMs of [499, 5001, '2000'])
    assertError(await put({ kind: 'url', url: aUrl, timeoutMs }), 400, /timeoutMs/)
  for (const url of ['ftp://example.com/', 'https://user@example.com/', 'nonsense'])
    assertError(await put({ kind: 'url', url }), 400, /^url must/)
  assertError(await put({ kind: 'url', url: 'http://10.0.0.1/hook' }), 400, /^url: /)
  assertError(await put({ kind: 'url', url: 'https://hook.example:25/' }), 400, /^url: port 25 may not be called/)
  assertError(await put({ kind: 'url', url: aUrl, extra: 1 }), 400, /extra/)
  const spreadsheetId = await aSheet(client, ['Telefone'], [])
  const missing = { spreadsheetId, column: 'Fone' }
  assertError(await put({ kind: 'spreadsheet', spreadsheet: missing }), 400, /Fone/)
  const { client: other } = await owner('other')
  const theirs = { spreadsheetId: await aSheet(other, ['Telefone'], []), column: 'Telefone' }
  assertError(await put({ kind: 'spreadsheet', spreadsheet: theirs }), 404, 'Spreadsheet not found')
})

test('a test sends a signed sample and shows the answer and its time', async (t) => {
  const { client, hooks, number, agentId } = await owner('tests')
  const server = await openWebServer(t, (_, response) =>
    sendJson(response, { variables: { nome: 'Ana' }, language: 'es', agentId, extra: 1 }),
  )
  const { secret } = (await client.put(hooks[0] as string, { kind: 'url', url: `${server.url}/answer`, ...patient }))
    .json
  const { status, json } = await client.post(`${hooks[0]}/test`, { caller: '+5511912345678' })
  assert.equal(status, 200)
  assert.deepEqual(
    [json.status, json.statusCode, json.variables, json.language, json.agentId, json.ignored],
    ['applied', 200, { nome: 'Ana' }, 'es', agentId, ['extra']],
  )
  assert.ok(Number.isInteger(json.ms), `${json.ms}`)
  const [asked] = server.asked
  const sent = new Webhook(secret).verify(asked?.body ?? '', asked?.headers as Record<string, string>)
  assert.deepEqual(sent, json.request)
  const { caller, called, channel, isTest } = json.request
  assert.deepEqual([caller, called, channel, isTest], ['+5511912345678', number, 'phone', true])
})

test('a test says in a sentence what is wrong with an answer', async (t) => {
  const { client, hooks } = await owner('faults')
  const { agentId: foreign } = await owner('foreign')
  const answers: [unknown, string, RegExp][] = [
    ['<html>', 'invalid', /not JSON/],
    [{ agentId: foreign }, 'invalid', /no active agent/],
    [{ refuse: 200 }, 'invalid', /^refuse/],
    [{ transferTo: 'not a number' }, 'invalid', /^transferTo/],
    [{}, 'empty', /^$/],
  ]
  for (const [answer, status, detail] of answers) {
    const server = await openWebServer(t, (_, response) =>
      typeof answer === 'string' ? response.end(answer) : sendJson(response, answer),
    )
    await client.put(hooks[0] as string, { kind: 'url', url: server.url, ...patient })
    const { json } = await client.post(`${hooks[0]}/test`, {})
    assert.deepEqual([json.status, detail.test(json.detail ?? '')], [status, true], JSON.stringify(json))
  }
})

test('the spreadsheet form finds the caller, however the number is written', async () => {
  const { client, hooks, agentId } = await owner('sheet')
  const columns = ['Telefone', 'Nome', 'Agente', 'Idioma', 'Bloqueado']
  const spreadsheetId = await aSheet(client, columns, [
    { Telefone: '(21) 3333-4444', Nome: 'Outra' },
    { Telefone: '(11) 98765-4321', Nome: 'Ana', Agente: agentId, Idioma: 'es' },
    { Telefone: '+34 600 111 222', Nome: 'Luis', Bloqueado: 'sim' },
  ])
  const spreadsheet = {
    spreadsheetId,
    column: 'Telefone',
    agentColumn: 'Agente',
    languageColumn: 'Idioma',
    refuseColumn: 'Bloqueado',
  }
  const put = await client.put(hooks[0] as string, { kind: 'spreadsheet', spreadsheet, ...patient })
  assert.equal(put.status, 200, put.text)
  assert.equal(put.json.secret, null)
  const ask = async (caller: string) => (await client.post(`${hooks[0]}/test`, { caller })).json
  const ana = await ask('+5511987654321')
  assert.deepEqual(
    [ana.status, ana.agentId, ana.language, ana.variables.Nome],
    ['applied', agentId, 'es', 'Ana'],
    JSON.stringify(ana),
  )
  assert.equal((await ask('+34600111222')).refuse, 603)
  const none = await ask('+5511900000000')
  assert.deepEqual([none.status, none.detail], ['empty', 'No row has this number'])
  await client.delete(`/api/spreadsheets/${spreadsheetId}`)
  assert.equal((await ask('+5511987654321')).status, 'failed')
})

test('a key with the scope of numbers or agents cannot set a hook', async () => {
  const { client, hooks } = await owner('scopes')
  const key = await client.withKey({ scopes: ['dids', 'agents'] })
  for (const url of hooks) assertError(await key.put(url, { kind: 'url', url: aUrl }), 403, /full access/)
})
