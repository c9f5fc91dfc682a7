// First Cartesia's own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import type { Cartesia } from '@cartesia/cartesia-js'
import { startCartesia, voices } from '../../../test/vendors/cartesia.ts'
import { bytesOf, KEY, toneOf } from '../../../test/vendors/server.ts'
import { collect, failureOf, ttsCases } from '../../../test/vendors/tts-cases.ts'
import { cartesia } from './cartesia.ts'

const server = await startCartesia()
after(() => server.stop())
const never = new AbortController().signal
const voiceId = voices[0]?.id ?? ''

// The CommonJS build sends headers with the WebSocket; the other build would put the key in the URL.
const official = createRequire(import.meta.url)('@cartesia/cartesia-js') as { default: typeof Cartesia }
const request = {
  model_id: 'sonic-3',
  voice: { id: voiceId },
  language: 'pt',
  output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 },
} as const

test("Cartesia's own client lists this server's voices and gets its speech over HTTP", async () => {
  const client = new official.default({ apiKey: KEY, baseURL: server.url, maxRetries: 0 })
  const names: string[] = []
  for await (const voice of client.voices.list({ limit: 2 })) names.push(voice.name)
  assert.deepEqual(names, ['Luana', 'Blake', 'Sol'])
  const answer = await client.tts.generate({ ...request, transcript: 'Olá, aqui é a Ana.' })
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytesOf(toneOf('Olá, aqui é a Ana.')))
  const nobody = { id: '00000000-0000-4000-8000-000000000000' }
  await assert.rejects(Promise.resolve(client.tts.generate({ ...request, voice: nobody, transcript: 'a' })), {
    status: 404,
  })
  const stranger = new official.default({ apiKey: 'wrong', baseURL: server.url, maxRetries: 0 })
  await assert.rejects(Promise.resolve(stranger.voices.list()), { status: 401 })
})

test("Cartesia's own client gets this server's speech over its WebSocket", async () => {
  const client = new official.default({ apiKey: KEY, baseURL: server.url })
  // The client insists on TLS, so it is given a plain connection to the local server.
  const options = { createConnection: () => connect(server.port, '127.0.0.1') }
  const socket = await client.tts.websocket(options as unknown as Parameters<typeof client.tts.websocket>[0])
  const context = socket.context({ ...request, add_timestamps: true })
  await context.send({ ...request, transcript: 'Bom dia a todos.', add_timestamps: true, continue: false } as never)
  const pieces: Uint8Array[] = []
  const types = new Set<string>()
  for await (const event of context.receive({ timeout: 30_000 })) {
    types.add(event.type)
    if (event.type === 'chunk' && event.audio) pieces.push(event.audio)
  }
  socket.close()
  assert.deepEqual([...types], ['timestamps', 'chunk', 'done'])
  assert.deepEqual(Buffer.concat(pieces), bytesOf(toneOf('Bom dia a todos.')))
})

for (const transport of ['http', 'websocket'] as const)
  ttsCases({
    title: `Cartesia over ${transport}`,
    server,
    open: (settings) => cartesia({ ...settings, baseUrl: server.url, transport }),
    voiceId,
    unknownVoiceId: '00000000-0000-4000-8000-000000000000',
    isHttp: transport === 'http',
  })

test('model, language and speed reach the vendor, with the speed clamped to its range', async () => {
  server.heal()
  const tts = cartesia({ apiKey: KEY, baseUrl: server.url })
  const vendor = { modelId: 'sonic-3.5', generation_config: { volume: 1.2 } }
  await collect(tts.speak('Oi.', { voiceId, language: 'pt-BR', speed: 2, vendor }, never))
  assert.deepEqual(JSON.parse(server.asked[0]?.body ?? ''), {
    transcript: 'Oi.',
    model_id: 'sonic-3.5',
    voice: { id: voiceId },
    language: 'pt',
    output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 24_000 },
    generation_config: { speed: 1.5, volume: 1.2 },
  })
  assert.equal(server.asked[0]?.headers['cartesia-version'], '2026-08-14')
  await tts.close()
})

test('the WebSocket gives each frame the words that start in it', async () => {
  server.heal()
  const tts = cartesia({ apiKey: KEY, baseUrl: server.url, transport: 'websocket' })
  const { frames } = await collect(tts.speak('Bom dia a todos.', { voiceId }, never))
  assert.equal(frames.flatMap((frame) => frame.words ?? []).join(' '), 'Bom dia a todos.')
  assert.equal(frames[0]?.words, 'Bom') // its 1,500 samples end at 62 ms, and the next word starts at 120 ms
  await tts.close()
})

test('voices are read from all pages, with language and gender', async () => {
  const tts = cartesia({ apiKey: KEY, baseUrl: server.url })
  assert.deepEqual(await tts.voices(never), [
    { id: voiceId, name: 'Luana', language: 'pt-BR', gender: 'female', description: 'Warm' },
    { id: voices[1]?.id, name: 'Blake', language: 'en', gender: 'male', description: 'Support' },
    { id: voices[2]?.id, name: 'Sol', language: 'es-MX', gender: null, description: 'Even' },
  ])
  await tts.close()
})

test('any other refusal by the vendor is a 502', async () => {
  for (const transport of ['http', 'websocket'] as const) {
    const tts = cartesia({ apiKey: KEY, baseUrl: server.url, transport })
    const error = await failureOf(collect(tts.speak('Oi.', { voiceId, vendor: { modelId: 'other' } }, never)))
    assert.equal(error.status, 502)
    await tts.close()
  }
})
