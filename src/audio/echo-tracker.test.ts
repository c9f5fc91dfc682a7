// Our playout that a line returns is told from the caller by the rise and fall of its level.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { robotSpeech, sounds } from '../../test/sounds.ts'
import { SoundAnalyser } from './sound-features.ts'

const RATE = 8000
const FRAME = RATE / 50
let agent: Int16Array
let caller: Int16Array
before(async () => {
  const said =
    'A clínica abre de segunda a sexta, das oito às seis, e no sábado até o meio-dia. O estacionamento fica atrás do prédio, e é gratuito na primeira hora.'
  agent = await robotSpeech(said, 'pt-br', RATE)
  caller = await robotSpeech(
    'Eu queria saber se vocês atendem pelo convênio, e quanto custa sem ele.',
    'pt-br+f3',
    RATE,
  )
})

const scaled = (pcm: Int16Array, db: number) => pcm.map((sample) => sample * 10 ** (db / 20))

type Heard = { atMs: number; isFar: boolean; levelDb: number; nearDb: number | null }

/** What the line carries while the agent speaks: its echo, and the caller from `callerMs` on. */
function heardWhile({
  echoDb,
  delayMs = 170,
  callerMs,
}: {
  echoDb?: number
  delayMs?: number
  callerMs?: number
}): Heard[] {
  const line = (sounds['line noise'] as (typeof sounds)[string])(RATE, agent.length / RATE + 1)
  const add = (pcm: Int16Array, fromMs: number) => {
    for (const [i, sample] of pcm.entries()) line[fromMs * 8 + i] = (line[fromMs * 8 + i] ?? 0) + sample
  }
  if (echoDb !== undefined) add(scaled(agent, echoDb), delayMs)
  if (callerMs !== undefined) add(caller, callerMs)
  const analyser = new SoundAnalyser()
  const heard: Heard[] = []
  for (let at = 0; at + FRAME <= line.length; at += FRAME) {
    const played = at + FRAME <= agent.length ? agent.subarray(at, at + FRAME) : null
    analyser.push(line.subarray(at, at + FRAME), RATE, played)
    const { isFar, levelDb, nearDb } = analyser
    heard.push({ atMs: at / 8, isFar, levelDb, nearDb })
  }
  return heard
}

const audible = (heard: readonly Heard[], fromMs: number, toMs = Number.POSITIVE_INFINITY) =>
  heard.filter(({ atMs, levelDb }) => atMs >= fromMs && atMs < toMs && levelDb > -45)
const shareFar = (heard: readonly Heard[]) => heard.filter(({ isFar }) => isFar).length / heard.length

test('after two seconds an echo is known as one, at any delay and level, and is nobody near', () => {
  for (const [echoDb, delayMs] of [
    [-6, 170],
    [-12, 40],
    [-12, 270],
    [-20, 170],
  ] as const) {
    const heard = heardWhile({ echoDb, delayMs })
    const share = shareFar(audible(heard, 2000))
    assert.ok(share > 0.85, `${echoDb} dB after ${delayMs} ms: ${share}`)
    if (echoDb <= -12) assert.equal(heard.at(-1)?.nearDb, null)
  }
})

test('a caller who speaks over us is no echo', () => {
  assert.equal(shareFar(audible(heardWhile({ callerMs: 500 }), 0)), 0)
})

test('a caller who speaks over their own echo is heard', () => {
  const callerMs = 3000
  const heard = audible(heardWhile({ echoDb: -18, callerMs }), callerMs, callerMs + caller.length / 8)
  const loud = heard.filter(({ levelDb }) => levelDb > -25)
  assert.ok(loud.length > 50, `${loud.length}`)
  assert.ok(shareFar(loud) < 0.1, `${shareFar(loud)}`)
})
