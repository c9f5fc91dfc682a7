// Measurements for the fast path: peaks for int8, statistics per voice, and the runtime's own STFT.
import { modelOfOne } from '../onnx/draft.ts'
import { dataType, type Model, modelBytes } from '../onnx/protobuf.ts'
import { type Runtime, type Session, sessionOptions } from '../onnx/runtime.ts'
import { floatsOf, int, int64Tensor, node, tensor, valueInfo } from '../onnx/values.ts'
import type { Espeak } from '../tts/espeak-engine.ts'
import { measuringFront, STFT_BINS, STFT_SIZE } from './front-graph.ts'
import { measuringGenerator, type Peaks } from './generator-graph.ts'
import { FEATURES, GENERATOR, SOURCE } from './graph.ts'
import { kokoroInput, symbolsOf } from './input.ts'

export type Measured = { peaks: Peaks; statistics: Float32Array }
type Sum = { means: Float64Array; squares: Float64Array }

/**
 * Loads the two measuring graphs once; each call then synthesizes the texts in one voice and calls `onText` after each.
 */
export async function openMeasuring(runtime: Runtime, espeak: Espeak, model: Model, threads: number) {
  const open = (graph: Model) => runtime.InferenceSession.create(modelBytes(graph), sessionOptions(threads))
  const front = await open(measuringFront(model))
  const generator = await open(measuringGenerator(model))
  return {
    measure: (voice: Float32Array, language: string, texts: readonly string[], onText: (done: number) => void) =>
      measureVoice({ runtime, espeak, front, generator }, voice, language, texts, onText),
    async close(): Promise<void> {
      await front.release()
      await generator.release()
    },
  }
}

type Parts = { runtime: Runtime; espeak: Espeak; front: Session; generator: Session }

async function measureVoice(
  { runtime, espeak, front, generator }: Parts,
  voice: Float32Array,
  language: string,
  texts: readonly string[],
  onText: (done: number) => void,
): Promise<Measured> {
  const peaks: Peaks = {}
  const sums = new Map<string, Sum>()
  let steps = 0
  for (const [i, text] of texts.entries()) {
    const input = kokoroInput(runtime, symbolsOf(espeak, text, language), voice, 1)
    const made = await front.run(input)
    const features = made[FEATURES]
    const source = made[SOURCE]
    if (!features || !source) throw new Error('kokoro: the front gave nothing')
    const seen = await generator.run({ style: input.style, [FEATURES]: features, [SOURCE]: source })
    const length = features.dims[2] as number
    steps += length
    for (const [name, value] of Object.entries({ ...made, ...seen })) {
      if (name === FEATURES || name === SOURCE) continue
      const values = value.data as Float32Array
      if (name.endsWith('_mean'))
        addUp(sums, name, values, seen[name.replace(/_mean$/, '_var')]?.data as Float32Array, length)
      else if (!name.endsWith('_var')) peaks[name] = highest(peaks[name], values)
    }
    onText(i + 1)
  }
  return { peaks, statistics: frozen(sums, generator.outputNames, steps) }
}

function addUp(
  sums: Map<string, Sum>,
  name: string,
  means: Float32Array,
  variances: Float32Array,
  weight: number,
): void {
  const sum = sums.get(name) ?? { means: new Float64Array(means.length), squares: new Float64Array(means.length) }
  sums.set(name, sum)
  for (let i = 0; i < means.length; i++) {
    const mean = means[i] as number
    sum.means[i] = (sum.means[i] as number) + weight * mean
    sum.squares[i] = (sum.squares[i] as number) + weight * ((variances[i] as number) + mean * mean)
  }
}

/** Mean, then variance of each norm, in the order of the generator's input. */
function frozen(sums: Map<string, Sum>, order: readonly string[], steps: number): Float32Array {
  const parts = order
    .filter((name) => name.endsWith('_mean'))
    .flatMap((name) => {
      const { means, squares } = sums.get(name) as Sum
      const mean = Float32Array.from(means, (value) => value / steps)
      return [mean, Float32Array.from(squares, (value, i) => Math.max(1e-9, value / steps - (mean[i] as number) ** 2))]
    })
  const all = new Float32Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const highest = (before: readonly number[] | undefined, now: Float32Array): number[] =>
  Array.from(now, (value, i) => Math.max(before?.[i] ?? 0, value))

export function mergePeaks(all: readonly Peaks[]): Peaks {
  const merged: Peaks = {}
  for (const peaks of all)
    for (const [name, values] of Object.entries(peaks)) merged[name] = highest(merged[name], Float32Array.from(values))
  return merged
}

/**
 * The matrix that the runtime's STFT really applies, including its rounding. A textbook matrix flips the phase of bins
 * that are almost zero, above all where the source is a constant, which is why that constant is measured too.
 */
export async function measureStft(runtime: Runtime, model: Model): Promise<Float32Array> {
  const stft = model.graph.nodes.find((known) => known.name === `${GENERATOR}STFT`)
  const window = model.graph.initializers.get(stft?.inputs[2] ?? '')
  const bias = floatsOf(model.graph.initializers.get('decoder.decoder.generator.m_source.l_linear.bias'))
  const silence = Math.fround(Math.tanh(bias[0] as number))
  const one = modelOfOne(
    model,
    node('STFT', ['x', 'hop', 'window', 'length'], ['y'], { onesided: int(1) }),
    [
      int64Tensor('hop', [STFT_SIZE], []),
      int64Tensor('length', [STFT_SIZE], []),
      tensor('window', dataType.float, [STFT_SIZE], floatsOf(window)),
    ],
    [valueInfo('x', dataType.float, [1, 'samples'])],
    [valueInfo('y', dataType.float)],
  )
  const session = await runtime.InferenceSession.create(modelBytes(one), sessionOptions(1))
  // One frame per unit impulse, then one of silence.
  const x = new Float32Array(STFT_SIZE * (STFT_SIZE + 1))
  for (let i = 0; i < STFT_SIZE; i++) x[i * STFT_SIZE + i] = 1
  x.fill(silence, STFT_SIZE * STFT_SIZE)
  const { y } = await session.run({ x: new runtime.Tensor('float32', x, [1, x.length]) })
  await session.release()
  const answers = y?.data as Float32Array
  const answer = (frame: number, bin: number, part: number) => answers[(frame * STFT_BINS + bin) * 2 + part] as number
  const matrix = new Float32Array(2 * STFT_BINS * STFT_SIZE)
  for (let bin = 0; bin < STFT_BINS; bin++) {
    for (const part of [0, 1]) {
      const row = (part * STFT_BINS + bin) * STFT_SIZE
      let sum = 0
      for (let t = 0; t < STFT_SIZE; t++) sum += answer(t, bin, part) * silence
      const lack = (answer(STFT_SIZE, bin, part) - sum) / silence / STFT_SIZE
      for (let t = 0; t < STFT_SIZE; t++) matrix[row + t] = answer(t, bin, part) + lack
    }
  }
  return matrix
}
