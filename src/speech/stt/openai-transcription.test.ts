// First OpenAI's own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import OpenAI, { toFile } from 'openai'
import { heard, partsOf, startOpenAi } from '../../../test/vendors/openai.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { listen, sttCases, utterance } from '../../../test/vendors/stt-cases.ts'
import { failureOf } from '../../../test/vendors/tts-cases.ts'
import type { Audio } from '../../voice/ports.ts'
import { openAiTranscription } from './openai-transcription.ts'

const server = await startOpenAi()
after(() => server.stop())
const never = new AbortController().signal
const baseUrl = `${server.url}/v1`

test("OpenAI's own client transcribes a file with this server", async () => {
  const client = new OpenAI({ apiKey: KEY, baseURL: baseUrl, maxRetries: 0 })
  const file = await toFile(Buffer.from('RIFF and the rest'), 'a.wav')
  const answer = await client.audio.transcriptions.create({ file, model: 'gpt-4o-mini-transcribe', language: 'pt' })
  assert.equal(answer.text, heard)
  const bad = await toFile(Buffer.from('ID3'), 'a.wav')
  await assert.rejects(client.audio.transcriptions.create({ file: bad, model: 'whisper-1' }), { status: 400 })
})

sttCases({
  title: 'OpenAI transcription',
  server,
  open: (settings) => openAiTranscription({ ...settings, ...(settings.apiKey === null ? {} : { baseUrl }) }),
  expected: heard,
})

test('the whole utterance is sent as a WAV file, with its language and hints', async () => {
  server.heal()
  const stt = openAiTranscription({ apiKey: KEY, baseUrl, model: 'whisper-1' })
  await listen(stt.transcribe(utterance(1, 8_000), { language: 'pt-BR', hints: ['Ramal', 'Zé'] }, never))
  const [asked] = server.asked
  const { file = '', ...fields } = partsOf(asked?.body ?? '', asked?.headers['content-type'])
  const prompt = Buffer.from('Ramal, Zé').toString('latin1')
  assert.deepEqual(fields, { model: 'whisper-1', language: 'pt', response_format: 'json', prompt })
  const wav = Buffer.from(file, 'latin1')
  assert.equal(wav.length, 44 + 16_000)
  assert.equal(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16), 'RIFFWAVEfmt ')
  assert.deepEqual([wav.readUInt32LE(4), wav.readUInt32LE(24), wav.readUInt32LE(40)], [16_036, 8_000, 16_000])
  await stt.close()
})

test("the agent's question follows the hints in the prompt, and none is sent without either", async () => {
  server.heal()
  const stt = openAiTranscription({ apiKey: KEY, baseUrl })
  const promptSent = async (options: { hints?: readonly string[]; names?: readonly string[]; prompt?: string }) => {
    await listen(stt.transcribe(utterance(1, 8_000), { language: 'pt-BR', ...options }, never))
    const asked = server.asked.at(-1)
    return partsOf(asked?.body ?? '', asked?.headers['content-type']).prompt
  }
  assert.equal(
    await promptSent({ hints: ['Ramal'], names: ['Ana'], prompt: 'Qual o nome?' }),
    'Ramal, Ana. Qual o nome?',
  )
  assert.equal(await promptSent({ prompt: 'Qual o nome?' }), 'Qual o nome?')
  assert.equal(await promptSent({ prompt: `${'x'.repeat(5000)}?` }), `${'x'.repeat(599)}?`)
  assert.equal(await promptSent({}), undefined)
  await stt.close()
})

test('an utterance that changes its sample rate, or never ends, is refused', async () => {
  const stt = openAiTranscription({ apiKey: KEY, baseUrl })
  async function* twoRates(): Audio {
    yield* utterance(0.1, 8_000)
    yield* utterance(0.1, 16_000)
  }
  async function* endless(): Audio {
    while (true) yield { pcm: new Int16Array(1_000_000), rateHz: 16_000 }
  }
  const hear = (audio: Audio) => listen(stt.transcribe(audio, { language: 'pt-BR' }, never))
  assert.equal((await failureOf(hear(twoRates()))).status, 400)
  assert.equal((await failureOf(hear(endless()))).status, 413)
  await stt.close()
})
