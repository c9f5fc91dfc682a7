// Kokoro inference: the fast path in two parts (front, then chunks), the plain path in one. Every run blocks its
// thread.
import { join } from 'node:path'
import { loadRuntime, type Session, sessionOptions } from '../onnx/runtime.ts'
import { loadEspeak } from '../tts/espeak-engine.ts'
import { type Chunk, CONTEXT_STEPS, chunkSamples } from './chunks.ts'
import { FRONT, GENERATOR_FILE, PLAIN, readFloats, statisticsFile } from './files.ts'
import {
  DURATIONS,
  FEATURE_CHANNELS,
  FEATURES,
  SOURCE,
  SOURCE_CHANNELS,
  SOURCE_PER_STEP,
  STATISTICS,
  STEPS_PER_FRAME,
  STYLE_SIZE,
  WAVEFORM,
} from './graph.ts'
import { kokoroInput, readVoice, symbolsOf, wordStarts } from './input.ts'

export type Utterance = { text: string; voiceId: string; language: string; speed: number }
/** The front's output for an utterance, in shared memory, so that any thread can synthesize any chunk of it. */
export type Clip = {
  readonly steps: number
  /** The earliest point at which the voice can start: before it is silence. */
  readonly start: number
  /** The start of each word, as timed by the model. */
  readonly words?: readonly number[]
  readonly voiceId: string
  readonly features: Float32Array
  readonly source: Float32Array
  readonly style: Float32Array
}
export type KokoroModel = {
  front(utterance: Utterance): Promise<Clip>
  window(clip: Clip, window: Chunk): Promise<Float32Array>
  plain(utterance: Utterance): Promise<Float32Array>
  close(): Promise<void>
}
export type ModelOptions = {
  folder: string
  voicesFolder: string
  isFast: boolean
  /** Of a front or a plain run; a chunk takes one, since chunks run side by side. */
  threads: number
  /** False: chunks only. The front is the largest part in memory: one thread has it for all. */
  hasFront?: boolean
}

export async function openKokoro(options: ModelOptions): Promise<KokoroModel> {
  const { folder, voicesFolder, isFast, threads, hasFront = true } = options
  const runtime = await loadRuntime()
  const espeak = await loadEspeak()
  const opened = new Map<string, Promise<Session>>()
  const session = (name: string): Promise<Session> => {
    const settings = sessionOptions(name === GENERATOR_FILE ? 1 : threads)
    const known = opened.get(name) ?? runtime.InferenceSession.create(join(folder, name), settings)
    opened.set(name, known)
    return known
  }
  const voices = once((id: string) => readVoice(voicesFolder, id))
  const statistics = once((id: string) => readFloats(join(folder, statisticsFile(id))))
  const input = async ({ text, voiceId, language, speed }: Utterance) =>
    kokoroInput(runtime, symbolsOf(espeak, text, language), await voices(voiceId), speed)
  const needed = isFast ? [...(hasFront ? [FRONT] : []), GENERATOR_FILE] : [PLAIN]
  await Promise.all(needed.map(session))

  return {
    async front(utterance) {
      const given = await input(utterance)
      const made = await (await session(FRONT)).run(given)
      const features = made[FEATURES]
      const frames = Array.from((made[DURATIONS]?.data as BigInt64Array | undefined) ?? [], Number)
      const symbols = Array.from(given.input_ids.data as BigInt64Array, Number)
      return {
        steps: features?.dims[2] as number,
        start: startOf((frames[0] ?? 0) * STEPS_PER_FRAME, utterance.speed),
        words: wordStarts(symbols, frames).map((frame) => frame * STEPS_PER_FRAME),
        voiceId: utterance.voiceId,
        features: shared(features?.data as Float32Array),
        source: shared(made[SOURCE]?.data as Float32Array),
        style: shared(given.style.data as Float32Array),
      }
    },
    async window(clip, window) {
      const from = Math.max(0, window.from - CONTEXT_STEPS)
      const to = Math.min(clip.steps, window.to + CONTEXT_STEPS)
      const source = cut(clip.source, SOURCE_CHANNELS, from * SOURCE_PER_STEP, to * SOURCE_PER_STEP + 1)
      const frozen = await statistics(clip.voiceId)
      const tensor = (data: Float32Array, dims: number[]) => new runtime.Tensor('float32', data, dims)
      const made = await (await session(GENERATOR_FILE)).run({
        style: tensor(Float32Array.from(clip.style), [1, STYLE_SIZE]),
        [FEATURES]: tensor(cut(clip.features, FEATURE_CHANNELS, from, to), [1, FEATURE_CHANNELS, to - from]),
        [SOURCE]: tensor(source, [1, SOURCE_CHANNELS, source.length / SOURCE_CHANNELS]),
        [STATISTICS]: tensor(frozen, [frozen.length]),
      })
      return chunkSamples(made[WAVEFORM]?.data as Float32Array, window, from, clip.steps)
    },
    async plain(utterance) {
      const made = await (await session(PLAIN)).run(await input(utterance))
      return Float32Array.from(made[WAVEFORM]?.data as Float32Array)
    },
    async close() {
      for (const open of opened.values()) await (await open).release()
    },
  }
}

/**
 * The first symbol is silence, but the voice starts before its end: up to 65 ms at normal speed. At half speed the
 * model doubles the length of that silence, yet the voice starts as early as ever (measured in three languages).
 */
const startOf = (lead: number, speed: number): number => Math.max(0, Math.floor(Math.min(lead * speed - 8, lead - 3)))

/** Silence to measure a thread with that has no front. */
export const silentClip = (steps: number, voiceId: string): Clip => ({
  steps,
  start: 0,
  voiceId,
  features: new Float32Array(FEATURE_CHANNELS * steps),
  source: new Float32Array(SOURCE_CHANNELS * (SOURCE_PER_STEP * steps + 1)),
  style: new Float32Array(STYLE_SIZE),
})

function once<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (id) => {
    const value = known.get(id) ?? read(id)
    known.set(id, value)
    value.catch(() => known.delete(id))
    return value
  }
}

function shared(values: Float32Array): Float32Array {
  const copy = new Float32Array(new SharedArrayBuffer(values.byteLength))
  copy.set(values)
  return copy
}

/** The same range of every channel. */
function cut(values: Float32Array, channels: number, from: number, to: number): Float32Array {
  const length = values.length / channels
  const out = new Float32Array(channels * (to - from))
  for (let i = 0; i < channels; i++) out.set(values.subarray(i * length + from, i * length + to), i * (to - from))
  return out
}
