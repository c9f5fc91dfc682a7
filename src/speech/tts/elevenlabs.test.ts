// First ElevenLabs' own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import { spoken, startElevenLabs } from '../../../test/vendors/elevenlabs.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { collect, failureOf, ttsCases } from '../../../test/vendors/tts-cases.ts'
import { elevenLabs } from './elevenlabs.ts'

const server = await startElevenLabs()
after(() => server.stop())
const never = new AbortController().signal
const voiceId = '21m00Tcm4TlvDq8ikWAM'

test("ElevenLabs' own client lists this server's voices and gets its speech", async () => {
  const client = new ElevenLabsClient({ apiKey: KEY, baseUrl: server.url, maxRetries: 0 })
  assert.equal((await client.voices.getAll()).voices.length, 3)
  const found = await client.voices.search({ pageSize: 10 })
  assert.deepEqual([found.hasMore, found.nextPageToken, found.voices[0]?.voiceId], [true, '2', voiceId])
  const stream = await client.textToSpeech.stream(voiceId, {
    text: 'Olá, aqui é a Ana.',
    modelId: 'eleven_flash_v2_5',
    outputFormat: 'pcm_24000',
    voiceSettings: { stability: 0.4, similarityBoost: 0.7, speed: 1.1 },
  })
  const pieces: Uint8Array[] = []
  for await (const piece of stream as unknown as AsyncIterable<Uint8Array>) pieces.push(piece)
  assert.deepEqual(Buffer.concat(pieces), spoken('Olá, aqui é a Ana.'))
  await assert.rejects(client.textToSpeech.stream('nobody', { text: 'a', outputFormat: 'pcm_24000' }), {
    statusCode: 404,
  })
  const stranger = new ElevenLabsClient({ apiKey: 'wrong', baseUrl: server.url, maxRetries: 0 })
  await assert.rejects(stranger.voices.getAll(), { statusCode: 401 })
})

test("WebSocket messages in both directions match the types of ElevenLabs' own client", async () => {
  server.heal()
  const tts = elevenLabs({ apiKey: KEY, baseUrl: server.url, transport: 'websocket' })
  const options = { voiceId, speed: 1.1, vendor: { voice_settings: { stability: 0.4, use_speaker_boost: true } } }
  await collect(tts.speak('Bom dia a todos.', options, never))
  const definition = (name: string) =>
    createRequire(import.meta.url)(`@elevenlabs/elevenlabs-js/serialization/types/${name}.js`)[name] as {
      parse(raw: unknown, options: object): { ok: boolean; errors?: unknown }
    }
  const names = ['InitializeConnection', 'SendText', 'CloseConnection']
  for (const { from, text } of server.frames) {
    const raw = JSON.parse(text)
    const name = from === 'client' ? names.shift() : raw.isFinal ? 'FinalOutput' : 'AudioOutput'
    const result = definition(name ?? 'nothing more was expected').parse(raw, { unrecognizedObjectKeys: 'fail' })
    assert.ok(result.ok, `${name}: ${JSON.stringify(result.errors)}`)
  }
  assert.equal(names.length, 0)
  await tts.close()
})

for (const transport of ['http', 'websocket'] as const)
  ttsCases({
    title: `ElevenLabs over ${transport}`,
    server,
    open: (settings) => elevenLabs({ ...settings, baseUrl: server.url, transport }),
    voiceId,
    unknownVoiceId: 'zzzz0000zzzz0000zzzz',
    isHttp: transport === 'http',
  })

test('model, settings, language and speed reach the vendor, with the speed clamped to its range', async () => {
  server.heal()
  const tts = elevenLabs({ apiKey: KEY, baseUrl: server.url })
  const vendor = { model_id: 'eleven_turbo_v2_5', voice_settings: { stability: 0.3 }, seed: 7 }
  await collect(tts.speak('Oi.', { voiceId, language: 'pt-BR', speed: 2, vendor }, never))
  assert.deepEqual(JSON.parse(server.asked[0]?.body ?? ''), {
    text: 'Oi.',
    model_id: 'eleven_turbo_v2_5',
    language_code: 'pt',
    voice_settings: { stability: 0.3, speed: 1.2 },
    seed: 7,
  })
  await collect(tts.speak('Oi.', { voiceId, language: 'pt-BR', vendor: { model_id: 'eleven_multilingual_v2' } }, never))
  assert.deepEqual(JSON.parse(server.asked[1]?.body ?? ''), { text: 'Oi.', model_id: 'eleven_multilingual_v2' })
  await tts.close()
})

test('the WebSocket gives each frame the words that start in it', async () => {
  server.heal()
  const tts = elevenLabs({ apiKey: KEY, baseUrl: server.url, transport: 'websocket' })
  const { frames } = await collect(tts.speak('Bom dia a todos.', { voiceId }, never))
  assert.equal(frames.flatMap((frame) => frame.words ?? []).join(' '), 'Bom dia a todos.')
  await tts.close()
})

test('voices are read from all pages, with language and gender', async () => {
  const tts = elevenLabs({ apiKey: KEY, baseUrl: server.url })
  assert.deepEqual(await tts.voices(never), [
    { id: voiceId, name: 'Rachel', language: 'pt-BR', gender: 'female', description: 'Calm and clear' },
    { id: 'pNInz6obpgDQGcFmaJgB', name: 'Adam', language: 'en', gender: 'male', description: null },
    { id: 'neutral0000000000001', name: 'Sky', language: 'mul', gender: null, description: null },
  ])
  await tts.close()
})

test('any other refusal by the vendor is a 502', async () => {
  const tts = elevenLabs({ apiKey: KEY, baseUrl: server.url })
  const error = await failureOf(collect(tts.speak('Oi.', { voiceId, vendor: { model_id: 'other' } }, never)))
  assert.equal(error.status, 502)
  await tts.close()
})
