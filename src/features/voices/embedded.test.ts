// The text-to-speech routes with the embedded voice.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, startTestApp, type TestApp } from '../../../test/app.ts'
import { parseWavHeader, pcmOf } from '../../audio/wav.ts'

let started: Promise<TestApp> | undefined
/** Only the small voice, which is ready at once. */
const app = () => {
  started ??= startTestApp({ EMBEDDED_VOICE: 'small' })
  return started
}

async function listen(test: TestApp, url: string, headers: Record<string, string>, body?: object) {
  const response = await test.app.http.inject({
    method: body ? 'POST' : 'GET',
    url,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  })
  assert.equal(response.statusCode, 200, response.body.slice(0, 300))
  const bytes = response.rawPayload
  const format = parseWavHeader(bytes)
  assert.ok(format, 'the answer is no WAV')
  return { type: response.headers['content-type'], format, pcm: pcmOf(bytes.subarray(format.dataAt)), bytes }
}

const seconds = (heard: { pcm: Int16Array; format: { rateHz: number } }) => heard.pcm.length / heard.format.rateHz
const loudest = (pcm: Int16Array) => pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

test('129 each provider lists voices with language, gender and an audible preview', async () => {
  const test = await app()
  for (const provider of ['provider_a', 'provider_b', 'provider_c']) {
    const { status, json: voices } = await test.ana.get(`/api/tts/${provider}/voices`)
    assert.equal(status, 200)
    for (const language of ['pt-BR', 'en-US', 'es-ES'])
      assert.ok(voices.filter((voice: { language: string }) => voice.language === language).length >= 3)
    const [first] = voices
    assert.deepEqual([first.language, first.gender, first.isDefault], ['pt-BR', 'female', true])
    const heard = await listen(test, first.previewUrl, { 'x-api-key': test.ana.key })
    assert.ok(seconds(heard) > 1 && loudest(heard.pcm) > 1000)
  }
  assertError(await test.ana.get('/api/tts/provider_a/preview?voiceId=nobody'), 404)
})

test('131, 132 the streams return 16-bit mono WAV that begins with RIFF and is audible', async () => {
  const test = await app()
  const key = { 'x-api-key': test.ana.key }
  const text = 'Olá, aqui é a Ana. Em que posso ajudar?'
  const b = await listen(test, '/api/tts/provider_b/stream', key, { text, voiceId: 'pf_dora' })
  const [voice] = (await test.ana.get('/api/tts/provider_c/voices')).json
  const c = await listen(test, '/api/tts/provider_c/stream', key, { text, voiceId: voice.id, language: 'pt' })
  for (const heard of [b, c]) {
    assert.equal(heard.type, 'audio/wav')
    assert.equal(heard.bytes.toString('latin1', 0, 4) + heard.bytes.toString('latin1', 8, 12), 'RIFFWAVE')
    const { format, channels, bits } = heard.format
    assert.deepEqual({ format, channels, bits }, { format: 1, channels: 1, bits: 16 })
    assert.ok(seconds(heard) > 1 && seconds(heard) < 8, `${seconds(heard)} s`)
    assert.ok(loudest(heard.pcm) > 1000)
  }
})

test('131 speed changes the duration', async () => {
  const test = await app()
  const say = async (speed: number) => {
    const body = { text: 'Um dois três quatro cinco seis sete oito nove dez.', voiceId: 'pf_dora', speed }
    return seconds(await listen(test, '/api/tts/provider_b/stream', { 'x-api-key': test.ana.key }, body))
  }
  const [slow, usual, fast] = [await say(0.5), await say(1), await say(2)]
  assert.ok(slow > usual * 1.5 && fast < usual * 0.7, `${slow} ${usual} ${fast}`)
})

test('134 an unknown voice is a 404 before any audio', async () => {
  const { ana } = await app()
  assertError(await ana.post('/api/tts/provider_b/stream', { text: 'x', voiceId: 'nobody' }), 404, 'Voice not found')
  const uuid = '00000000-0000-4000-8000-000000000000'
  assertError(await ana.post('/api/tts/provider_c/stream', { text: 'x', voiceId: uuid }), 404, 'Voice not found')
})

test('130 the token opens the stream of provider_b, and nothing else, until its key is revoked', async () => {
  const test = await app()
  const caller = await test.ana.withKey({ scopes: ['tts'] })
  const { status, json } = await caller.get('/api/tts/provider_b/token')
  assert.equal(status, 200)
  assert.ok(!JSON.stringify(json).includes(caller.key), 'the token shows the key')
  const left = Date.parse(json.expiresAt) - Date.now()
  assert.ok(left > 500_000 && left <= 600_000, `${left} ms`)
  assert.equal(json.url, '/api/tts/provider_b/stream')

  const bearer = { authorization: `Bearer ${json.token}` }
  const heard = await listen(test, json.url, bearer, { text: 'Olá.', voiceId: 'pf_dora' })
  assert.ok(seconds(heard) > 0.2)
  const headers = { ...bearer, 'content-type': 'application/json' }
  const payload = JSON.stringify({ text: 'x', voiceId: 'pf_dora' })
  assertError(await test.anonymous({ method: 'GET', url: '/api/tts/provider_b/voices', headers: bearer }), 401)
  assertError(await test.anonymous({ method: 'POST', url: '/api/tts/provider_c/stream', headers, payload }), 401)
  const wrong = { ...headers, authorization: `Bearer ${json.token}x` }
  assertError(await test.anonymous({ method: 'POST', url: json.url, headers: wrong, payload }), 401)

  const [key] = (await test.ana.get('/api/api-keys')).json.filter((k: { scopes: string[] | null }) => k.scopes)
  await test.ana.delete(`/api/api-keys/${key.id}`)
  assertError(await test.anonymous({ method: 'POST', url: json.url, headers, payload }), 401)
})

test('129, 130 with EMBEDDED_VOICE=off and no vendor the routes say that no speech engine is available', async () => {
  const { ana } = await startTestApp({ EMBEDDED_VOICE: 'off' })
  for (const url of ['provider_a/voices', 'provider_b/voices', 'provider_c/voices', 'provider_b/token'])
    assertError(await ana.get(`/api/tts/${url}`), 503)
  assertError(await ana.post('/api/tts/provider_b/stream', { text: 'x', voiceId: 'pf_dora' }), 503)
})

test('130 a provider that maps to a vendor without its key is a 503', async () => {
  const { ana } = await startTestApp({ TTS_PROVIDER_B: 'azure' })
  assertError(await ana.get('/api/tts/provider_b/token'), 503)
  assertError(await ana.get('/api/tts/provider_b/voices'), 503)
})
