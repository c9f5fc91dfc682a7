// First Azure's own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as sdk from 'microsoft-cognitiveservices-speech-sdk'
import { azureSentence, startAzureStt } from '../../../test/vendors/azure-stt.ts'
import { KEY } from '../../../test/vendors/server.ts'
import { listen, liveCases, sttCases, utterance } from '../../../test/vendors/stt-cases.ts'
import { failureOf } from '../../../test/vendors/tts-cases.ts'
import { azureRecognition } from './azure-recognition.ts'

const server = await startAzureStt()
after(() => server.stop())
const never = new AbortController().signal

test("Azure's own client recognises live audio with this server", async () => {
  const config = sdk.SpeechConfig.fromHost(new URL(`ws://127.0.0.1:${server.port}`), KEY)
  config.speechRecognitionLanguage = 'pt-BR'
  const stream = sdk.AudioInputStream.createPushStream(sdk.AudioStreamFormat.getWaveFormatPCM(16_000, 16, 1))
  const recognizer = new sdk.SpeechRecognizer(config, sdk.AudioConfig.fromStreamInput(stream))
  const partials: string[] = []
  const phrases: string[] = []
  recognizer.recognizing = (_, { result }) => void partials.push(result.text)
  recognizer.recognized = (_, { result }) => void phrases.push(result.text)
  const over = new Promise<void>((resolve, reject) => {
    recognizer.sessionStopped = () => resolve()
    recognizer.canceled = (_, event) =>
      event.reason === sdk.CancellationReason.Error ? reject(new Error(event.errorDetails)) : resolve()
  })
  await new Promise<void>((resolve, reject) =>
    recognizer.startContinuousRecognitionAsync(resolve, (error) => reject(new Error(error))),
  )
  for await (const { pcm } of utterance(2.5)) stream.write(pcm.slice().buffer)
  stream.close()
  await over
  assert.equal(phrases.filter((text) => text).join(' '), azureSentence)
  assert.equal(partials[0], 'bom')
  recognizer.close()
})

test("Azure's own client is refused with another key", async () => {
  const config = sdk.SpeechConfig.fromHost(new URL(`ws://127.0.0.1:${server.port}`), 'other')
  const stream = sdk.AudioInputStream.createPushStream()
  const recognizer = new sdk.SpeechRecognizer(config, sdk.AudioConfig.fromStreamInput(stream))
  stream.close()
  const result = await new Promise<sdk.SpeechRecognitionResult>((resolve, reject) =>
    recognizer.recognizeOnceAsync(resolve, (error) => reject(new Error(error))),
  )
  assert.equal(result.reason, sdk.ResultReason.Canceled)
  recognizer.close()
})

const open = (settings: Parameters<typeof azureRecognition>[0]) =>
  azureRecognition({ ...settings, baseUrl: server.url })
sttCases({
  title: 'Azure',
  server,
  open,
  expected: azureSentence,
  expectedByRest: 'Bom dia eu queria marcar uma consulta para amanhã.',
})
liveCases({ title: 'Azure', server, open, expected: azureSentence })

test('language, hints and a custom model are sent as the protocol expects', async () => {
  server.heal()
  const stt = azureRecognition({ apiKey: KEY, baseUrl: server.url, model: 'custom-id' })
  const options = { language: 'pt-BR', hints: ['Ramal'], names: ['Zé da Silva'] }
  const all = await listen(stt.transcribe(utterance(1, 8_000), options, never))
  assert.deepEqual(all.at(-1), { text: 'Bom dia eu queria.', isFinal: true, confidence: 0.9 })
  const query = new URL(server.asked[0]?.url ?? '', server.url).searchParams
  assert.deepEqual([query.get('language'), query.get('cid'), query.get('format')], ['pt-BR', 'custom-id', 'detailed'])
  const context = server.frames.find(({ text }) => text.includes('speech.context'))?.text ?? ''
  assert.match(context, /"Items":\[\{"Text":"Ramal"\},\{"Text":"Zé da Silva"\}\]/)
  await stt.close()
})

test('without words there is no text, and a limit within the session is a limit', async () => {
  server.heal()
  const stt = azureRecognition({ apiKey: KEY, baseUrl: server.url })
  const hear = (seconds: number) => listen(stt.transcribe(utterance(seconds), { language: 'pt-BR' }, never))
  assert.deepEqual(await hear(0.2), [{ text: '', isFinal: true }])
  server.fail('empty')
  assert.match((await failureOf(hear(1))).message, /limits our requests/)
  await stt.close()
})

test('a key without a region or an address is of no use', async () => {
  const stt = azureRecognition({ apiKey: KEY })
  assert.equal((await failureOf(listen(stt.transcribe(utterance(1), { language: 'pt-BR' }, never)))).status, 503)
  await stt.close()
})
