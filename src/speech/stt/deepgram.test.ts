// First Deepgram's own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DeepgramClient } from '@deepgram/sdk'
import { startDeepgram, words } from '../../../test/vendors/deepgram.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { listen, sttCases, utterance } from '../../../test/vendors/stt-cases.ts'
import { failureOf, until } from '../../../test/vendors/tts-cases.ts'
import type { Audio } from '../../voice/ports.ts'
import { deepgram } from './deepgram.ts'

const server = await startDeepgram()
after(() => server.stop())
const never = new AbortController().signal
const sentence = words.join(' ')

test("Deepgram's own client transcribes live audio with this server", async () => {
  const environment = { base: server.url, production: server.url.replace('http', 'ws'), agent: '', agentRest: '' }
  const client = new DeepgramClient({ apiKey: KEY, environment })
  const socket = await client.listen.v1.connect({
    model: 'nova-3',
    language: 'pt-BR',
    encoding: 'linear16',
    sample_rate: 16_000,
    interim_results: 'true',
    reconnectAttempts: 0,
    Authorization: `Token ${KEY}`,
  } as never)
  const finals: string[] = []
  const types = new Set<string>()
  const over = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (message) => {
      types.add(message.type)
      if (message.type === 'Metadata') resolve()
      if (message.type === 'Results' && message.is_final) finals.push(message.channel.alternatives[0]?.transcript ?? '')
    })
  })
  socket.connect()
  await socket.waitForOpen()
  socket.sendKeepAlive({ type: 'KeepAlive' })
  for await (const { pcm } of utterance(2.5)) socket.sendMedia(pcm.slice().buffer)
  socket.sendFinalize({ type: 'Finalize' })
  socket.sendCloseStream({ type: 'CloseStream' })
  await over
  socket.close()
  assert.equal(finals.filter((text) => text !== '').join(' '), sentence)
  assert.deepEqual([...types], ['Results', 'Metadata'])
})

sttCases({
  title: 'Deepgram',
  server,
  open: (settings) => deepgram({ ...settings, baseUrl: server.url }),
  expected: sentence,
})

test('interim transcripts grow while the caller speaks', async () => {
  const stt = deepgram({ apiKey: KEY, baseUrl: server.url })
  const all = await listen(stt.transcribe(utterance(2.5), { language: 'pt-BR' }, never))
  const texts = all.map((transcript) => transcript.text)
  assert.equal(texts[0], 'bom')
  assert.ok(texts.length > 5)
  for (const text of texts) assert.ok(sentence.startsWith(text), text)
  assert.equal(all.at(-1)?.confidence, 0.9)
})

test('the first interim transcript arrives while audio is still being sent', async () => {
  const stt = deepgram({ apiKey: KEY, baseUrl: server.url })
  let goOn = () => {}
  const heardFirst = new Promise<void>((resolve) => (goOn = resolve))
  async function* waiting(): Audio {
    yield* utterance(0.5)
    await heardFirst // only an interim transcript resolves this
    yield* utterance(2)
  }
  for await (const { text, isFinal } of stt.transcribe(waiting(), { language: 'pt-BR' }, never)) {
    goOn()
    if (isFinal) assert.equal(text, sentence)
  }
})

test('sample rate, language and hints are sent as the protocol expects', async () => {
  server.heal()
  const hints = ['Ramal', 'Zé da Silva']
  await listen(
    deepgram({ apiKey: KEY, baseUrl: server.url }).transcribe(
      utterance(1, 8_000),
      { language: 'pt-BR', hints, names: ['Helena'], words: ['endereço'] },
      never,
    ),
  )
  const query = new URL(server.asked[0]?.url ?? '', server.url).searchParams
  assert.equal(query.get('sample_rate'), '8000')
  assert.equal(query.get('language'), 'pt-BR')
  assert.deepEqual(query.getAll('keyterm'), [...hints, 'Helena'])
  const types = server.frames.flatMap(({ from, text }) => (from === 'client' && text[0] === '{' ? [text] : []))
  assert.deepEqual(types, ['{"type":"Finalize"}', '{"type":"CloseStream"}'])
})

test('no more key terms are sent than Deepgram takes, and the question is not among them', async () => {
  server.heal()
  const hints = Array.from({ length: 500 }, (_, i) => `termo ${i}`.padEnd(9))
  const options = { language: 'pt-BR', hints, prompt: 'Qual é o seu nome?' }
  await listen(deepgram({ apiKey: KEY, baseUrl: server.url }).transcribe(utterance(1, 8_000), options, never))
  const query = new URL(server.asked.at(-1)?.url ?? '', server.url).searchParams
  assert.deepEqual(query.getAll('keyterm'), hints.slice(0, 100))
  assert.doesNotMatch(server.asked.at(-1)?.url ?? '', /nome/)
  const long = { language: 'pt-BR', hints: Array.from({ length: 50 }, () => 'x'.repeat(200)) }
  await listen(deepgram({ apiKey: KEY, baseUrl: server.url }).transcribe(utterance(1, 8_000), long, never))
  assert.equal(new URL(server.asked.at(-1)?.url ?? '', server.url).searchParams.getAll('keyterm').length, 5)
})

test("a caller's pause does not drop the connection", async () => {
  const impatient = await startDeepgram(2000)
  const stt = deepgram({ apiKey: KEY, baseUrl: impatient.url, keepAliveMs: 200 })
  const signs = () => impatient.frames.filter(({ text }) => text.includes('KeepAlive')).length
  async function* pausing(): Audio {
    yield* utterance(1)
    await until(() => signs() >= 12, 'twelve signs of life: longer than the server waits')
    yield* utterance(1.5)
  }
  const all = await listen(stt.transcribe(pausing(), { language: 'pt-BR' }, never))
  assert.equal(all.at(-1)?.text, sentence)
  const forgetful = deepgram({ apiKey: KEY, baseUrl: impatient.url, keepAliveMs: 60_000 })
  async function* stuck(): Audio {
    yield* utterance(1)
    await new Promise(() => {})
  }
  assert.equal((await failureOf(listen(forgetful.transcribe(stuck(), { language: 'pt-BR' }, never)))).status, 502)
  await impatient.stop()
})
