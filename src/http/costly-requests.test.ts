// Requests by members and strangers designed to be slow or large: rejected early, at a bounded cost.
// @run own-process, sqlite: it measures CPU time.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { anAgent, assertError, type Client, startTestApp, testApp } from '../../test/app.ts'
import { until } from '../../test/until.ts'

const MB = 1_048_576
const CSV = 'text/csv'

async function cpuMsOf<T>(work: () => Promise<T>): Promise<{ value: T; cpuMs: number }> {
  const before = process.threadCpuUsage()
  const value = await work()
  const { user, system } = process.threadCpuUsage(before)
  return { value, cpuMs: (user + system) / 1000 }
}

async function aCampaign(client: Client): Promise<string> {
  const { id: agentId } = (await client.post('/api/agents', anAgent)).json
  return (await client.post('/api/campaigns', { name: 'Consultas', agentId })).json.id
}

test('a large body of wrong values costs no more than one of right values, and its first error is told; of a small one all are', async () => {
  const { ana } = await testApp()
  const path = `/api/campaigns/${await aCampaign(ana)}/contacts`
  const names = Array.from({ length: 90 }, (_, i) => `c${i}`)
  const rows = (value: unknown) =>
    Array.from({ length: 1000 }, () => Object.fromEntries(names.map((name) => [name, value])))
  const right = await cpuMsOf(() => ana.post(path, { rows: rows('') }))
  const bad = rows([]).slice(0, 200)
  const { value, cpuMs } = await cpuMsOf(() => ana.post(path, { rows: bad }))
  assertError(value, 400, /rows\.0/)
  assert.ok(!value.json.message.includes('c1'), value.text)
  assert.ok(cpuMs < Math.max(500, 2 * right.cpuMs), `${cpuMs} ms of CPU`)
  const wide = { rows: [Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`c${i}`, 'a']))] }
  assertError(await ana.post(path, wide), 400, /more than 100 properties/)
  const small = await ana.post(path, { rows: [{ a: [] }], phoneColumn: 5, nothing: 1 })
  for (const field of ['rows.0.a', 'phoneColumn', 'nothing'])
    assert.ok(small.json.message.includes(field), `${field}: ${small.text}`)
  assert.ok(small.json.message.split(';').length <= 10, small.text)
})

test('JSON of a hundred thousand lists is refused before it is parsed', async () => {
  const { ana } = await testApp()
  const part = `[${'[],'.repeat(500)}[]]`
  const payload = `{"name":[${Array.from({ length: 100 }, () => part).join()}]}`
  const headers = { 'content-type': 'application/json' }
  const refused = await ana.send({ method: 'POST', url: '/api/agents', headers, payload })
  assertError(refused, 400, /too many lists, objects and values/)
  assertError(
    await ana.post('/api/agents', { ...anAgent, name: Array.from({ length: 900 }, () => [[], []]) }),
    400,
    /name/,
  )
})

test("strangers' bodies are small: 16 KB at /auth, 128 KB for an offer", async () => {
  const { anonymous } = await testApp()
  const post = (url: string, bytes: number) => {
    const payload = JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(bytes) })
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x', 'sec-fetch-site': 'same-origin' }
    return anonymous({ method: 'POST', url, headers, payload })
  }
  for (const url of ['/auth/login', '/auth/setup', '/auth/second-factor/code', '/auth/password'])
    assertError(await post(url, 16_384), url.includes('code') ? 404 : 413)
  assertError(await post('/auth/login', 16_384), 413, /16384/)
  assert.notEqual((await post('/auth/login', 8000)).status, 413)
  assertError(await post('/web-calls/webrtc', 131_072), 413, /131072/)
  assert.notEqual((await post('/web-calls/webrtc', 100_000)).status, 413)
})

test('files in flight are bounded for each user and in all, by their length and as they arrive', async (t) => {
  const { app, newUser } = await startTestApp()
  const ana = await newUser('ana')
  const { port } = new URL(await app.listen())
  const sockets: ReturnType<typeof connect>[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  /** Sends the headers of an upload, and nothing of its file until told to. */
  function upload(client: { key: string; path: string }, length: string) {
    const socket = connect(Number(port), '127.0.0.1')
    sockets.push(socket)
    let answer = ''
    socket.on('error', () => {})
    socket.on('data', (piece) => (answer += piece))
    socket.write(
      `POST ${client.path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${client.key}\r\ncontent-type: ${CSV}\r\n${length}\r\n\r\n`,
    )
    return { socket, status: () => Number(answer.slice(9, 12)), answer: () => answer }
  }
  const of = async (client: Awaited<ReturnType<typeof newUser>>) => ({
    key: client.key,
    path: `/api/campaigns/${await aCampaign(client)}/contacts`,
  })
  const mine = await of(ana)
  const length = `content-length: ${40 * MB}`
  const refusedOf = (all: ReturnType<typeof upload>[], status: number) => all.filter((one) => one.status() === status)
  const five = Array.from({ length: 5 }, () => upload(mine, length))
  await until('three of five fit', () => refusedOf(five, 429).length === 2)
  const told = refusedOf(five, 429)[0]?.answer() ?? ''
  assert.ok(/retry-after: 5/i.test(told) && told.includes('uploads_of_user'), told)
  const chunked = upload(mine, 'transfer-encoding: chunked')
  const piece = `${(9 * MB).toString(16)}\r\n${'x'.repeat(9 * MB)}\r\n`
  chunked.socket.write(piece)
  await until('the chunks are refused', () => chunked.status() === 429)
  const others = await Promise.all(['caio', 'davi', 'edu', 'fabi'].map(async (name) => of(await newUser(name))))
  const ten = others.flatMap((one, i) => Array.from({ length: i < 3 ? 3 : 1 }, () => upload(one, length)))
  await until('nine of ten fit', () => refusedOf(ten, 503).length === 1)
  assert.match(refusedOf(ten, 503)[0]?.answer() ?? '', /uploads_busy/)
  const bia = await of(await newUser('bia'))
  const small = upload(bia, 'content-length: 20')
  small.socket.write('telefone\n11987654321\n'.slice(0, 20))
  await until("another user's file", () => small.status() === 202)
  for (const { socket } of [...five, ...ten]) socket.destroy()
  await until('room again', async () => {
    const again = upload(mine, 'transfer-encoding: chunked')
    again.socket.write(`${piece}0\r\n\r\n`)
    await until('an answer', () => again.status() > 0)
    return again.status() !== 429
  })
})

test("a tool's pattern is bounded by its size times the letters of an argument", async () => {
  const { ana, database } = await testApp()
  const parameters = (schema: object) => ({ type: 'object', properties: { a: { type: 'string', ...schema } } })
  const make = (schema: object) =>
    ana.post('/api/tools', {
      name: 'x',
      type: 'custom',
      requestUrl: 'https://x.example',
      parameters: parameters(schema),
    })
  const costly = '[a-z]{0,1000}[a-y]{0,1000}[a-x]{0,1000}[a-w]{0,1000}[0-9]$'
  assertError(await make({ pattern: costly }), 400, /its patterns are too large/)
  assert.equal((await make({ pattern: costly, maxLength: 100 })).status, 201)
  const { json: tool } = await make({ pattern: '[a-z]{0,900}[a-y]{0,900}[0-9]$' })
  const tried = (letters: number) => ana.post(`/api/tools/${tool.id}/test`, { arguments: { a: 'a'.repeat(letters) } })
  const long = await cpuMsOf(() => tried(16_000))
  assert.match(long.value.text, /too long for its pattern/)
  assert.ok(long.cpuMs < 1000, `${long.cpuMs} ms of CPU`)
  assert.match((await tried(200)).text, /must match pattern/)
  // A tool stored before the limit existed is rejected at once with a message.
  const stored = { parameters: JSON.stringify(parameters({ pattern: costly })) }
  await database.db.updateTable('tools').set(stored).where('id', '=', tool.id).execute()
  const old = await cpuMsOf(() => tried(16_000))
  assert.match(old.value.text, /its patterns are too large/)
  assert.ok(old.cpuMs < 1000, `${old.cpuMs} ms of CPU`)
})
