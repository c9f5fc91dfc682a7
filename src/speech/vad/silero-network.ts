// The layers of Silero VAD for one group of streams.
//
// All data are matrices [frame][channel][stream], so that a convolution over frames is one matrix product: the
// channels of neighboring frames are neighboring rows.
import { BLOCK, type Kernels, ROWS } from './silero-kernels.ts'
import { type Convolution, FRAMES, HIDDEN, type SileroWeights, TAPS } from './silero-weights.ts'

const PAGE_BYTES = 65_536
const FLOAT = Float32Array.BYTES_PER_ELEMENT

export type Heap = {
  /** Reserves this many floats and returns their address. */
  take(count: number): number
  put(values: Float32Array): number
  /** A view of all memory, valid until the next `take`. */
  floats(): Float32Array
}

export function createHeap(memory: WebAssembly.Memory): Heap {
  let top = 0
  function take(count: number): number {
    const address = top
    // Aligned to cache lines.
    top = Math.ceil((top + count * FLOAT) / 64) * 64
    if (top > memory.buffer.byteLength) memory.grow(Math.ceil((top - memory.buffer.byteLength) / PAGE_BYTES))
    return address
  }
  return {
    take,
    put(values) {
      const address = take(values.length)
      new Float32Array(memory.buffer, address).set(values)
      return address
    },
    floats: () => new Float32Array(memory.buffer),
  }
}

/** Addresses of a group's matrices. */
export type Buffers = Record<
  'sound' | 'folded' | 'spectrum' | 'bins' | 'first' | 'second' | 'third' | 'hidden' | 'cell' | 'gates' | 'probability',
  number
>

/** Buffers for groups of up to `width` streams with a Fourier transform of up to `window` samples. */
export function takeBuffers(heap: Heap, width: number, window: number): Buffers {
  const rows = (count: number) => heap.take(count * width)
  return {
    sound: rows((window / 2) * (FRAMES + 1)),
    folded: rows(window),
    spectrum: rows(2 * padded(window / 2 + 1)),
    bins: rows(FRAMES * (window / 2 + 1)),
    first: rows(FRAMES * 128),
    second: rows((FRAMES / 2) * 64),
    third: rows((FRAMES / 4) * 64),
    /** The input of the LSTM: what the encoder found, then its hidden state. */
    hidden: rows(2 * HIDDEN),
    cell: rows(HIDDEN),
    gates: rows(4 * HIDDEN),
    probability: rows(1),
  }
}

/** A matrix for `Kernels.multiply`: `depth` columns. */
type Packed = { weights: number; bias: number; rows: number; depth: number }
export type Network = {
  window: number
  real: Packed
  imaginary: Packed
  encoder: readonly (Packed & Pick<Convolution, 'inputs' | 'stride'>)[]
  lstm: Packed
  output: number
}

const padded = (rows: number): number => Math.ceil(rows / ROWS) * ROWS

type Matrix = { rows: number; depth: number; at: (row: number, k: number) => number; bias?: Float32Array }

function pack(heap: Heap, { rows, depth, at, bias }: Matrix): Packed {
  const height = padded(rows)
  const weights = new Float32Array(height * depth)
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < depth; k++) weights[(Math.floor(row / BLOCK) * depth + k) * BLOCK + (row % BLOCK)] = at(row, k)
  const all = new Float32Array(height)
  if (bias) all.set(bias)
  return { weights: heap.put(weights), bias: heap.put(all), rows: height, depth }
}

export function packNetwork(heap: Heap, { basis, encoder, lstm, output }: SileroWeights, window: number): Network {
  const half = window / 2
  const factor = (row: number, sample: number) => basis[row * window + sample] as number
  return {
    window,
    // Samples from index 1 on. The middle one is its own mirror image, so folding counts it twice.
    real: pack(heap, {
      rows: half + 1,
      depth: half,
      at: (row, k) => factor(row, k + 1) / (k + 1 === half ? 2 : 1),
    }),
    imaginary: pack(heap, { rows: half + 1, depth: half, at: (row, k) => factor(half + 1 + row, k + 1) }),
    encoder: encoder.map(({ weight, bias, inputs, outputs, stride }) => ({
      inputs,
      stride,
      ...pack(heap, {
        rows: outputs,
        depth: TAPS * inputs,
        at: (row, k) => weight[(row * inputs + (k % inputs)) * TAPS + Math.floor(k / inputs)] as number,
        bias,
      }),
    })),
    lstm: pack(heap, {
      rows: 4 * HIDDEN,
      depth: 2 * HIDDEN,
      at: (row, k) => (k < HIDDEN ? lstm.input[row * HIDDEN + k] : lstm.hidden[row * HIDDEN + k - HIDDEN]) as number,
      bias: lstm.bias,
    }),
    output: heap.put(Float32Array.of(...output.weight, output.bias)),
  }
}

/** Computes `buffers.probability` and the new states from `buffers.sound` and the states. */
export function run(kernels: Kernels, network: Network, buffers: Buffers): void {
  const rowBytes = FLOAT * kernels.width
  transform(kernels, network, buffers)
  const data = [buffers.bins, buffers.first, buffers.second, buffers.third, buffers.hidden]
  let frames = FRAMES
  for (let i = 0; i < network.encoder.length; i++) {
    const { inputs, stride, weights, bias, rows, depth } = network.encoder[i] as Network['encoder'][number]
    const [from, to] = [data[i] as number, data[i + 1] as number]
    const count = Math.ceil(frames / stride)
    for (let frame = 0; frame < count; frame++) {
      // Frames before the first and after the last are zeros: their taps are skipped.
      const start = Math.max(0, frame * stride - 1)
      const end = Math.min(frames, frame * stride - 1 + TAPS)
      const skipped = start - (frame * stride - 1)
      const out = to + frame * rows * rowBytes
      kernels.multiply(
        from + start * inputs * rowBytes,
        weights + skipped * inputs * BLOCK * FLOAT,
        bias,
        out,
        out + rows * rowBytes,
        (end - start) * inputs * BLOCK * FLOAT,
        depth * BLOCK * FLOAT,
        0,
      )
    }
    frames = count
  }
  product(kernels, network.lstm, buffers.hidden, buffers.gates)
  const hidden = buffers.hidden + HIDDEN * rowBytes
  const hiddenEnd = hidden + HIDDEN * rowBytes
  kernels.gates(buffers.gates, hidden, hiddenEnd, buffers.cell, network.output, buffers.probability)
}

/** The magnitudes of the Fourier transform of each frame. */
function transform(kernels: Kernels, network: Network, buffers: Buffers): void {
  const rowBytes = FLOAT * kernels.width
  const { window, real, imaginary } = network
  const bytes = (window / 2) * rowBytes
  const [even, odd] = [buffers.folded, buffers.folded + bytes]
  const [realPart, imaginaryPart] = [buffers.spectrum, buffers.spectrum + real.rows * rowBytes]
  for (let frame = 0; frame < FRAMES; frame++) {
    const start = buffers.sound + frame * bytes
    kernels.fold(start + rowBytes, start + 2 * bytes - rowBytes, even, odd, odd)
    product(kernels, real, even, realPart)
    product(kernels, imaginary, odd, imaginaryPart)
    const out = buffers.bins + frame * (bytes + rowBytes)
    kernels.magnitude(realPart, imaginaryPart, out, out + bytes + rowBytes)
  }
}

/** The product without a lower bound. */
function product(kernels: Kernels, { weights, bias, rows, depth }: Packed, input: number, out: number): void {
  const blockBytes = depth * BLOCK * FLOAT
  const outEnd = out + rows * FLOAT * kernels.width
  kernels.multiply(input, weights, bias, out, outEnd, blockBytes, blockBytes, Number.NEGATIVE_INFINITY)
}
