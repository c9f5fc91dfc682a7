// Whisper inference: samples to text. Runs in a worker thread (worker.ts).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tensor } from 'onnxruntime-node'
import { logMel, MEL_BANDS, MEL_HOP, MEL_RATE_HZ } from '../../audio/mel.ts'
import { loadRuntime, sessionOptions } from '../onnx/runtime.ts'
import { whisperFiles } from './folder.ts'
import { chooseToken, isHallucination, mostTokens, repeatLength } from './guards.ts'
import { loadTokens } from './tokens.ts'

export type WhisperResult = {
  text: string
  /** Average log-probability of the tokens. */
  logProbability: number
  noSpeech: number
  tokens: number
  melMs: number
  encodeMs: number
  decodeMs: number
}
export type WhisperOptions = { language: string; hints?: readonly string[] }
export type WhisperModel = {
  /**
   * Samples of -1 to 1 at 16 kHz, at most 27 s. Undefined if `isCancelled`, which is checked between steps, returned
   * true.
   */
  transcribe(
    samples: Float32Array,
    options: WhisperOptions,
    isCancelled: () => boolean,
  ): Promise<WhisperResult | undefined>
  release(): Promise<void>
}

/** Trailing silence, in s: with less, the ends of telephone utterances are misheard (measured: 3 is best). */
const PADDING_SECONDS = 3
/** The encoder produces one position from two mel frames. */
const POSITIONS_PER_SECOND = MEL_RATE_HZ / MEL_HOP / 2
const MOST_POSITIONS = 1500

export async function loadWhisper(folder: string, threads: number): Promise<WhisperModel> {
  const runtime = await loadRuntime()
  const options = sessionOptions(threads)
  const tokens = await loadTokens(folder)
  const config = JSON.parse(await readFile(join(folder, whisperFiles.model), 'utf8')) as {
    decoder_attention_heads: number
    d_model: number
    vocab_size: number
  }
  const encoder = await runtime.InferenceSession.create(join(folder, whisperFiles.encoder), options)
  const decoder = await runtime.InferenceSession.create(join(folder, whisperFiles.decoder), options)
  const heads = config.decoder_attention_heads
  const emptyPast = new runtime.Tensor('float32', new Float32Array(0), [1, heads, 0, config.d_model / heads])
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past_key_values'))
  /** The encoder's output is the same at every step: it is fetched once. */
  const stepOutputs = decoder.outputNames.filter((name) => !name.includes('.encoder.'))

  const nothingSuppressed = new Uint8Array(config.vocab_size)

  const flag = (value: boolean) => new runtime.Tensor('bool', [value], [1])
  const ids = (values: readonly number[]) =>
    new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])

  async function encode(samples: Float32Array) {
    const startedMs = performance.now()
    const seconds = samples.length / MEL_RATE_HZ + PADDING_SECONDS
    const frames = 2 * Math.min(MOST_POSITIONS, Math.ceil(seconds * POSITIONS_PER_SECOND))
    const mel = new runtime.Tensor('float32', logMel(samples, frames), [1, MEL_BANDS, frames])
    const melMs = performance.now() - startedMs
    const { last_hidden_state: sound } = await encoder.run({ input_features: mel })
    if (!sound) throw new Error('whisper: the encoder gave nothing')
    return { sound, melMs, encodeMs: performance.now() - startedMs - melMs }
  }

  async function decode(sound: Tensor, opening: readonly number[], seconds: number, isCancelled: () => boolean) {
    const most = mostTokens(seconds)
    const said: number[] = []
    const past: Record<string, Tensor> = Object.fromEntries(pastNames.map((name) => [name, emptyPast]))
    let input = opening
    let sum = 0
    let noSpeech = 0
    for (let step = 0; said.length < most; step++) {
      if (isCancelled()) return undefined
      const given = { input_ids: ids(input), encoder_hidden_states: sound, use_cache_branch: flag(step > 0), ...past }
      const made = await decoder.run(given, step > 0 ? stepOutputs : decoder.outputNames)
      for (const name of pastNames) {
        const present = made[name.replace('past_key_values', 'present')]
        if (present) past[name] = present
      }
      const logits = made.logits as Tensor
      const size = logits.dims[2] as number
      const all = logits.data as Float32Array
      if (step === 0) {
        const atStart = all.subarray((input.length - 4) * size, (input.length - 3) * size)
        noSpeech = Math.exp((atStart[tokens.noSpeech] as number) - chooseToken(atStart, nothingSuppressed).logSum)
      }
      const row = all.subarray(all.length - size)
      const best = chooseToken(row, step === 0 ? tokens.suppressedFirst : tokens.suppressed)
      sum += best.logit - best.logSum
      if (best.token === tokens.end) break
      said.push(best.token)
      input = [best.token]
      const repeated = repeatLength(said, seconds)
      if (repeated > 0) {
        said.length -= repeated
        break
      }
    }
    return { said, noSpeech, logProbability: sum / (said.length + 1) }
  }

  return {
    async transcribe(samples, { language, hints = [] }, isCancelled) {
      const opening = tokens.opening(language, hints)
      const { sound, melMs, encodeMs } = await encode(samples)
      const startedMs = performance.now()
      const decoded = await decode(sound, opening, samples.length / MEL_RATE_HZ, isCancelled)
      if (!decoded) return undefined
      const { said, noSpeech, logProbability } = decoded
      const text = isHallucination(logProbability, noSpeech) ? '' : tokens.textOf(said)
      const decodeMs = performance.now() - startedMs
      return { text, logProbability, noSpeech, tokens: said.length, melMs, encodeMs, decodeMs }
    },
    async release() {
      await encoder.release()
      await decoder.release()
    },
  }
}
