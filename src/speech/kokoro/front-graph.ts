// Rebuilds Kokoro's front: the STFT as a convolution, large matrix products and convolutions in int8.
import { type Draft, draftOf } from '../onnx/draft.ts'
import { dataType, type Model, type Node, type ValueInfo } from '../onnx/protobuf.ts'
import { float, int, ints, intsOf, valueInfo } from '../onnx/values.ts'
import type { Peaks } from './generator-graph.ts'
import { cutTensors, DURATIONS, frontConvolution, GENERATOR } from './graph.ts'

const MIN_PEAK = 1e-3
const MARGIN = 1.05
/** Smaller matrices gain nothing from int8. */
const LARGE_MATRIX = 60_000
const TO_THE_END = 2 ** 63
export const STFT_SIZE = 20
export const STFT_BINS = STFT_SIZE / 2 + 1

const convolutionsOf = (draft: Draft): Node[] =>
  draft.nodes.filter((node) => node.op === 'Conv' && draft.tensor(node.inputs[1]) && frontConvolution.test(node.name))

/** The original front, with the input peaks of the convolutions that will be int8. */
export function measuringFront(model: Model): Model {
  const draft = draftOf(model)
  const outputs: ValueInfo[] = cutTensors()
  for (const { name, inputs } of convolutionsOf(draft)) {
    const size = draft.add('Abs', [inputs[0] as string], [`f_${name}_size`])
    draft.add('ReduceMax', [size, draft.ints('f_axes02', [0, 2])], [`f_${name}`], { keepdims: int(0) })
    const [, channels = 0] = draft.tensor(inputs[1])?.dims ?? []
    outputs.push(valueInfo(`f_${name}`, dataType.float, [channels]))
  }
  return draft.finish(model.graph.inputs, outputs)
}

/** `stft` is the matrix measured from the runtime: [2 × bins, size], real rows first. */
export function int8Front(model: Model, peaks: Peaks, stft: Float32Array): Model {
  const draft = draftOf(model)
  stftAsConvolution(draft, stft)
  for (const node of convolutionsOf(draft)) int8Convolution(draft, node, peaks[`f_${node.name}`])
  int8Products(draft)
  const durations = valueInfo(DURATIONS, dataType.int64, ['symbols'])
  return draft.finish(model.graph.inputs, [...cutTensors(), durations])
}

function stftAsConvolution(draft: Draft, stft: Float32Array): void {
  const matrix = draft.floats('f_stft', stft, [2 * STFT_BINS, 1, STFT_SIZE])
  const [hop = 5] = intsOf(draft.tensor(draft.node(`${GENERATOR}STFT`).inputs[1]))
  const both = draft.add('Conv', [`${GENERATOR}Pad_output_0`, matrix], ['f_spectrum'], {
    kernel_shape: ints([STFT_SIZE]),
    strides: ints([hop]),
    pads: ints([0, 0]),
    dilations: ints([1]),
    group: int(1),
  })
  const axis = draft.ints('f_axis1', [1])
  const bins = draft.ints('f_bins', [STFT_BINS])
  draft.add('Slice', [both, draft.ints('f_start', [0]), bins, axis], [`${GENERATOR}Gather_4_output_0`])
  draft.add('Slice', [both, bins, draft.ints('f_end', [2 * STFT_BINS]), axis], [`${GENERATOR}Gather_5_output_0`])
  draft.replace(`${GENERATOR}Gather_4`)
  draft.replace(`${GENERATOR}Gather_5`)
}

/** im2col and one product: the operator for it keeps float outputs, which the front's narrow signals need. */
function int8Convolution(draft: Draft, node: Node, peaks: number[] | undefined): void {
  const weights = draft.values(node.inputs[1])
  const [outs = 0, ins = 0, kernel = 1] = draft.tensor(node.inputs[1])?.dims ?? []
  if (!peaks) throw new Error(`kokoro: ${node.name} was not measured`)
  const id = `f_${node.name}`
  const steps = peaks.map((peak) => (Math.max(peak, MIN_PEAK) * MARGIN) / 127)
  const row = ins * kernel
  const small = new Uint8Array(outs * row)
  const weightSteps = new Float32Array(outs)
  for (let out = 0; out < outs; out++) {
    const folded = (channel: number, k: number) =>
      (weights[(out * ins + channel) * kernel + k] as number) * (steps[channel] as number)
    let peak = 0
    for (let c = 0; c < ins; c++) for (let k = 0; k < kernel; k++) peak = Math.max(peak, Math.abs(folded(c, k)))
    const step = peak / 127
    weightSteps[out] = step
    for (let c = 0; c < ins; c++)
      for (let k = 0; k < kernel; k++) small[out * row + k * ins + c] = 128 + Math.round(folded(c, k) / step)
  }
  const zero = draft.bytes('f_zero', new Int8Array(1), [])
  const zeros = draft.bytes(`f_zero${ins}`, new Int8Array(ins), [ins])
  const inSteps = draft.floats(`${id}_steps`, steps)
  const quantized = draft.add('QuantizeLinear', [node.inputs[0] as string, inSteps, zeros], [`${id}_q`], {
    axis: int(1),
  })
  const columns = kernel === 1 ? quantized : columnsOf(draft, quantized, id, kernel, zero)
  const middle = weightSteps.slice().sort()[outs >> 1] as number
  const product = draft.add(
    'MatMulIntegerToFloat',
    [
      ...[draft.bytes(`${id}_w8`, small, [1, outs, row]), columns, draft.floats(`${id}_step`, [middle], [])],
      ...[draft.floats('f_one', [1], []), draft.bytes('f_middle', Uint8Array.of(128), []), zero],
    ],
    [`${id}_y`],
    {},
    'com.microsoft',
  )
  // A norm with mean 0 and variance 1 is one scale and shift per channel.
  const bias = node.inputs[2] ? draft.values(node.inputs[2]) : new Float32Array(outs)
  const rescale = [
    draft.floats(
      `${id}_ratio`,
      weightSteps.map((step) => step / middle),
    ),
    draft.floats(`${id}_bias`, bias),
    draft.floats(`f_mean${outs}`, new Float32Array(outs)),
    draft.floats(`f_var${outs}`, new Float32Array(outs).fill(1)),
  ]
  draft.add('BatchNormalization', [product, ...rescale], [node.outputs[0] as string], { epsilon: float(0) })
  draft.replace(node.name)
}

function columnsOf(draft: Draft, x: string, id: string, kernel: number, zero: string): string {
  const pad = (kernel - 1) / 2
  const pads = draft.ints(`f_pad${pad}`, [0, 0, pad, 0, 0, pad])
  const padded = draft.add('Pad', [x, pads, zero], [`${id}_padded`])
  const shifted = Array.from({ length: kernel }, (_, k) => {
    const end = k - 2 * pad
    const range = [draft.ints(`f_from${k}`, [k]), draft.ints(`f_to${end}`, [end === 0 ? TO_THE_END : end])]
    return draft.add('Slice', [padded, ...range, draft.ints('f_axis2', [2])], [`${id}_shift${k}`])
  })
  return draft.add('Concat', shifted, [`${id}_columns`], { axis: int(1) })
}

function int8Products(draft: Draft): void {
  const matrices = new Map<string, string[]>()
  const quantized = new Map<string, string[]>()
  for (const node of draft.nodes) {
    const [x = '', matrix = ''] = node.inputs
    const dims = node.op === 'MatMul' && !node.name.startsWith(GENERATOR) ? draft.tensor(matrix)?.dims : undefined
    if (dims?.length !== 2 || (dims[0] as number) * (dims[1] as number) < LARGE_MATRIX) continue
    const known = matrices.get(matrix) ?? smallMatrix(draft, matrix, dims as [number, number])
    matrices.set(matrix, known)
    const input = quantized.get(x) ?? [`f_${x}_q`, `f_${x}_step`, `f_${x}_zero`]
    if (!quantized.has(x)) draft.add('DynamicQuantizeLinear', [x], input)
    quantized.set(x, input)
    const inputs = [input[0], known[0], input[1], known[1], input[2]] as string[]
    draft.add('MatMulIntegerToFloat', inputs, [node.outputs[0] as string], {}, 'com.microsoft')
    draft.replace(node.name)
  }
}

/** int8 with one scale per column. */
function smallMatrix(draft: Draft, name: string, [rows, columns]: [number, number]): string[] {
  const values = draft.values(name)
  const steps = new Float32Array(columns)
  for (let i = 0; i < values.length; i++) {
    const column = i % columns
    steps[column] = Math.max(steps[column] as number, Math.abs(values[i] as number) / 127)
  }
  const small = new Int8Array(rows * columns)
  for (let i = 0; i < values.length; i++) small[i] = Math.round((values[i] as number) / (steps[i % columns] || 1))
  return [draft.bytes(`f_${name}_w8`, small, [rows, columns]), draft.floats(`f_${name}_steps`, steps)]
}
