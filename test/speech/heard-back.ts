// Speaks texts with the embedded voices and recognizes them with the embedded recognizer, in a room and by telephone:
// the words that were lost.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { decodeAlaw, encodeAlaw } from '../../src/audio/g711.ts'
import { levelDb } from '../../src/audio/pcm.ts'
import { resample } from '../../src/audio/resample.ts'
import { embeddedVoices } from '../../src/speech/catalog.ts'
import { embeddedVoice } from '../../src/speech/embedded.ts'
import { type KokoroTts, openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { normalize } from '../../src/speech/text/normalize.ts'
import { type EspeakTts, openEspeakTts } from '../../src/speech/tts/espeak.ts'
import { espeakVoice } from '../../src/speech/tts/espeak-voices.ts'
import { openWhisper, type WhisperStt } from '../../src/speech/whisper/whisper.ts'
import { type WordErrors, wordErrorRate, wordErrors } from '../../src/speech/word-errors.ts'
import type { Tts, Voice } from '../../src/voice/ports.ts'
import { allVoices, listen, preparedKokoro, testVoices, wayHere } from '../prepared-kokoro.ts'
import { longestSilenceMs, peakOf } from '../sound-measures.ts'
import { hear, preparedWhisper } from './hearing.ts'
import { sentences } from './sentences.ts'

const never = new AbortController().signal
/** As long as a test may take: the voice may be as slow as the machine. */
const PATIENCE_MS = 600_000

/** The long run with every voice. */
export const hearsAll = process.env.ALL_VOICES === '1'

type Engines = {
  ears: WhisperStt
  espeak: EspeakTts
  /** The whole path of a text, including figures read aloud; fails where the natural voice would not speak. */
  natural: Tts
}

/** Opens the engines before the tests of a file and closes them afterwards. */
export function enginesOfFile(): Engines {
  const engines = {} as Engines
  let kokoro: KokoroTts
  before(async () => {
    const folder = await preparedWhisper()
    const prepared = await preparedKokoro(wayHere, hearsAll ? allVoices : testVoices)
    const ears = openWhisper({ folder, workers: 2, threads: 1 })
    ;[engines.ears, engines.espeak, kokoro] = await Promise.all([ears, openEspeakTts(), openKokoroTts(prepared)])
    const voice = { ...kokoro, hasRoom: () => true, knows: () => false }
    engines.natural = embeddedVoice({
      natural: () => voice,
      small: async () => undefined,
      onDegraded: (reason) => assert.fail(reason),
      patienceMs: PATIENCE_MS,
    })
  })
  after(async () => {
    for (const engine of [engines.ears, engines.espeak, kokoro]) await engine?.close()
  })
  return engines
}

type Clip = { text: string; pcm: Int16Array; rateHz: number }

/** Runs two at a time, one per core. */
async function inPairs<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  const left = [...all.entries()]
  const workOn = async () => {
    for (let next = left.shift(); next; next = left.shift()) done[next[0]] = await work(next[1])
  }
  await Promise.all([workOn(), workOn()])
  return done
}

export const sayAll = (tts: Tts, texts: readonly string[], voiceId: string): Promise<Clip[]> =>
  inPairs(texts, async (text) => ({ text, ...(await listen(tts.speak(text, { voiceId }, never))) }))

/** Speech has 10 to 25 letters a second and is neither faint nor clipped. */
function assertSoundsLikeSpeech({ text, pcm, rateHz }: Clip, language: string): void {
  const letters = normalize(text, language).length
  const seconds = pcm.length / rateHz
  const tells = `${text} (${seconds.toFixed(2)} s, ${levelDb(pcm).toFixed(1)} dB, peak ${peakOf(pcm).toFixed(3)})`
  assert.ok(seconds > letters / 25 && seconds < letters / 10 + 0.5, `duration: ${tells}`)
  assert.ok(levelDb(pcm) > -30 && levelDb(pcm) < -12, `level: ${tells}`)
  assert.ok(peakOf(pcm) < 0.999, `clipping: ${tells}`)
  assert.ok(longestSilenceMs(pcm, rateHz) < 1000, `silence of ${longestSilenceMs(pcm, rateHz)} ms: ${tells}`)
}

/**
 * The recognizer writes half past four as 4:30, 4.30, 4-30 or 430, and places the thousands separator freely (458.2).
 * All of these sound the same, so the reading closest to the spoken text counts.
 */
function errorsOf(said: string, heard: string, language: string): WordErrors {
  const asTimes = heard.replace(/(?<![\d.,])(\d{1,2})[.-]([0-5]\d)(?![\d.,]\d|\d)/g, '$1:$2')
  const asClock = heard.replace(/\b(\d{1,2})([0-5]\d)(?=\s*[ap]\.?m\b)/gi, '$1:$2')
  const withoutDots = language.startsWith('en') ? heard : heard.replace(/(?<=\d)\.(?=\d)/g, '')
  const readings = [heard, asTimes, asClock, withoutDots].map((reading) => wordErrors(said, reading, language))
  return readings.reduce((best, reading) => (reading.errors < best.errors ? reading : best))
}

export const ways = [
  { name: '16 kHz', rateHz: 16_000, carry: (pcm: Int16Array) => pcm },
  { name: 'telephone', rateHz: 8000, carry: (pcm: Int16Array) => decodeAlaw(encodeAlaw(pcm)) },
]
type Log = { diagnostic(message: string): void }

/** Maximum share of wrong words per path; if undefined, the share is only printed. */
export type Most = readonly [room: number | undefined, telephone: number | undefined]

/** Logs the share of wrong words; returns whether it exceeds the limit. */
export function isOver(
  t: Log,
  whose: string,
  results: readonly WordErrors[],
  most: number | undefined,
): string | undefined {
  const rate = wordErrorRate(results)
  const words = results.reduce((sum, result) => sum + result.words, 0)
  const bound = most === undefined ? 'no bound' : `at most ${(most * 100).toFixed(0)} %`
  const says = `${whose}: ${(rate * 100).toFixed(1)} % of ${words} words wrong (${bound})`
  t.diagnostic(says)
  return most !== undefined && rate > most ? says : undefined
}

/** Word errors of all clips together, per path, checked against the limits. */
export async function heldWithin(
  t: Log,
  ears: WhisperStt,
  clips: readonly Clip[],
  { id, language }: Voice,
  most: Most,
): Promise<WordErrors[][]> {
  const missed: (string | undefined)[] = []
  const heardByWay: WordErrors[][] = []
  for (const [i, { name, rateHz, carry }] of ways.entries()) {
    const results = await inPairs(clips, async (clip) => {
      const pcm = carry(resample(clip.pcm, clip.rateHz, rateHz))
      assertSoundsLikeSpeech({ text: clip.text, pcm, rateHz }, language)
      const heard = await hear(ears, { pcm, rateHz }, language)
      const result = errorsOf(clip.text, heard, language)
      if (result.errors > 0) t.diagnostic(`${name}, ${result.errors} wrong: "${clip.text}" was heard as "${heard}"`)
      return result
    })
    heardByWay.push(results)
    missed.push(isOver(t, `${id}, ${name}`, results, most[i]))
  }
  assert.deepEqual(missed.filter(Boolean), [])
  return heardByWay
}

export const textsFor = (language: string): readonly string[] => sentences[language as keyof typeof sentences]

/** espeak-ng's voice for each language and gender, by name. */
export const smallVoices: ReadonlyMap<string, Voice> = new Map(
  embeddedVoices.map((voice) => [espeakVoice(voice.language, voice.gender), voice]),
)
