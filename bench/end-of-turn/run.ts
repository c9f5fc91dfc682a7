// End of turn over our own pauses: turns that were written for this, spoken by voices of the talk benchmark and cut where callers pause.
// VAD, recognition, prosody and endpointing are those of a call, with the audio that is there when a pause begins.
//
// npm run bench:end-of-turn -- [--turns N] [--decisions FILE]
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openSilero } from '../../src/speech/vad/silero.ts'
import type { WhisperStt } from '../../src/speech/whisper/whisper.ts'
import { SpeechTracker } from '../../src/voice/listening/speech-tracker.ts'
import type { FinalProsody, Vad } from '../../src/voice/ports.ts'
import { endpointingPause, initialRhythm } from '../../src/voice/turn/endpointing.ts'
import { expectationOf } from '../../src/voice/turn/expectation.ts'
import { defaultTurnRules } from '../../src/voice/turn/rules.ts'
import type { Figure } from '../report/figures.ts'
import { benchmark, commonOptions, note, type Report } from '../report/report.ts'
import { openEars } from '../speech/ears.ts'
import type { Language } from '../talk/dialogue.ts'
import { lineNoise, seeded } from '../talk/noises.ts'
import { clip, FRAME, FRAME_MS, LINE_HZ, type Utterance } from '../talk/utterance.ts'
import { openVoices, type Voice, voices } from '../talk/voices.ts'
import { type PausedTurn, turns, turnVoices } from './paused-turns.ts'
import { cutOffAt, type Decision, type Point, silenceOnly, sweep, waitAt } from './sweep.ts'

const { values } = parseArgs({
  options: { ...commonOptions, turns: { type: 'string' }, decisions: { type: 'string' } },
})

/** As in eot-bench: pauses from 100 ms on; in Portuguese 58 % of them last 300 ms, 18 % 600 and 4 % a second. */
const SHORTEST_MS = 100
const MEDIAN_MS = 340
const SPREAD = 0.617
const END_MS = 1500
/** What the recognizer hears of a pause. */
const TAIL_MS = 64
const never = new AbortController().signal

function pauseOf(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.max(SHORTEST_MS, Math.round((MEDIAN_MS * Math.exp(SPREAD * normal)) / FRAME_MS) * FRAME_MS)
}

/** `endsMs`: of the sound of each part. */
function lineOf(parts: readonly Utterance[], pausesMs: readonly number[]): { pcm: Int16Array; endsMs: number[] } {
  const noise = lineNoise()
  const pieces: Int16Array[] = []
  const endsMs: number[] = []
  let atMs = 0
  for (const [i, { pcm, lastMs }] of parts.entries()) {
    const spoken = pcm.subarray(0, (lastMs / FRAME_MS) * FRAME)
    const silence = new Int16Array(((pausesMs[i] ?? END_MS) / FRAME_MS) * FRAME)
    pieces.push(spoken, silence)
    endsMs.push(atMs + lastMs)
    atMs += ((spoken.length + silence.length) / FRAME) * FRAME_MS
  }
  const pcm = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    pcm.set(piece, at)
    at += piece.length
  }
  return { pcm: pcm.map((sample, i) => clip(sample + (noise[i % noise.length] as number))), endsMs }
}

/** The final tone of each stretch of speech that VAD ended, by the end of its sound. */
async function tonesIn(vad: Vad, pcm: Int16Array): Promise<{ atMs: number; prosody: FinalProsody | null }[]> {
  const tones: { atMs: number; prosody: FinalProsody | null }[] = []
  const tracker = new SpeechTracker(
    {
      onAudio: () => {},
      onEvent: (event) =>
        void (event.type === 'speech' && !event.change.isSpeaking && tones.push({ atMs: event.change.atMs, prosody: event.change.prosody })), // biome-ignore format: one line
    },
    { keepMs: 0, needsSilence: false, hasAmd: false, pieceMs: 60 },
  )
  const stream = vad.open(8000)
  for (let at = 0; at < pcm.length; at += FRAME) {
    const heard = tracker.push({ pcm: pcm.subarray(at, at + FRAME), rateHz: LINE_HZ }, 0)
    for (const probability of await stream.push(heard)) tracker.advance(probability)
  }
  stream.close()
  return tones
}

async function textOf(ears: WhisperStt, pcm: Int16Array, language: Language, prompt: string): Promise<string> {
  async function* audio() {
    yield { pcm, rateHz: LINE_HZ }
  }
  let text = ''
  const options = { language, ...(prompt && { prompt }) }
  for await (const heard of ears.transcribe(audio(), options, never)) text = heard.text
  return text.trim()
}

type Judged = Decision & { readonly language: Language; readonly said: string; readonly prosody: FinalProsody | null }

const NEAR_MS = 200

async function judge(
  { vad, ears }: { vad: Vad; ears: WhisperStt },
  language: Language,
  [asked, parts]: PausedTurn,
  spoken: readonly Utterance[],
  random: () => number,
): Promise<Judged[]> {
  const pausesMs = parts.slice(1).map(() => pauseOf(random))
  const { pcm, endsMs } = lineOf(spoken, pausesMs)
  const tones = await tonesIn(vad, pcm)
  const expected = asked === '' ? null : expectationOf(asked, language)
  const judged: Judged[] = []
  for (const [i, endMs] of endsMs.entries()) {
    const said = await textOf(ears, pcm.subarray(0, ((endMs + TAIL_MS) * LINE_HZ) / 1000), language, asked)
    const tone = tones.find(({ atMs }) => Math.abs(atMs - endMs) < NEAR_MS)?.prosody ?? null
    const turn = { transcript: said, expected, prosody: tone, rhythm: initialRhythm, language }
    judged.push({
      doubt: endpointingPause(turn, { ...defaultTurnRules, minPauseMs: 0 }),
      pauseMs: pausesMs[i] ?? null,
      language,
      said,
      prosody: tone,
    })
  }
  return judged
}

const percent = (figure: Figure) => (figure === null ? '-' : `${(100 * figure).toFixed(1)} %`)
const ms = (figure: Figure) => (figure === null ? '-' : figure.toFixed(0))
const row = (name: string, points: readonly Point[]) => [
  name,
  percent(cutOffAt(points, 300)),
  percent(cutOffAt(points, 600)),
  ms(waitAt(points, 0.05)),
  ms(waitAt(points, 0.1)),
]

/** As the rules are in a call, with their lower bound. */
function asShipped(all: readonly Judged[]): string {
  const acts = all.map((one) => ({ ...one, actsMs: Math.max(defaultTurnRules.minPauseMs, one.doubt) }))
  const pauses = acts.filter(({ pauseMs }) => pauseMs !== null)
  const ends = acts.filter(({ pauseMs }) => pauseMs === null)
  const cut = pauses.filter(({ actsMs, pauseMs }) => actsMs < (pauseMs ?? 0)).length
  const waitMs = ends.reduce((sum, { actsMs }) => sum + actsMs, 0) / ends.length
  return `As shipped, the rules cut off ${cut} of ${pauses.length} pauses (${percent(cut / pauses.length)}) and wait ${ms(waitMs)} ms on average after a turn.`
}

async function measure(report: Report): Promise<void> {
  const parts = { vad: await openSilero(), ears: await openEars() }
  const from = openVoices()
  const found: Judged[] = []
  for (const [language, list] of Object.entries(turns) as [Language, readonly PausedTurn[]][]) {
    const random = seeded(list.length)
    for (const [i, turn] of list.slice(0, Number(values.turns ?? list.length)).entries()) {
      const names = turnVoices[language]
      const voice = voices[names[i % names.length] as string] as Voice
      const spoken: Utterance[] = []
      for (const part of turn[1]) spoken.push(await from.say(part, voice, language))
      found.push(...(await judge(parts, language, turn, spoken, random)))
      if (i % 50 === 49) note(`${language}: ${i + 1} of ${list.length} turns`)
    }
  }
  await from.close()
  await parts.vad.close()
  await parts.ears.close()
  if (values.decisions !== undefined) writeFileSync(values.decisions, `${JSON.stringify(found)}\n`)
  const heads = ['', 'cut off at a mean wait of 300 ms', 'of 600 ms', 'wait at 5 % cut off, ms', 'at 10 %']
  for (const language of Object.keys(turns) as Language[]) {
    const own = found.filter((one) => one.language === language)
    report.heading(language)
    const table = report.table(heads)
    table.row(row('silence alone', silenceOnly(own)))
    table.row(row('the rules', sweep(own)))
    report.text(asShipped(own))
  }
}

await benchmark({ name: 'end-of-turn', title: 'End of turn over our own pauses' }, values, measure)
