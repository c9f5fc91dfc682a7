// Provider account servers that send too much, compressed data, or JSON that is slow to parse.
// @run own-process: it measures memory and CPU time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { WebSocketServer } from 'ws'
import { startTestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { openWebServer, type WebHandler } from '../../../test/web-server.ts'

const MB = 1_048_576
const url = '/api/providers'

async function withAdmin(t: TestContext, handle: WebHandler) {
  const { newUser } = await startTestApp()
  const server = await openWebServer(t, handle)
  return { admin: await newUser('root', 'admin'), server }
}

/** Peak memory growth and CPU time of this thread during the work. */
async function costOf<T>(work: () => Promise<T>): Promise<{ value: T; grownMb: number; cpuMs: number }> {
  const before = process.memoryUsage().rss
  const cpu = process.threadCpuUsage()
  let most = before
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  const value = await work()
  clearInterval(look)
  const { user, system } = process.threadCpuUsage(cpu)
  return { value, grownMb: (most - before) / MB, cpuMs: (user + system) / 1000 }
}

/** Writes as fast as it is read, until the reader leaves. */
function pour(response: ServerResponse, piece: Buffer): () => number {
  let written = 0
  const more = () => {
    while (!response.destroyed) {
      written += piece.length
      if (!response.write(piece)) return void response.once('drain', more)
    }
  }
  more()
  return () => written
}

const anthropicReply = [
  { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Sim.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

const slowJson = (bytes: number) => `{"voices":[${'[],{},'.repeat(bytes / 6)}[]]}`

test("a language model's server cannot fill the memory: endless events and errors, packed or not", async (t) => {
  const stream = { 'content-type': 'text/event-stream' }
  const packed = gzipSync(Buffer.concat([Buffer.from('event: message_start\ndata: "'), Buffer.alloc(200 * MB, 'x')]))
  let written = () => 0
  const answers: Record<string, (response: ServerResponse) => unknown> = {
    endless: (response) => (written = pour(response.writeHead(200, stream), Buffer.alloc(65_536, 'x'))),
    unlabeled: (response) => (written = pour(response.writeHead(200), Buffer.alloc(65_536, 'data: x\n'))),
    packed: (response) => response.writeHead(200, { ...stream, 'content-encoding': 'gzip' }).end(packed),
    deep: (response) => response.writeHead(200, stream).end(`event: ping\ndata: ${'['.repeat(500_000)}\n\n`),
    'packed error': (response) =>
      response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
    'endless error': (response) => (written = pour(response.writeHead(429), Buffer.alloc(65_536, '{'))),
    harmless: (response) => response.writeHead(200, stream).end(anthropicReply.join('')),
  }
  const { admin, server } = await withAdmin(t, (asked, response) =>
    answers[decodeURIComponent(asked.url.split('/')[1] ?? '')]?.(response),
  )
  const tried = (way: string) =>
    admin.post(`${url}/draft/test`, {
      vendor: 'anthropic',
      model: 'm',
      apiKey: KEY,
      baseUrl: `${server.url}/${encodeURIComponent(way)}`,
    })
  assert.equal((await tried('harmless')).json.isOk, true)
  for (const way of Object.keys(answers).filter((each) => each !== 'harmless')) {
    written = () => 0
    const { value, grownMb } = await costOf(() => tried(way))
    assert.equal(value.json.isOk, false, `${way}: ${value.text}`)
    assert.ok(grownMb < 80, `${way}: ${grownMb} MB`)
    assert.ok(written() < 16 * MB, `${way}: ${written()} bytes were taken`)
  }
  assert.equal((await tried('endless error')).json.problem, 'limited')
  await until('all connections ended', () => server.open() === 0)
})

test("voices, models and vectors of a provider's server are counted before they are parsed", async (t) => {
  const voices = { voices: [{ voice_id: 'a', name: 'Ana' }], has_more: false }
  const harmless: Record<string, unknown> = {
    '/good/v2/voices': voices,
    '/good/models': { data: [{ id: 'gpt-5' }] },
    '/good/embeddings': { data: [{ index: 0, embedding: [0.1, 0.2] }] },
  }
  const { admin, server } = await withAdmin(t, (asked, response) => {
    const path = asked.url.split('?')[0] ?? ''
    const sent = JSON.stringify(harmless[path]) ?? slowJson(3.9 * MB)
    response.writeHead(200, { 'content-type': 'application/json' }).end(sent)
  })
  const tts = { kind: 'tts', vendor: 'elevenlabs', apiKey: KEY }
  const llm = { vendor: 'openai-compatible', apiKey: KEY }
  const vectors = { kind: 'embeddings', vendor: 'openai', apiKey: KEY }
  const asks = (place: string) => [
    () => admin.post(`${url}/draft/voices`, { ...tts, baseUrl: `${server.url}/${place}` }),
    () => admin.post(`${url}/draft/models`, { ...llm, baseUrl: `${server.url}/${place}` }),
    () => admin.post(`${url}/draft/test`, { ...vectors, baseUrl: `${server.url}/${place}` }),
  ]
  for (const ask of asks('good')) {
    const { status, json, text } = await ask()
    assert.ok(status === 200 && json.isOk !== false, text)
  }
  for (const [i, ask] of asks('bad').entries()) {
    const { value, cpuMs } = await costOf(ask)
    assert.ok(value.status === 502 || value.json.isOk === false, value.text)
    assert.ok(cpuMs < 600, `request ${i}: ${cpuMs} ms of CPU`)
  }
})

test("a recogniser's messages are bounded before they are parsed", async (t) => {
  const { newUser } = await startTestApp()
  const admin = await newUser('root', 'admin')
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  t.after(() => server.close())
  await once(server, 'listening')
  const codes: number[] = []
  let sent = ''
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('close', (code) => codes.push(code))
    socket.once('message', () => socket.send(sent))
  })
  const { port } = server.address() as { port: number }
  const account = { kind: 'stt', vendor: 'deepgram', apiKey: KEY, baseUrl: `http://127.0.0.1:${port}` }
  const tried = () => admin.post(`${url}/draft/test`, account)
  sent = JSON.stringify({
    type: 'Results',
    is_final: true,
    from_finalize: true,
    channel: { alternatives: [{ transcript: 'oi' }] },
  })
  assert.equal((await tried()).json.heard, 'oi')
  for (sent of [slowJson(4 * MB), `{"type":"Results","x":[${'[],'.repeat(20_000)}[]]}`]) {
    const { value, cpuMs } = await costOf(tried)
    assert.equal(value.json.isOk, false, value.text)
    assert.ok(cpuMs < 1000, `${cpuMs} ms of CPU`)
    if (sent.length < 65_536) assert.match(value.json.message, /did not answer with JSON/)
  }
  await until('the connections ended', () => codes.length >= 3)
  assert.ok(codes.includes(1009), `closed with ${codes}`) // RFC 6455: message too big
})
