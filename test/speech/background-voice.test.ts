// A television in the room: the caller's turns still end, and nothing of the caller is lost. With the real VAD.
// @run rest
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SoundAnalyser } from '../../src/audio/sound-features.ts'
import { openSilero, type SileroVad } from '../../src/speech/vad/silero.ts'
import type { AudioFrame, SpeechChange } from '../../src/voice/ports.ts'
import { UtteranceDetector } from '../../src/voice/utterance-detector.ts'
import { robotSpeech } from '../sounds.ts'

const RATE = 8000
const FRAME = RATE / 50
/** The agent's greeting, with the television already audible; then two turns of the caller and the agent's replies. */
const GREETING_MS = 2500
const PAUSE_MS = 3500

let vad: SileroVad
let caller: Int16Array
let television: Int16Array
before(async () => {
  vad = await openSilero()
  caller = await robotSpeech('Bom dia, eu queria marcar uma consulta para sexta-feira.', 'pt-br', RATE)
  const news =
    'O governo anunciou hoje novas medidas para a economia, e o mercado reagiu bem. No esporte, o time da casa venceu por dois a zero ' +
    'e segue na liderança do campeonato. Amanhã o tempo fica firme em quase todo o país, com chuva à tarde no litoral.'
  television = await robotSpeech(news, 'pt-br+f3', RATE)
})
after(() => vad.close())

/** Level of the frames within 25 dB of the loudest. */
function speechDb(pcm: Int16Array): number {
  const powers = Array.from({ length: Math.floor(pcm.length / FRAME) }, (_, i) =>
    pcm.subarray(i * FRAME, (i + 1) * FRAME).reduce((sum, sample) => sum + sample ** 2 / FRAME, 0),
  )
  const limit = Math.max(...powers) / 316
  const loud = powers.filter((power) => power > limit)
  return 10 * Math.log10(loud.reduce((sum, power) => sum + power, 0) / loud.length / 32_768 ** 2)
}
function atLevel(pcm: Int16Array, db: number): Int16Array {
  const gain = 10 ** ((db - speechDb(pcm)) / 20)
  return pcm.map((sample) => sample * gain)
}

type Scene = { callerDb: number; televisionDb: number | null; isGated?: boolean }

async function heard({ callerDb, televisionDb, isGated = true }: Scene) {
  const said = atLevel(caller, callerDb)
  const saidMs = said.length / 8
  const starts = [GREETING_MS + 500, GREETING_MS + 500 + saidMs + PAUSE_MS].map((ms) => Math.round(ms))
  const line = new Int16Array(Math.round(((starts[1] ?? 0) + saidMs + PAUSE_MS) * 8))
  const background = televisionDb === null ? null : atLevel(television, televisionDb)
  let state = 1
  for (let i = 0; i < line.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    line[i] = (background?.[i % background.length] ?? 0) + (state / 2 ** 31 - 1) * 20
  }
  for (const ms of starts)
    for (let i = 0; i < said.length; i++) line[ms * 8 + i] = (line[ms * 8 + i] ?? 0) + (said[i] ?? 0)
  const changes: SpeechChange[] = []
  const utterances: Int16Array[] = []
  const detector: UtteranceDetector = new UtteranceDetector(vad, {
    onSpeech(change) {
      changes.push(change)
      if (change.isSpeaking) return
      utterances.push(detector.pendingUtterance()?.pcm ?? new Int16Array(0))
      detector.release(detector.nowMs)
    },
    onSpeechPause: () => {},
    onSpeechCandidate: () => {},
  })
  const isPlaying = (ms: number) =>
    ms < GREETING_MS || starts.some((at) => ms > at + saidMs + 1000 && ms < at + saidMs + 3000)
  async function* frames(): AsyncGenerator<AudioFrame> {
    const analyser = new SoundAnalyser()
    const tone = Int16Array.from({ length: FRAME }, (_, i) => 3000 * Math.sin(i))
    for (let at = 0; at + FRAME <= line.length; at += FRAME) {
      const pcm = line.slice(at, at + FRAME)
      analyser.push(pcm, RATE, isPlaying(at / 8) ? tone : null)
      const { levelDb, noiseDb, nearDb, pitchHz, isFar } = analyser
      yield { pcm, rateHz: RATE, sound: { levelDb, noiseDb, nearDb, pitchHz, isFar: isFar && isGated } }
    }
  }
  await detector.listen({ input: frames() })
  const ends = starts.map((ms) => ms + saidMs)
  const isEnded = ends.map((ms) =>
    changes.some(({ isSpeaking, nowMs }) => !isSpeaking && nowMs > ms - 300 && nowMs < ms + 900),
  )
  return { changes, utterances, isEnded, said }
}

test('with a television 15 and 20 dB below the caller, turns end within 900 ms; without the gate they do not', async () => {
  for (const televisionDb of [-35, -40]) {
    assert.deepEqual((await heard({ callerDb: -20, televisionDb })).isEnded, [true, true], `${televisionDb} dB`)
  }
  assert.deepEqual((await heard({ callerDb: -20, televisionDb: -35, isGated: false })).isEnded, [false, false])
})

test('nothing of the caller is cut: the first and last 100 ms of what they said are recognised', async () => {
  const { utterances, said } = await heard({ callerDb: -20, televisionDb: -35 })
  const edges = [
    said.findIndex((sample) => Math.abs(sample) > 400),
    said.findLastIndex((sample) => Math.abs(sample) > 400),
  ] as const
  for (const [from, to] of [
    [edges[0], edges[0] + 800],
    [edges[1] - 800, edges[1]],
  ] as const) {
    const part = said.subarray(from, to)
    const best = utterances.map((pcm) => likeness(pcm, part))
    assert.ok(best.filter((score) => score > 0.6).length >= 2, `${best}`)
  }
})

test('a quiet caller without a television is heard as before', async () => {
  const { isEnded, changes } = await heard({ callerDb: -40, televisionDb: null })
  assert.deepEqual(isEnded, [true, true])
  assert.equal(changes.filter(({ isSpeaking }) => isSpeaking).length >= 2, true)
})

/** The best normalized correlation of the part with any position in the sound. */
function likeness(pcm: Int16Array, part: Int16Array): number {
  const energy = part.reduce((sum, sample) => sum + sample ** 2, 1)
  let best = 0
  for (let at = 0; at + part.length <= pcm.length; at++) {
    let [product, own] = [0, 1]
    for (let i = 0; i < part.length; i += 4) {
      product += 4 * (pcm[at + i] as number) * (part[i] as number)
      own += 4 * (pcm[at + i] as number) ** 2
    }
    best = Math.max(best, product / Math.sqrt(energy * own))
  }
  return best
}
