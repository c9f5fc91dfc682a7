// The weights of Silero VAD v5 from its ONNX file. Another model, or another version of it, is refused.
import type { VadRate } from '../../voice/listening/vad-steps.ts'
import { type Graph, type Node, readModel, type Tensor } from '../onnx/protobuf.ts'
import { attribute, floatsOf } from '../onnx/values.ts'

/** Size of the LSTM's hidden state, and of its cell state. */
export const HIDDEN = 128
/** Frames of the Fourier transform in one step. */
export const FRAMES = 4

/** Per rate: how many samples of the previous step precede each step, and the length of the Fourier transform. */
export const sizes = { 8000: { context: 32, window: 128 }, 16000: { context: 64, window: 256 } } as const

/** Row by row as in the file: [outputs][inputs][taps]. */
export type Convolution = { weight: Float32Array; bias: Float32Array; outputs: number; inputs: number; stride: number }
export type SileroWeights = {
  /** [real parts, imaginary parts][samples] */
  basis: Float32Array
  encoder: readonly Convolution[]
  /** Gates in the order input, forget, cell, output. */
  lstm: { input: Float32Array; hidden: Float32Array; bias: Float32Array }
  output: { weight: Float32Array; bias: number }
}

/** The basis in the file is rounded. */
const TOLERANCE = 1e-5
/** Taps of the encoder's convolutions. */
export const TAPS = 3
const encoderShape = (bins: number) => [
  { inputs: bins, outputs: 128, stride: 1 },
  { inputs: 128, outputs: 64, stride: 2 },
  { inputs: 64, outputs: 64, stride: 2 },
  { inputs: 64, outputs: HIDDEN, stride: 1 },
]

export async function readSileroWeights(file: string): Promise<Record<VadRate, SileroWeights>> {
  try {
    const { graph } = await readModel(file)
    const choice = graph.nodes.find((node) => node.op === 'If')
    const branch = (name: string) => choice && attribute(choice, name, 'graph')
    return { 8000: weightsOf(branch('else_branch'), 8000), 16000: weightsOf(branch('then_branch'), 16000) }
  } catch (error) {
    throw new Error(`${file} is not Silero VAD v5: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

function weightsOf(graph: Graph | undefined, rateHz: VadRate): SileroWeights {
  if (!graph) throw new Error(`no graph for ${rateHz} Hz`)
  const tensors = tensorsOf(graph)
  function floats(name: string, dims: readonly number[]): Float32Array {
    const found = tensors.get(name)
    if (found?.dims.join() !== dims.join())
      throw new Error(`${name} at ${rateHz} Hz is [${found?.dims ?? 'missing'}], not [${dims}]`)
    return floatsOf(found)
  }
  const { window } = sizes[rateHz]
  const shape = encoderShape(window / 2 + 1)
  const strides = graph.nodes.filter(({ op }) => op === 'Conv').map((node) => attribute(node, 'strides', 'ints')?.[0])
  const expected = [window / 2, ...shape.map(({ stride }) => stride), 1]
  if (strides.join() !== expected.join()) throw new Error(`strides of ${strides}, not ${expected}`)
  const [biasIn, biasHidden] = ['ih', 'hh'].map((of) => floats(`decoder.rnn.bias_${of}`, [4 * HIDDEN]))
  const basis = floats('stft.forward_basis_buffer', [window + 2, 1, window])
  if (!isFourier(basis, window)) throw new Error(`the first layer at ${rateHz} Hz is no Fourier transform`)
  return {
    basis,
    encoder: shape.map((layer, i) => ({
      ...layer,
      weight: floats(`encoder.${i}.reparam_conv.weight`, [layer.outputs, layer.inputs, TAPS]),
      bias: floats(`encoder.${i}.reparam_conv.bias`, [layer.outputs]),
    })),
    lstm: {
      input: floats('decoder.rnn.weight_ih', [4 * HIDDEN, HIDDEN]),
      hidden: floats('decoder.rnn.weight_hh', [4 * HIDDEN, HIDDEN]),
      bias: (biasIn as Float32Array).map((value, i) => value + (biasHidden?.[i] as number)),
    },
    output: {
      weight: floats('decoder.decoder.2.weight', [1, HIDDEN, 1]),
      bias: floats('decoder.decoder.2.bias', [1])[0] as number,
    },
  }
}

/** Checks for cosines with a symmetric window, then sines, so that half of the samples suffice to compute it. */
function isFourier(basis: Float32Array, window: number): boolean {
  const at = (row: number, sample: number) => basis[row * window + sample] as number
  for (let row = 0; row < window + 2; row++) {
    const sign = row <= window / 2 ? 1 : -1
    if (Math.abs(at(row, 0)) > TOLERANCE) return false
    for (let n = 1; n <= window / 2; n++)
      if (Math.abs(at(row, n) - sign * at(row, window - n)) > TOLERANCE) return false
  }
  return true
}

/** The graph's constants, by their names in training. */
function tensorsOf(graph: Graph): Map<string, Tensor> {
  const constantOf = (node: Node) => (node.op === 'Constant' ? attribute(node, 'value', 'tensor') : undefined)
  const constants = graph.nodes.flatMap((node) => constantOf(node) ?? [])
  return new Map([...graph.initializers.values(), ...constants].map((item) => [item.name, item]))
}
