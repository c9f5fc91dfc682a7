// The text-to-speech routes with a fake engine.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/answers.ts'
import { assertError, type Client, startTestApp, testApp } from '../../../test/app.ts'
import { AppError } from '../../base/errors/errors.ts'
import { scopeNames } from '../../http/scopes.ts'
import type { SpeakRequest, Speech } from './routes.ts'

const b = '/api/tts/provider_b/stream'
const c = '/api/tts/provider_c/stream'
const uuid = '0199a3c4-7c1e-7000-8000-0123456789ab'
const speakB = { text: 'Olá', voiceId: 'any voice' }
const speakC = { text: 'Olá', voiceId: uuid }

const six: ((client: Client) => Promise<Answer>)[] = [
  (client) => client.get('/api/tts/provider_a/voices'),
  (client) => client.get('/api/tts/provider_b/voices'),
  (client) => client.get('/api/tts/provider_c/voices'),
  (client) => client.get('/api/tts/provider_b/token'),
  (client) => client.post(b, speakB),
  (client) => client.post(c, speakC),
]

/** A fake engine that records its arguments and returns a few bytes. */
function recordingSpeech() {
  const asked: { provider: string; request: SpeakRequest }[] = []
  const speech: Partial<Speech> = {
    voices: async (provider) => [
      { id: `${provider}-1`, name: 'Zé', language: 'pt-BR', gender: null, previewUrl: null },
    ],
    token: async () => ({ token: 'short-lived', expiresAt: '2026-01-01T00:10:00.000Z', url: 'https://x.example/' }),
    speak: async (provider, request) => {
      asked.push({ provider, request })
      return { type: 'audio/wav', audio: bytes('RIFF', 'WAVE') }
    },
  }
  return { asked, speech }
}

async function* bytes(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

test('129, 130, 131, 132 without a speech engine all six routes answer 503 in the error shape', async () => {
  const { ana } = await testApp()
  for (const ask of six) assertError(await ask(ana), 503, 'This server has no speech engine')
})

test('131, 132 text and voiceId are required; text has 1 to 5000 characters', async () => {
  const { ana } = await testApp()
  for (const [url, speak] of [
    [b, speakB],
    [c, speakC],
  ] as const) {
    assertError(await ana.post(url, { voiceId: speak.voiceId }), 400, 'text is required')
    assertError(await ana.post(url, { text: 'x' }), 400, 'voiceId is required')
    assertError(await ana.post(url), 400, /text is required; voiceId is required/)
    for (const text of ['', '  ', null, 5, ['x'], 'x'.repeat(5001)])
      assertError(await ana.post(url, { ...speak, text }), 400, /text/)
    for (const voiceId of ['', null, 5, {}]) assertError(await ana.post(url, { ...speak, voiceId }), 400, /voiceId/)
    for (const text of ['x', 'x'.repeat(5000), '😀'.repeat(5000)])
      assertError(await ana.post(url, { ...speak, text }), 503)
  }
})

test('131 speed is a number from 0.5 to 2.0, both included', async () => {
  const { ana } = await testApp()
  for (const speed of [0.49, 2.01, 0, -1, '1', true, [1], {}])
    assertError(await ana.post(b, { ...speakB, speed }), 400, /speed/)
  for (const speed of [0.5, 1, 1.37, 2, 2.0, null]) assertError(await ana.post(b, { ...speakB, speed }), 503)
})

test('132 voiceId of provider_c is a UUID; modelId and language are optional', async () => {
  const { ana } = await testApp()
  for (const voiceId of ['zé', `${uuid}0`, uuid.replaceAll('-', ''), `{${uuid}}`, `${uuid}\n`])
    assertError(await ana.post(c, { ...speakC, voiceId }), 400, /voiceId/)
  assertError(await ana.post(c, { ...speakC, voiceId: uuid.toUpperCase() }), 503)
  for (const language of ['pt', 'pt-BR', 'en', 'zh-Hans-CN', null])
    assertError(await ana.post(c, { ...speakC, language, modelId: 'm' }), 503)
  for (const language of ['', 'portuguese please', 'p', '12', 5, 'pt_BR'])
    assertError(await ana.post(c, { ...speakC, language }), 400, /language/)
  for (const modelId of [5, {}, 'x'.repeat(256)]) assertError(await ana.post(c, { ...speakC, modelId }), 400, /modelId/)
})

test('129, 130 the voice lists and the token are what the engine returns', async () => {
  const { ana } = await startTestApp({}, recordingSpeech())
  for (const provider of ['provider_a', 'provider_b', 'provider_c']) {
    const { status, json } = await ana.get(`/api/tts/${provider}/voices`)
    assert.equal(status, 200)
    assert.deepEqual(json, [{ id: `${provider}-1`, name: 'Zé', language: 'pt-BR', gender: null, previewUrl: null }])
  }
  const { status, json } = await ana.get('/api/tts/provider_b/token')
  assert.equal(status, 200)
  assert.deepEqual(json, { token: 'short-lived', expiresAt: '2026-01-01T00:10:00.000Z', url: 'https://x.example/' })
})

test('131, 132 the engine gets exactly what was sent, and null counts as absent', async () => {
  const { asked, speech } = recordingSpeech()
  const { ana } = await startTestApp({}, { speech })
  await ana.post(b, { ...speakB, speed: 1.5, unknown: 'x' })
  await ana.post(b, { ...speakB, speed: null })
  await ana.post(c, { ...speakC, modelId: 'm', language: 'pt', speed: 9 })
  assert.deepEqual(asked, [
    { provider: 'provider_b', request: { ...speakB, speed: 1.5 } },
    { provider: 'provider_b', request: speakB },
    { provider: 'provider_c', request: { ...speakC, modelId: 'm', language: 'pt' } },
  ])
})

test("129, 134 an engine's error before any audio is an error in the common shape", async () => {
  const refusals = [
    [new AppError('not_found', 'Voice not found'), 404],
    [new AppError('upstream', 'The provider failed'), 502],
    [new AppError('upstream_timeout', 'The provider took too long'), 504],
    [new Error('a secret detail'), 500],
  ] as const
  for (const [error, status] of refusals) {
    const refuse = () => Promise.reject(error)
    const { ana } = await startTestApp({}, { speech: { voices: refuse, token: refuse, speak: refuse } })
    for (const ask of six) {
      const answer = await ask(ana)
      assertError(answer, status)
      assert.doesNotMatch(answer.text, /secret/)
    }
  }
})

test('133 provider_a has neither a stream nor a token', async () => {
  const { ana } = await testApp()
  assertError(await ana.post('/api/tts/provider_a/stream', speakB), 404)
  assertError(await ana.get('/api/tts/provider_a/token'), 404)
  assertError(await ana.get('/api/tts/provider_c/token'), 404)
  assertError(await ana.get('/api/tts/provider_d/voices'), 404)
})

test('135 the scope tts covers all six routes, and no other scope does', async () => {
  const { ana } = await startTestApp({}, recordingSpeech())
  const allowed = await ana.withKey({ scopes: ['tts'] })
  const others = await ana.withKey({ scopes: scopeNames.filter((scope) => scope !== 'tts') })
  for (const ask of six) {
    assert.equal((await ask(allowed)).status, 200)
    assertError(await ask(others), 403)
  }
})
