// First Azure's own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import * as sdk from 'microsoft-cognitiveservices-speech-sdk'
import { readSsml, startAzure } from '../../../test/vendors/azure.ts'
import { bytesOf, KEY, toneOf } from '../../../test/vendors/server.ts'
import { collect, failureOf, ttsCases } from '../../../test/vendors/tts-cases.ts'
import { azure, ssmlOf } from './azure.ts'

const server = await startAzure()
after(() => server.stop())
const never = new AbortController().signal
const voiceId = 'pt-BR-FranciscaNeural'
const host = new URL(`ws://127.0.0.1:${server.port}`)

function speakWith(config: sdk.SpeechConfig, ssml: string): Promise<sdk.SpeechSynthesisResult> {
  config.speechSynthesisOutputFormat = sdk.SpeechSynthesisOutputFormat.Raw24Khz16BitMonoPcm
  const synthesizer = new sdk.SpeechSynthesizer(config, null)
  return new Promise<sdk.SpeechSynthesisResult>((resolve, reject) =>
    synthesizer.speakSsmlAsync(ssml, resolve, (error) => reject(new Error(error))),
  ).finally(() => synthesizer.close())
}

test("Azure's own client lists this server's voices", async () => {
  const config = sdk.SpeechConfig.fromHost(new URL(server.url), KEY)
  const synthesizer = new sdk.SpeechSynthesizer(config, null)
  const result = await synthesizer.getVoicesAsync()
  assert.equal(result.reason, sdk.ResultReason.VoicesListRetrieved)
  assert.deepEqual(
    result.voices.map((voice) => [voice.shortName, voice.locale, voice.gender]),
    [
      [voiceId, 'pt-BR', sdk.SynthesisVoiceGender.Female],
      ['en-US-GuyNeural', 'en-US', sdk.SynthesisVoiceGender.Male],
    ],
  )
  synthesizer.close()
})

test("Azure's own client has this server speak our SSML, with a key and with one of our tokens", async () => {
  const ssml = ssmlOf('Café & pão < R$ 10', { voiceId, speed: 2 })
  const expected = bytesOf(toneOf('Café & pão < R$ 10'))
  const byKey = await speakWith(sdk.SpeechConfig.fromHost(host, KEY), ssml)
  assert.equal(byKey.reason, sdk.ResultReason.SynthesizingAudioCompleted)
  assert.deepEqual(Buffer.from(byKey.audioData), expected.subarray(0, expected.length / 2))

  const tts = azure({ apiKey: KEY, baseUrl: server.url })
  const config = sdk.SpeechConfig.fromHost(host)
  config.authorizationToken = (await tts.token(never)).token
  const byToken = await speakWith(config, ssml)
  assert.equal(byToken.reason, sdk.ResultReason.SynthesizingAudioCompleted)
  await tts.close()
})

ttsCases({
  title: 'Azure',
  server,
  open: (settings) => azure({ ...settings, baseUrl: server.url }),
  voiceId,
  unknownVoiceId: 'pt-BR-NinguemNeural',
  isHttp: true,
})

test('a token is valid for ten minutes, opens the stream by itself and contains no key', async () => {
  const tts = azure({ apiKey: KEY, baseUrl: server.url })
  const asked = Date.now()
  const { token, expiresAt, url } = await tts.token(never)
  assert.ok(!token.includes(KEY))
  assert.ok(Math.abs(Date.parse(expiresAt) - asked - 600_000) < 5_000 + Date.now() - asked)
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/ssml+xml',
      'x-microsoft-outputformat': 'raw-24khz-16bit-mono-pcm',
    },
    body: ssmlOf('Oi.', { voiceId }),
  })
  assert.equal(answer.status, 200)
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytesOf(toneOf('Oi.')))
  await tts.close()
  assert.equal((await failureOf(azure({ apiKey: null, region: 'brazilsouth' }).token(never))).status, 503)
  assert.equal((await failureOf(azure({ apiKey: KEY }).token(never))).status, 503)
  const stranger = azure({ apiKey: 'another', baseUrl: server.url })
  assert.equal((await failureOf(stranger.token(never))).status, 502)
  await stranger.close()
})

test('speed is sent as the prosody rate, and omitted when it is unchanged', async () => {
  const rates = [0.5, 0.75, 1.25, 2].map((speed) => /rate="([^"]+)"/.exec(ssmlOf('a', { voiceId, speed }))?.[1])
  assert.deepEqual(rates, ['-50%', '-25%', '+25%', '+100%'])
  assert.ok(!ssmlOf('a', { voiceId }).includes('prosody'))
  assert.ok(!ssmlOf('a', { voiceId, speed: 1 }).includes('prosody'))
  const tts = azure({ apiKey: KEY, baseUrl: server.url })
  const { pcm } = await collect(tts.speak('Bom dia', { voiceId, speed: 2 }, never))
  assert.equal(pcm.length, toneOf('Bom dia').length / 2)
  await tts.close()
})

test("the language is the requested one, or the voice's own", () => {
  const languageOf = (ssml: string) => /xml:lang="([^"]+)"/.exec(ssml)?.[1]
  assert.equal(languageOf(ssmlOf('a', { voiceId })), 'pt-BR')
  assert.equal(languageOf(ssmlOf('a', { voiceId, language: 'es-MX' })), 'es-MX')
  assert.equal(languageOf(ssmlOf('a', { voiceId: 'sr-Latn-RS-NicholasNeural' })), 'sr-Latn-RS')
})

test('any text is spoken as written and is never treated as markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const read = readSsml(ssmlOf(text, { voiceId }))
      assert.ok(typeof read !== 'string', String(read))
      assert.equal(read.text, text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, ' '))
    }),
  )
  assert.ok(ssmlOf('</voice><audio src="x"/>', { voiceId }).includes('&lt;/voice&gt;'))
})
