// Streams over real sockets, where a listener can disconnect and a connection can break.
// @run sqlite
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { assertError, startTestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { Speech } from './routes.ts'

const urls = ['/api/tts/provider_b/stream', '/api/tts/provider_c/stream']
const speak = { text: 'Olá', voiceId: '0199a3c4-7c1e-7000-8000-0123456789ab' }

/** An app with a scripted engine, on a real port. */
async function speaking(how: Speech['speak']) {
  const unused = () => Promise.reject(new Error('not asked here'))
  const test = await startTestApp({}, { speech: { voices: unused, token: unused, speak: how } })
  const base = await test.app.listen()
  const post = (url: string, signal?: AbortSignal) =>
    fetch(base + url, {
      method: 'POST',
      headers: { 'x-api-key': test.ana.key, 'content-type': 'application/json' },
      body: JSON.stringify(speak),
      ...(signal ? { signal } : {}),
    })
  return { ...test, base, post }
}

const gate = () => Promise.withResolvers<void>()

test('131, 132 the audio has the type and the bytes that the engine returns', async () => {
  const chunks = [Buffer.from('RIFF\0\xff\x80WAVE', 'latin1'), Buffer.alloc(100_000, 0xfe), Buffer.from([0, 13, 10, 0])]
  for (const type of ['audio/mpeg', 'audio/wav']) {
    async function* audio() {
      yield* chunks
    }
    const { post } = await speaking(async () => ({ type, audio: audio() }))
    for (const url of urls) {
      const answer = await post(url)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), type)
      assert.equal(answer.headers.get('transfer-encoding'), 'chunked')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(Buffer.concat(chunks)))
    }
  }
})

test('131 the first bytes arrive before the synthesis has ended', async () => {
  const heard = gate()
  async function* audio() {
    yield Buffer.from('first')
    await heard.promise
    yield Buffer.from('last')
  }
  const { post } = await speaking(async () => ({ type: 'audio/mpeg', audio: audio() }))
  const answer = await post(urls[0] as string)
  const reader = answer.body?.getReader()
  const first = await reader?.read()
  assert.equal(Buffer.from(first?.value ?? []).toString(), 'first')
  heard.resolve()
  const last = await reader?.read()
  assert.equal(Buffer.from(last?.value ?? []).toString(), 'last')
  assert.equal((await reader?.read())?.done, true)
})

test('131 a listener who disconnects stops the synthesis', async () => {
  for (const url of urls) {
    let signal: AbortSignal | undefined
    let isReturned = false
    async function* audio() {
      try {
        for (;;) {
          yield Buffer.alloc(1000)
          await new Promise((resolve) => setImmediate(resolve))
        }
      } finally {
        isReturned = true
      }
    }
    const { post } = await speaking(async (_provider, _request, given) => {
      signal = given
      return { type: 'audio/wav', audio: audio() }
    })
    const leaving = new AbortController()
    const answer = await post(url, leaving.signal)
    await answer.body?.getReader().read()
    assert.equal(signal?.aborted, false)
    leaving.abort()
    await until('the signal tells that the listener left', () => signal?.aborted)
    await until('the engine was told to stop', () => isReturned)
  }
})

test('131 a listener who disconnects before the first byte stops the synthesis too', async () => {
  let signal: AbortSignal | undefined
  const { post } = await speaking((_provider, _request, given) => {
    signal = given
    return new Promise((_resolve, reject) => {
      given.addEventListener('abort', () => reject(new AppError('upstream', 'stopped')))
    })
  })
  const leaving = new AbortController()
  const asked = post(urls[0] as string, leaving.signal).catch((error: Error) => error.name)
  await until('the engine was asked', () => signal)
  leaving.abort()
  assert.equal(await asked, 'AbortError')
  await until('the signal tells that the listener left', () => signal?.aborted)
})

test('131 a listener who listens to the end stops nothing', async () => {
  let signal: AbortSignal | undefined
  async function* audio() {
    yield Buffer.from('all')
  }
  const { post, logs } = await speaking(async (_provider, _request, given) => {
    signal = given
    return { type: 'audio/wav', audio: audio() }
  })
  assert.equal(await (await post(urls[0] as string)).text(), 'all')
  await until('the request is logged as answered', () => logs().includes('"status":200'))
  assert.equal(signal?.aborted, false)
})

test('134 a failure half-way breaks the connection, and no JSON is appended', async () => {
  async function* audio() {
    yield Buffer.from('RIFF-and-some-audio')
    await new Promise((resolve) => setImmediate(resolve))
    throw new AppError('upstream', 'The provider failed half-way')
  }
  const { post, base, ana } = await speaking(async () => ({ type: 'audio/wav', audio: audio() }))
  for (const url of urls) {
    const answer = await post(url)
    assert.equal(answer.status, 200)
    await assert.rejects(answer.arrayBuffer(), 'the client learns that this is not all')
    const text = await rawAnswer(base, url, ana.key)
    assert.match(text, /^HTTP\/1\.1 200 /)
    assert.match(text, /RIFF-and-some-audio/)
    assert.doesNotMatch(text, /statusCode|half-way/, 'JSON was appended')
    assert.doesNotMatch(text, /\r\n0\r\n\r\n$/, 'the stream ended as if it were whole')
  }
})

test('134 a failure before the first byte is an error in the common shape', async () => {
  // biome-ignore lint/correctness/useYield: it fails before the first chunk
  async function* audio(): AsyncGenerator<Uint8Array> {
    throw new AppError('upstream', 'The provider failed')
  }
  const { post, ana } = await speaking(async () => ({ type: 'audio/wav', audio: audio() }))
  for (const url of urls) {
    assertError(await ana.post(url, speak), 502, 'The provider failed')
    const answer = await post(url)
    assert.equal(answer.status, 502)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(((await answer.json()) as { statusCode: number }).statusCode, 502)
  }
})

test('134 the service goes on after broken streams', async () => {
  async function* audio() {
    yield Buffer.from('x')
    throw new Error('broken')
  }
  const { post, ana } = await speaking(async () => ({ type: 'audio/wav', audio: audio() }))
  const heard = await Promise.allSettled(
    Array.from({ length: 20 }, async () => (await post(urls[0] as string)).arrayBuffer()),
  )
  assert.ok(heard.every((h) => h.status === 'rejected'))
  assert.equal((await ana.get('/api/agents')).status, 200)
})

/** All bytes the server sends until it closes. */
function rawAnswer(base: string, path: string, key: string): Promise<string> {
  const { hostname, port } = new URL(base)
  const body = JSON.stringify(speak)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
    })
    socket.once('error', () => {}) // a reset is one way to break a connection
    socket.once('close', () => resolve(text))
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
}
