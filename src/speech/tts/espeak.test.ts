// The fallback voice: three languages, speed without a pitch change, and abort.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listen } from '../../../test/prepared-kokoro.ts'
import { longestSilenceMs, peakOf, pitchHz } from '../../../test/sound-measures.ts'
import { sentences } from '../../../test/speech/sentences.ts'
import { workersOf } from '../../../test/speech/workers.ts'
import { levelDb } from '../../audio/pcm.ts'
import { AppError } from '../../base/errors/errors.ts'
import { leastSoundMs } from '../delivery.ts'
import { type EspeakTts, openEspeakTts } from './espeak.ts'

let espeak: EspeakTts
before(async () => {
  espeak = await openEspeakTts()
})
after(() => espeak.close())

const never = new AbortController().signal
const say = (text: string, voiceId: string, speed = 1) => listen(espeak.speak(text, { voiceId, speed }, never))
const texts: [string, string][] = [
  ['pf_dora', 'Sua consulta ficou marcada para terça-feira de manhã.'],
  ['am_michael', 'Your appointment is on Tuesday morning at the clinic.'],
  ['ef_dora', 'Su cita quedó marcada para el martes por la mañana.'],
]

test('in each language a sentence has the duration, level and pauses of speech, without clipping', async () => {
  for (const [voiceId, text] of texts) {
    const { pcm, rateHz } = await say(text, voiceId)
    const seconds = pcm.length / rateHz
    assert.equal(rateHz, 22_050)
    assert.ok(seconds > text.length * 0.04 && seconds < text.length * 0.11, `${seconds} s`)
    assert.ok(levelDb(pcm) > -30 && levelDb(pcm) < -10, `${levelDb(pcm)} dB`)
    assert.ok(peakOf(pcm) < 0.999)
    assert.ok(longestSilenceMs(pcm, rateHz) < 400)
  }
})

test('a female voice is higher than a male voice', async () => {
  const [woman, man] = await Promise.all([
    say('Boa tarde, tudo bem?', 'pf_dora'),
    say('Boa tarde, tudo bem?', 'pm_alex'),
  ])
  assert.ok(pitchHz(woman.pcm, woman.rateHz) > 1.2 * pitchHz(man.pcm, man.rateHz))
})

test('speed changes duration and not pitch (resampling alone would double it)', async () => {
  const text = 'O nosso endereço fica na Avenida Paulista, no segundo andar.'
  const normal = await say(text, 'pm_alex')
  for (const [speed, least, most] of [
    [0.5, 1.7, 2.3],
    [2, 0.4, 0.6],
  ] as const) {
    const { pcm, rateHz } = await say(text, 'pm_alex', speed)
    const ratio = pcm.length / normal.pcm.length
    assert.ok(ratio > least && ratio < most, `speed ${speed}: ${ratio} as long`)
    const pitch = pitchHz(pcm, rateHz) / pitchHz(normal.pcm, normal.rateHz)
    assert.ok(Math.abs(pitch - 1) < 0.2, `speed ${speed}: pitch ${pitch}`)
  }
})

test('an abort ends the stream at once, and the next text is spoken', async () => {
  const stop = new AbortController()
  const long = Array(40).fill('Esta frase se repete muitas vezes sem nenhuma pressa.').join(' ')
  let frames = 0
  for await (const _ of espeak.speak(long, { voiceId: 'pf_dora' }, stop.signal)) {
    if (++frames === 3) stop.abort()
  }
  assert.equal(frames, 3)
  assert.ok((await say('Pronto.', 'pf_dora')).pcm.length > 5000)
})

test('an abort before the first word yields nothing', async () => {
  const { pcm } = await listen(espeak.speak('Olá.', { voiceId: 'pf_dora' }, AbortSignal.abort()))
  assert.equal(pcm.length, 0)
})

test('streams are interleaved sentence by sentence, and each gets all of its own audio', async () => {
  const text = 'Bom dia. Tudo bem? Até logo.'
  const alone = await say(text, 'pf_dora')
  const together = await Promise.all([say(text, 'pf_dora'), say(text, 'pf_dora'), say(text, 'pf_dora')])
  for (const { pcm } of together) assert.ok(Math.abs(pcm.length - alone.pcm.length) < 0.05 * alone.pcm.length)
})

test('requests beyond the queue limit are refused', async () => {
  const stop = new AbortController()
  const many = Array.from({ length: 80 }, () =>
    listen(espeak.speak('Um texto qualquer.', { voiceId: 'pf_dora' }, stop.signal)),
  )
  const outcomes = Promise.allSettled(many)
  const refused = await Promise.any(
    many.map((one) =>
      one.then(
        () => Promise.reject(),
        (error: unknown) => error,
      ),
    ),
  )
  stop.abort()
  await outcomes
  assert.ok(refused instanceof AppError && refused.kind === 'unavailable')
})

test('a thread that dies is replaced, and the next sentence is spoken', async () => {
  const { opened, workers } = await workersOf(openEspeakTts)
  await workers[0]?.terminate()
  const { pcm } = await listen(opened.speak('Ainda estou aqui.', { voiceId: 'pf_dora' }, never))
  assert.ok(pcm.length > 5000)
  await opened.close()
})

test('the quickest healthy speech, without the silence around it, is far more than a voice must deliver', async () => {
  const short = {
    pf_dora: ['Ok.', 'Sim!', 'É.', '7', 'Até.'],
    am_michael: ['Ok.', 'A', '12', 'though', 'Queue', 'Thoroughly thought through.'],
    ef_dora: ['Sí.', 'Y', '3'],
  }
  const ofVoice = { pf_dora: sentences['pt-BR'], am_michael: sentences['en-US'], ef_dora: sentences['es-ES'] }
  for (const voiceId of ['pf_dora', 'am_michael', 'ef_dora'] as const)
    for (const text of [...short[voiceId], ...ofVoice[voiceId]]) {
      const { pcm, rateHz } = await say(text, voiceId, 2)
      const isSound = (sample: number) => Math.abs(sample) > 0.01
      const soundMs = ((pcm.findLastIndex(isSound) - pcm.findIndex(isSound)) * 1000) / rateHz
      // leastSoundMs does not know the speed, because a vendor's own setting may be unknown.
      assert.ok(soundMs > 1.4 * leastSoundMs(text), `${soundMs} ms of ${leastSoundMs(text)}: ${text}`)
    }
})
