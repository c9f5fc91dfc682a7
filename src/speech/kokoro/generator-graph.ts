// Rebuilds Kokoro's generator: one graph that measures its 48 convolutions, and one that runs them in int8.
import { type Draft, draftOf } from '../onnx/draft.ts'
import { dataType, type Model, type ValueInfo } from '../onnx/protobuf.ts'
import { attribute, float, int, ints, valueInfo } from '../onnx/values.ts'
import { blocks, cutTensors, GENERATOR, STATISTICS, STATISTICS_SIZE, WAVEFORM } from './graph.ts'

/** Peak absolute value per channel, by the name of the measured tensor. */
export type Peaks = Record<string, number[]>

/** Headroom above the measured peak before clipping. */
const INPUT_MARGIN = 1.05
const OUTPUT_MARGIN = 1.1
const MIN_PEAK = 1e-3

type Convolution = {
  id: string
  channels: number
  kernel: number
  dilation: number
  /** [out, in, kernel], with the activation's slope already divided out. */
  weights: Float32Array
  bias: Float32Array
}
type Build = {
  /** Normalizes `x` with this scale and shift; the result goes into the activation. */
  normalize(draft: Draft, convolution: Convolution, x: string, scale: string, shift: string): string
  convolve(draft: Draft, convolution: Convolution, x: string): string
}

/**
 * Runs like the original, and also outputs the peaks before and after each convolution and the mean and variance before
 * each norm.
 */
export function measuringGenerator(model: Model): Model {
  const outputs: ValueInfo[] = []
  const draft = draftOf(model)
  const watch = (name: string, channels: number) => outputs.push(valueInfo(name, dataType.float, [channels]))
  const peak = (x: string, name: string, channels: number) => {
    const size = draft.add('Abs', [x], [`${name}_size`])
    draft.add('ReduceMax', [size, draft.ints('q_axes02', [0, 2])], [name], { keepdims: int(0) })
    watch(name, channels)
  }
  rebuild(draft, {
    normalize(_, { id, channels }, x, scale, shift) {
      const mean = draft.add('ReduceMean', [x, draft.ints('q_axis2', [2])], [`${id}_mean3`], { keepdims: int(1) })
      draft.add('Reshape', [mean, draft.ints(`q_shape${channels}`, [channels])], [`${id}_mean`])
      const apart = draft.add('Sub', [x, mean], [`${id}_apart`])
      const square = draft.add('Mul', [apart, apart], [`${id}_square`])
      draft.add('ReduceMean', [square, draft.ints('q_axes02', [0, 2])], [`${id}_var`], { keepdims: int(0) })
      watch(`${id}_mean`, channels)
      watch(`${id}_var`, channels)
      return draft.add('InstanceNormalization', [x, scale, shift], [`${id}_z`], { epsilon: float(1e-5) })
    },
    convolve(_, convolution, x) {
      const { id, channels } = convolution
      const weights = draft.floats(`${id}_w`, convolution.weights, [channels, channels, convolution.kernel])
      const y = draft.add(
        'Conv',
        [x, weights, draft.floats(`${id}_b`, convolution.bias)],
        [`${id}_y`],
        shape(convolution),
      )
      peak(x, `${id}_in`, channels)
      peak(y, `${id}_out`, channels)
      return y
    },
  })
  return draft.finish(generatorInputs(model), outputs)
}

/** The production generator: frozen statistics are an input, the convolutions are int8. */
export function int8Generator(model: Model, peaks: Peaks): Model {
  const draft = draftOf(model)
  const parts: { name: string; size: number }[] = []
  rebuild(draft, {
    normalize(_, { id, channels }, x, scale, shift) {
      parts.push({ name: `${id}_mean`, size: channels }, { name: `${id}_var`, size: channels })
      const inputs = [x, scale, shift, `${id}_mean`, `${id}_var`]
      return draft.add('BatchNormalization', inputs, [`${id}_z`], { epsilon: float(1e-5) })
    },
    convolve: (_, convolution, x) => int8Convolution(draft, convolution, x, peaks),
  })
  const sizes = draft.ints(
    'q_parts',
    parts.map((part) => part.size),
  )
  draft.add(
    'Split',
    [STATISTICS, sizes],
    parts.map((part) => part.name),
    { axis: int(0) },
  )
  const statistics = valueInfo(STATISTICS, dataType.float, [STATISTICS_SIZE])
  const waveform = model.graph.outputs.filter((output) => output.name === WAVEFORM)
  return draft.finish([...generatorInputs(model), statistics], waveform)
}

const generatorInputs = (model: Model): ValueInfo[] => [
  ...model.graph.inputs.filter((input) => input.name === 'style'),
  ...cutTensors(),
]

const shape = ({ kernel, dilation }: Convolution) => ({
  dilations: ints([dilation]),
  group: int(1),
  kernel_shape: ints([kernel]),
  pads: ints([((kernel - 1) / 2) * dilation, ((kernel - 1) / 2) * dilation]),
  strides: ints([1]),
})

/**
 * Each half of a pair is norm, activation x + sin²(a x) / a, convolution. With z = a x the activation is (z + sin² z) /
 * a: `a` is folded into the norm's scale and shift on one side and out of the weights on the other.
 */
function rebuild(draft: Draft, build: Build): void {
  for (const { name, channels } of blocks) {
    const at = `${GENERATOR}${name}/`
    const [entry] = draft.node(`${at}Add_2`).inputs.filter((input) => !input.includes('/convs2.0/'))
    let x = entry as string
    for (const pair of [0, 1, 2]) {
      let y = x
      for (const half of [1, 2]) {
        const id = `q_${name}_${half}.${pair}`
        const slope = draft.values(`decoder.decoder.generator.${name}.alpha${half}.${pair}`)
        const convolution = readConvolution(draft, `${at}convs${half}.${pair}/Conv`, id, channels, slope)
        const slopes = draft.floats(`${id}_slope`, slope)
        const perChannel = draft.ints(`q_shape${channels}`, [channels])
        const style = `${at}adain${half}.${pair}/`
        const scale = draft.add('Reshape', [`${style}Add_1_output_0`, perChannel], [`${id}_scale1`])
        const shift = draft.add('Reshape', [`${style}Slice_1_output_0`, perChannel], [`${id}_shift1`])
        const scaled = draft.add('Mul', [scale, slopes], [`${id}_scale`])
        const shifted = draft.add('Mul', [shift, slopes], [`${id}_shift`])
        const z = build.normalize(draft, convolution, y, scaled, shifted)
        const sine = draft.add('Sin', [z], [`${id}_sine`])
        const bent = draft.add('Add', [z, draft.add('Mul', [sine, sine], [`${id}_sine2`])], [`${id}_u`])
        y = build.convolve(draft, convolution, bent)
      }
      const isLast = pair === 2
      x = draft.add('Add', [y, x], [isLast ? `${at}Add_8_output_0` : `q_${name}_sum${pair}`])
    }
    draft.replace(`${at}Add_8`)
  }
}

function readConvolution(draft: Draft, name: string, id: string, channels: number, slope: Float32Array): Convolution {
  const found = draft.node(name)
  const [kernel = 1] = attribute(found, 'kernel_shape', 'ints') ?? []
  const [dilation = 1] = attribute(found, 'dilations', 'ints') ?? []
  const weights = draft.values(found.inputs[1])
  for (let i = 0; i < weights.length; i++) {
    weights[i] = (weights[i] as number) / (slope[Math.floor(i / kernel) % channels] as number)
  }
  return { id, channels, kernel, dilation, weights, bias: draft.values(found.inputs[2]) }
}

/**
 * Activations are quantized per channel and their scales folded into the weights, so that the operator sees one scale;
 * likewise its output. One scale for all channels sounds bad, and ConvInteger is slower than fp32 (measured).
 */
function int8Convolution(draft: Draft, convolution: Convolution, x: string, peaks: Peaks): string {
  const { id, channels, kernel, weights, bias } = convolution
  const steps = (name: string, margin: number) => {
    const known = peaks[name]
    if (!known) throw new Error(`kokoro: ${name} was not measured`)
    return known.map((peak) => (Math.max(peak, MIN_PEAK) * margin) / 127)
  }
  const inSteps = steps(`${id}_in`, INPUT_MARGIN)
  const outSteps = steps(`${id}_out`, OUTPUT_MARGIN)
  const row = channels * kernel
  const small = new Int8Array(channels * row)
  const weightSteps = new Float32Array(channels)
  const smallBias = new Int32Array(channels)
  for (let out = 0; out < channels; out++) {
    const folded = (i: number) => (weights[out * row + i] as number) * (inSteps[Math.floor(i / kernel)] as number)
    let peak = 0
    for (let i = 0; i < row; i++) peak = Math.max(peak, Math.abs(folded(i)))
    const step = peak / 127
    weightSteps[out] = step / (outSteps[out] as number)
    smallBias[out] = Math.round((bias[out] as number) / step)
    for (let i = 0; i < row; i++) small[out * row + i] = Math.round(folded(i) / step)
  }
  const middles = draft.bytes(`q_middle${channels}`, new Uint8Array(channels).fill(128), [channels])
  const middle = draft.bytes('q_middle', Uint8Array.of(128), [])
  const zeros = draft.bytes(`q_zero${channels}`, new Int8Array(channels), [channels])
  const one = draft.floats('q_one', [1], [])
  const quantized = draft.add('QuantizeLinear', [x, draft.floats(`${id}_in`, inSteps), middles], [`${id}_q`], {
    axis: int(1),
  })
  const inputs = [
    ...[quantized, one, middle],
    ...[draft.bytes(`${id}_w8`, small, [channels, channels, kernel]), draft.floats(`${id}_wstep`, weightSteps), zeros],
    ...[one, middle, draft.int32s(`${id}_b32`, smallBias)],
  ]
  const y = draft.add('QLinearConv', inputs, [`${id}_y8`], shape(convolution))
  return draft.add('DequantizeLinear', [y, draft.floats(`${id}_out`, outSteps), middles], [`${id}_y`], { axis: int(1) })
}
