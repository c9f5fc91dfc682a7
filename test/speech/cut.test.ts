// How exact the cut of an interrupted reply is: compares the kept text with what the recognizer hears of the audio up
// to the cut, for a voice with word timings and for the same voice without them.
// @run rest
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinPcm } from '../../src/audio/pcm.ts'
import { resample } from '../../src/audio/resample.ts'
import { type KokoroTts, openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { openWhisper, type WhisperStt } from '../../src/speech/whisper/whisper.ts'
import {
  addWordTimings,
  msPerLetterOf,
  newSegment,
  type PlayoutSegment,
  splitHeard,
} from '../../src/voice/playout/heard-text.ts'
import { preparedKokoro } from '../prepared-kokoro.ts'
import { median } from './call-sounds.ts'
import { hear, preparedWhisper } from './hearing.ts'
import { wordsHeardOf } from './words-heard.ts'

const never = new AbortController().signal
const LANGUAGE = 'pt-BR'
/** Without figures: those are written differently than they are spoken, so words could not be counted. */
const texts = [
  'A consulta de amanhã foi confirmada, e o médico pede que o senhor chegue meia hora antes para preencher a ficha.',
  'Quem mora longe pode fazer a primeira conversa por telefone, e só depois marcar uma visita à clínica.',
]
/** How far the leg's audio is buffered ahead of playout. */
const AHEAD_MS = 1000
let kokoro: KokoroTts
let ears: WhisperStt
type Said = { text: string; frames: { ms: number; words?: string }[]; pcm: Int16Array }
const said: Said[] = []

before(async () => {
  const folder = await preparedWhisper()
  ;[ears, kokoro] = await Promise.all([
    openWhisper({ folder, workers: 1, threads: 2 }),
    preparedKokoro().then(openKokoroTts),
  ])
  for (const text of texts) {
    const made: Said = { text, frames: [], pcm: new Int16Array() }
    const parts: Int16Array[] = []
    for await (const { pcm, rateHz, words } of kokoro.speak(text, { voiceId: 'pf_dora', language: LANGUAGE }, never)) {
      made.frames.push({ ms: (pcm.length / rateHz) * 1000, ...(words ? { words } : {}) })
      parts.push(resample(pcm, rateHz, 16_000))
    }
    said.push({ ...made, pcm: joinPcm(parts) })
  }
})
after(async () => {
  await ears?.close()
  await kokoro?.close()
})

/** The sentence at the point where this much of it was heard. */
function segmentAt(
  { text, frames: all }: Said,
  playedMs: number,
  hasTimings: boolean,
  msPerLetter?: number,
): PlayoutSegment {
  const segment = newSegment(text, false, msPerLetter)
  for (const { ms, words } of all) {
    if (segment.synthesizedMs >= playedMs + AHEAD_MS) return segment
    if (words && hasTimings) addWordTimings(segment, words)
    segment.synthesizedMs += ms
  }
  segment.isSynthesized = true
  return segment
}

const keptOf = (one: Said, playedMs: number, hasTimings: boolean, msPerLetter?: number) =>
  splitHeard(segmentAt(one, playedMs, hasTimings, msPerLetter), playedMs).heard
const lengthOf = (one: Said) => (one.pcm.length / 16_000) * 1000
const count = (text: string) => text.split(' ').filter(Boolean).length
const sizes = (errors: readonly number[]) => errors.map(Math.abs).toSorted((a, b) => a - b)
const tells = (errors: readonly number[]) => {
  const all = sizes(errors)
  return `median ${median(all)}, 95 % within ${all[Math.floor(all.length * 0.95)]}, at most ${all.at(-1)} words of ${all.length} cuts`
}

test('with word timings, the stored text matches the audio up to the interruption within two words', async (t) => {
  const errors: number[] = []
  for (const one of said)
    for (let playedMs = 900; playedMs < lengthOf(one) - 300; playedMs += 1100) {
      const sound = one.pcm.subarray(0, playedMs * 16)
      const text = await hear(ears, { pcm: sound, rateHz: 16_000 }, LANGUAGE)
      const kept = keptOf(one, playedMs, true)
      const error = count(kept) - wordsHeardOf(one.text, text, LANGUAGE)
      errors.push(error)
      if (error !== 0) t.diagnostic(`${playedMs} ms, ${error}: kept "${kept}", heard "${text}"`)
    }
  t.diagnostic(tells(errors))
  assert.ok(median(sizes(errors)) <= 1, errors.join(', '))
  assert.ok(Math.max(...sizes(errors)) <= 2, errors.join(', '))
})

test("without word timings it is within three words, once the voice's speaking rate is known", (t) => {
  const [first, second] = said as [Said, Said]
  const pace = { letters: first.text.length, ms: lengthOf(first) }
  for (const [what, msPerLetter, most] of [
    ['of a voice that was heard before', msPerLetterOf(pace), 3],
    ['of one that was not', undefined, 4],
  ] as const) {
    const errors: number[] = []
    for (let playedMs = 200; playedMs < lengthOf(second); playedMs += 50)
      errors.push(count(keptOf(second, playedMs, false, msPerLetter)) - count(keptOf(second, playedMs, true)))
    t.diagnostic(`${what}: ${tells(errors)}`)
    assert.ok(Math.max(...sizes(errors)) <= most, errors.join(', '))
  }
})
