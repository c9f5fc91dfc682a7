// First OpenAI's own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import OpenAI from 'openai'
import { startOpenAi } from '../../../test/vendors/openai.ts'
import { bytesOf, KEY, toneOf } from '../../../test/vendors/server.ts'
import { collect, failureOf, ttsCases } from '../../../test/vendors/tts-cases.ts'
import { openAiSpeech } from './openai-speech.ts'

const server = await startOpenAi()
after(() => server.stop())
const never = new AbortController().signal
const baseUrl = `${server.url}/v1`

test("OpenAI's own client gets this server's speech", async () => {
  const client = new OpenAI({ apiKey: KEY, baseURL: baseUrl, maxRetries: 0 })
  const request = {
    model: 'gpt-4o-mini-tts',
    voice: 'alloy',
    response_format: 'pcm',
    input: 'Olá, aqui é a Ana.',
  } as const
  const answer = await client.audio.speech.create({ ...request, speed: 2 })
  const whole = bytesOf(toneOf(request.input))
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), whole.subarray(0, whole.length / 2))
  await assert.rejects(client.audio.speech.create({ ...request, voice: 'nobody' }), { status: 400 })
  const stranger = new OpenAI({ apiKey: 'wrong', baseURL: baseUrl, maxRetries: 0 })
  await assert.rejects(stranger.audio.speech.create(request), { status: 401 })
})

ttsCases({
  title: 'OpenAI speech',
  server,
  open: (settings) => openAiSpeech({ ...settings, ...(settings.apiKey === null ? {} : { baseUrl }) }),
  voiceId: 'nova',
  unknownVoiceId: 'nobody',
  isHttp: true,
})

test("model, instructions and speed reach the server; other vendors' settings do not", async () => {
  server.heal()
  const tts = openAiSpeech({ apiKey: KEY, baseUrl, model: 'kokoro' })
  const vendor = { instructions: 'calmly', model_id: 'eleven_flash_v2_5', voice_settings: {} }
  await collect(tts.speak('Oi.', { voiceId: 'nova', speed: 1.5, vendor }, never))
  assert.deepEqual(JSON.parse(server.asked[0]?.body ?? ''), {
    model: 'kokoro',
    input: 'Oi.',
    voice: 'nova',
    response_format: 'pcm',
    speed: 1.5,
    instructions: 'calmly',
  })
  assert.equal(
    (await failureOf(collect(tts.speak('Oi.', { voiceId: 'nova', vendor: { model: 'none' } }, never)))).status,
    502,
  )
  await tts.close()
})

test('a self-hosted server needs no key and may list its voices', async () => {
  const local = await startOpenAi(true)
  const tts = openAiSpeech({ apiKey: null, baseUrl: `${local.url}/v1` })
  assert.deepEqual(
    (await tts.voices(never)).map((voice) => voice.id),
    ['alloy', 'nova', 'pf_dora'],
  )
  assert.deepEqual((await collect(tts.speak('Oi.', { voiceId: 'pf_dora' }, never))).pcm, toneOf('Oi.'))
  assert.equal(local.asked[0]?.headers.authorization, undefined)
  await tts.close()
  await local.stop()
})

test('the known voices are offered when the server lists none', async () => {
  const tts = openAiSpeech({ apiKey: KEY, baseUrl })
  assert.ok((await tts.voices(never)).some((voice) => voice.id === 'alloy'))
  await tts.close()
  const own = openAiSpeech({ apiKey: KEY, baseUrl, voices: ['ana'] })
  assert.deepEqual(await own.voices(never), [
    { id: 'ana', name: 'ana', language: 'mul', gender: null, description: null },
  ])
  await own.close()
})
