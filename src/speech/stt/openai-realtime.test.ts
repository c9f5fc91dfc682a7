// First OpenAI's own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { realtimeSentence, startOpenAiRealtime } from '../../../test/vendors/openai-realtime.ts'
import { bytesOf, KEY } from '../../../test/vendors/server.ts'
import { listen, liveCases, sttCases, utterance } from '../../../test/vendors/stt-cases.ts'
import { failureOf } from '../../../test/vendors/tts-cases.ts'
import { createResampler } from '../../audio/resample.ts'
import { openAiRealtime } from './openai-realtime.ts'

const server = await startOpenAiRealtime()
after(() => server.stop())
const never = new AbortController().signal
const baseUrl = `${server.url}/v1`

test("OpenAI's own client transcribes live audio with this server", async () => {
  const client = new OpenAI({ apiKey: KEY, baseURL: baseUrl, maxRetries: 0 })
  // The client insists on wss, so it is given a plain connection to the local server.
  const options = { createConnection: () => connect(server.port, '127.0.0.1') }
  const realtime = new OpenAIRealtimeWS({ intent: 'transcription', options }, client)
  const deltas: string[] = []
  const final = new Promise<string>((resolve, reject) => {
    realtime.on('error', reject)
    realtime.on('conversation.item.input_audio_transcription.delta', ({ delta }) => deltas.push(delta ?? ''))
    realtime.on('conversation.item.input_audio_transcription.completed', ({ transcript }) => resolve(transcript))
  })
  await new Promise((resolve) => realtime.socket.once('open', resolve))
  const format = { type: 'audio/pcm' as const, rate: 24_000 as const }
  const transcription = { model: 'gpt-realtime-whisper', language: 'pt' }
  const input = { format, transcription, turn_detection: null }
  realtime.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
  const resampler = createResampler(16_000, 24_000)
  for await (const { pcm } of utterance(2.5))
    realtime.send({ type: 'input_audio_buffer.append', audio: bytesOf(resampler.push(pcm)).toString('base64') })
  realtime.send({ type: 'input_audio_buffer.commit' })
  assert.equal(await final, realtimeSentence)
  assert.equal(deltas.join(''), realtimeSentence)
  realtime.close()
})

const open = (settings: Parameters<typeof openAiRealtime>[0]) =>
  openAiRealtime({ ...settings, ...(settings.apiKey === null ? {} : { baseUrl }) })
sttCases({ title: 'OpenAI realtime', server, open, expected: realtimeSentence })
liveCases({ title: 'OpenAI realtime', server, open, expected: realtimeSentence })

const sentEvents = () =>
  server.frames.flatMap(({ from, text }) => (from === 'client' ? [JSON.parse(text) as Record<string, never>] : []))

async function sessionSent(
  model: string | undefined,
  rateHz: number,
  options: { hints?: string[]; names?: string[]; prompt?: string },
) {
  server.heal()
  const stt = openAiRealtime({ apiKey: KEY, baseUrl, ...(model ? { model } : {}) })
  const all = await listen(stt.transcribe(utterance(1, rateHz), { language: 'pt-BR', ...options }, never))
  assert.equal(all.at(-1)?.text, 'bom dia eu queria')
  return sentEvents()[0]?.session as unknown
}

test('a telephone is heard in G.711, other audio at 24 kHz; the end of the turn is ours', async () => {
  const transcription = { model: 'gpt-realtime-whisper', language: 'pt' }
  assert.deepEqual(await sessionSent(undefined, 8_000, { hints: ['Ramal'], prompt: 'Qual o nome?' }), {
    type: 'transcription',
    audio: { input: { format: { type: 'audio/pcmu' }, transcription, turn_detection: null } },
  })
  assert.deepEqual(await sessionSent(undefined, 16_000, {}), {
    type: 'transcription',
    audio: { input: { format: { type: 'audio/pcm', rate: 24_000 }, transcription, turn_detection: null } },
  })
  assert.equal(sentEvents().at(-1)?.type, 'input_audio_buffer.commit')
})

test('hints and the question are sent as each model takes them', async () => {
  const asked = { hints: ['Ramal'], names: ['Zé'], prompt: 'Qual o nome?' }
  const prompted = JSON.stringify(await sessionSent('gpt-4o-mini-transcribe', 8_000, asked))
  assert.match(prompted, /"prompt":"Ramal, Zé\. Qual o nome\?"/)
  const keyed = JSON.stringify(await sessionSent('gpt-transcribe', 8_000, asked))
  assert.match(keyed, /"keywords":\["Ramal","Zé"\],"prompt":"Qual o nome\?"/)
})

test('errors in the session are told apart, and none repeats the key', async () => {
  for (const [model, words] of [
    ['none', /no such model/],
    ['limited', /limits our requests/],
    ['failing', /failed half-way/],
  ] as const) {
    server.heal()
    const stt = openAiRealtime({ apiKey: KEY, baseUrl, model })
    const error = await failureOf(listen(stt.transcribe(utterance(1), { language: 'pt-BR' }, never)))
    assert.match(error.message, words)
    assert.ok(!`${error.message} ${(error.cause as Error | undefined)?.message}`.includes(KEY))
  }
  server.fail('empty')
  const stt = openAiRealtime({ apiKey: KEY, baseUrl })
  const failed = await failureOf(listen(stt.transcribe(utterance(1), { language: 'pt-BR' }, never)))
  assert.match(failed.message, /could not recognise/)
})

test('less than a tenth of a second is silence', async () => {
  server.heal()
  const stt = openAiRealtime({ apiKey: KEY, baseUrl })
  assert.deepEqual(await listen(stt.transcribe(utterance(0.04, 8_000), { language: 'pt-BR' }, never)), [
    { text: '', isFinal: true },
  ])
})
