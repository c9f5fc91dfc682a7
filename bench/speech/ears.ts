// Latency from the last word to the transcript, and the cost of VAD per call.
import { fileURLToPath } from 'node:url'
import { resample } from '../../src/audio/resample.ts'
import { monotonicMs } from '../../src/base/time/clock.ts'
import { openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { prepareWhisper } from '../../src/speech/whisper/prepare.ts'
import { openWhisper, type WhisperStt } from '../../src/speech/whisper/whisper.ts'
import type { Vad } from '../../src/voice/ports.ts'
import { allVoices, listen, preparedKokoro, wayHere } from '../../test/prepared-kokoro.ts'
import { frames, robotSpeech } from '../../test/sounds.ts'
import { type Figure, largest, median, percentile } from '../report/figures.ts'
import { talkOf, utterances } from './texts.ts'
import { never, voice } from './voices.ts'

export const TELEPHONE_HZ = 8000
export type Utterance = { aboutSeconds: number; pcm: Int16Array }

/** Synthesizes a caller's utterances with the natural voice, at telephone quality. */
export async function sayUtterances(): Promise<Utterance[]> {
  const kokoro = await openKokoroTts(await preparedKokoro(wayHere, allVoices))
  const said: Utterance[] = []
  for (const { seconds, text } of utterances) {
    const { pcm, rateHz } = await listen(kokoro.speak(text, voice, never))
    said.push({ aboutSeconds: seconds, pcm: resample(pcm, rateHz, TELEPHONE_HZ) })
  }
  await kokoro.close()
  return said
}

export async function openEars(): Promise<WhisperStt> {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/ramal-models/whisper', import.meta.url))
  await prepareWhisper(folder, () => {}, never)
  return openWhisper({ folder })
}

export async function hear(ears: WhisperStt, pcm: Int16Array): Promise<{ text: string; delayMs: number }> {
  let endedAt = 0
  async function* spoken() {
    yield* frames(pcm, TELEPHONE_HZ)
    endedAt = monotonicMs()
  }
  let text = ''
  for await (const heard of ears.transcribe(spoken(), { language: 'pt-BR' }, never)) text = heard.text
  return { text, delayMs: monotonicMs() - endedAt }
}

export type HeardRow = {
  aboutSeconds: number
  seconds: number
  medianMs: Figure
  bestMs: Figure
  slowestMs: Figure
  text: string
}

export async function measureEars(said: readonly Utterance[], times: number): Promise<HeardRow[]> {
  const ears = await openEars()
  const rows: HeardRow[] = []
  for (const { aboutSeconds, pcm } of said) {
    const warm = await hear(ears, pcm)
    const delays: number[] = []
    for (let i = 0; i < times; i++) delays.push((await hear(ears, pcm)).delayMs)
    const seconds = pcm.length / TELEPHONE_HZ
    rows.push({
      aboutSeconds,
      seconds,
      medianMs: median(delays),
      bestMs: percentile(delays, 0),
      slowestMs: largest(delays),
      text: warm.text,
    })
  }
  await ears.close()
  return rows
}

const FRAME_MS = 20
const FRAME = (TELEPHONE_HZ * FRAME_MS) / 1000
/** Calls are out of phase: each starts at one of this many offsets within a frame. */
const PHASES = 5

/**
 * Feeds calls in real time until stopped, the first `silent` of them with silence; returns the longest duration of one
 * push.
 */
export function feedVad(vad: Vad, count: number, pcm: Int16Array, silent = 0): { stop(): Promise<number> } {
  const streams = Array.from({ length: count }, () => vad.open(TELEPHONE_HZ))
  const under = new Set<Promise<void>>()
  const nothing = new Int16Array(FRAME)
  let longestMs = 0
  let tick = 0
  const timer = setInterval(() => {
    const phase = tick % PHASES
    const at = (Math.floor(tick / PHASES) * FRAME) % (pcm.length - FRAME)
    tick++
    const start = monotonicMs()
    for (let i = phase; i < count; i += PHASES) {
      const answered = streams[i]?.push(i < silent ? nothing : pcm.subarray(at, at + FRAME)).then(() => {
        longestMs = Math.max(longestMs, monotonicMs() - start)
      })
      if (!answered) continue
      under.add(answered)
      void answered.finally(() => under.delete(answered))
    }
  }, FRAME_MS / PHASES)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(under)
      for (const stream of streams) stream.close()
      return longestMs
    },
  }
}

export type VadRow = { streams: number; silent: number; corePerCent: number; perCallPerCent: number; longestMs: number }

const WARM_UP_MS = 1500

/** CPU time of the whole process minus `baseline`, the CPU time of the same loop without calls. */
export async function measureVad(
  counts: readonly { streams: number; silent: number }[],
  seconds: number,
): Promise<{ baselinePerCent: number; rows: VadRow[] }> {
  const speech = await robotSpeech(talkOf(20), 'pt-br', TELEPHONE_HZ)
  const vad = await openSilero()
  const used = async (streams: number, silent = 0) => {
    const feeding = feedVad(vad, streams, speech, silent)
    await after(WARM_UP_MS)
    const before = process.cpuUsage()
    const start = monotonicMs()
    await after(seconds * 1000)
    const { user, system } = process.cpuUsage(before)
    return { perCent: (user + system) / 10 / (monotonicMs() - start), longestMs: await feeding.stop() }
  }
  await used(Math.max(...counts.map(({ streams }) => streams))) // the first run compiles the code
  const baselinePerCent = (await used(0)).perCent
  const rows: VadRow[] = []
  for (const { streams, silent } of counts) {
    const { perCent, longestMs } = await used(streams, silent)
    const corePerCent = perCent - baselinePerCent
    rows.push({ streams, silent, corePerCent, perCallPerCent: corePerCent / streams, longestMs })
  }
  await vad.close()
  return { baselinePerCent, rows }
}

export const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
