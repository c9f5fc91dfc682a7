// Real-time factor, time to first audio and gaps of each voice, for one stream and for several at once.
import { spawn } from 'node:child_process'
import { embeddedVoice, type NaturalVoice } from '../../src/speech/embedded.ts'
import { openKokoroTts } from '../../src/speech/kokoro/kokoro.ts'
import { speechCache } from '../../src/speech/tts/cache.ts'
import { cachedTts } from '../../src/speech/tts/cached.ts'
import { openEspeakTts } from '../../src/speech/tts/espeak.ts'
import type { Audio, AudioFrame, Tts } from '../../src/voice/ports.ts'
import { allVoices, preparedKokoro, wayHere } from '../../test/prepared-kokoro.ts'
import { ensurePrograms } from '../../test/servers.ts'
import { type Figure, median } from '../report/figures.ts'
import { play, playTogether, type Together } from './playing.ts'
import { clause, sentence, talkOf } from './texts.ts'

export type VoiceRow = { engine: string; clauseMs?: Figure; sentenceMs?: Figure; together: Together[] }

export const never = new AbortController().signal
export const voice = { voiceId: 'pf_dora', language: 'pt-BR' }
const CACHE_BYTES = 64e6

async function firstMs(open: () => Audio, times: number): Promise<Figure> {
  const all: Figure[] = []
  for (let i = 0; i < times; i++) all.push((await play(open())).firstMs)
  return all.includes(null) ? null : median(all)
}

async function measure(
  engine: string,
  say: (text: string) => Audio,
  streams: readonly number[],
  seconds: number,
  times = 5,
): Promise<VoiceRow> {
  const clauseMs = await firstMs(() => say(clause), times)
  const sentenceMs = await firstMs(() => say(sentence), times)
  const together: Together[] = []
  for (const count of streams) together.push(await playTogether(count, (i) => say(talkOf(seconds, i))))
  return { engine, clauseMs, sentenceMs, together }
}

const speaking = (tts: Tts) => (text: string) => tts.speak(text, voice, never)

export async function measureNatural(way: 'fast' | 'plain', seconds: number): Promise<VoiceRow> {
  const kokoro = await openKokoroTts({ ...(await preparedKokoro(way, allVoices)), way })
  try {
    const [streams, times] = way === 'fast' ? [[1, 6, 8], 5] : [[1, 8], 3]
    // With eight streams the natural voice runs at half of real time: half the text is enough.
    return await measure(
      `natural, ${way} way`,
      speaking(kokoro),
      streams,
      way === 'fast' ? seconds : seconds / 2,
      times,
    )
  } finally {
    await kokoro.close()
  }
}

/** The natural voice up to its capacity and the fallback voice beyond it, as the service does with eight streams. */
export async function measureDegrading(seconds: number): Promise<VoiceRow> {
  const { tts, close } = await openEmbedded(() => {})
  try {
    return {
      engine: 'service: natural, then small',
      together: [await playTogether(8, (i) => tts.speak(talkOf(seconds, i), voice, never))],
    }
  } finally {
    await close()
  }
}

/**
 * The embedded voice as in the service, with the model files prepared for the tests. Of what it says only openers are kept: sentences of real
 * replies seldom recur.
 */
export async function openEmbedded(onDegraded: (reason: string) => void) {
  const [kokoro, espeak] = await Promise.all([preparedKokoro(wayHere, allVoices).then(openKokoroTts), openEspeakTts()])
  const cache = speechCache(CACHE_BYTES)
  const isOpener = (frames: readonly AudioFrame[]) => frames.flatMap(({ words }) => words ?? []).join(' ').endsWith(',') // biome-ignore format: one line
  const { speak, knows } = cachedTts(kokoro, { ...cache, put: (key, frames) => void (isOpener(frames) && cache.put(key, frames)) }) // biome-ignore format: one line
  const natural: NaturalVoice = { ...kokoro, speak, knows }
  return {
    tts: embeddedVoice({ natural: () => natural, small: async () => espeak, onDegraded }),
    async close(): Promise<void> {
      await kokoro.close()
      await espeak.close()
    },
  }
}

export async function measureSmall(seconds: number): Promise<VoiceRow> {
  const espeak = await openEspeakTts()
  try {
    return await measure('small voice', speaking(espeak), [1, 8], seconds)
  } finally {
    await espeak.close()
  }
}

export async function measureCache(seconds: number): Promise<VoiceRow> {
  const espeak = await openEspeakTts()
  const remembering = cachedTts(espeak, speechCache(CACHE_BYTES))
  try {
    for (const text of [clause, sentence, ...Array.from({ length: 8 }, (_, i) => talkOf(seconds, i))])
      await play(remembering.speak(text, voice, never))
    return await measure('cache', speaking(remembering), [1, 8], seconds)
  } finally {
    await espeak.close()
  }
}

/** Installs the program if possible; returns null, or the reason why it is not compared. */
export function missingProgram(): string | null {
  try {
    ensurePrograms('espeak-ng')
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** The espeak-ng program, one process per text. */
export const measureProgram = (seconds: number): Promise<VoiceRow> =>
  measure('espeak-ng program', runProgram, [1, 8], seconds)

const PROGRAM_HZ = 22_050
const HEADER_BYTES = 44

async function* runProgram(text: string): AsyncGenerator<AudioFrame> {
  const program = spawn('espeak-ng', ['-v', 'pt-br', '--stdout', text], { stdio: ['ignore', 'pipe', 'ignore'] })
  let skipped = 0
  let odd = Buffer.alloc(0)
  for await (const chunk of program.stdout as AsyncIterable<Buffer>) {
    const skip = Math.min(HEADER_BYTES - skipped, chunk.length)
    skipped += skip
    const bytes = Buffer.concat([odd, chunk.subarray(skip)])
    const whole = bytes.length & ~1
    odd = bytes.subarray(whole)
    if (whole > 0) yield { pcm: new Int16Array(new Uint8Array(bytes.subarray(0, whole)).buffer), rateHz: PROGRAM_HZ }
  }
}
