// The arithmetic of Silero VAD in WebAssembly SIMD. A matrix has rows of `width` columns, one column per stream.
import {
  advance,
  assembleModule,
  type Code,
  F32,
  get,
  I32,
  i32,
  loop,
  repeatIf,
  set,
  V128,
  v128,
} from '../../base/process/wasm-assembler.ts'
import { HIDDEN } from './silero-weights.ts'

/** Addresses in bytes; `…End` is where the last row ends. */
export type Kernels = {
  /** Streams computed per call. */
  readonly width: number
  /**
   * out = max(floor, bias + weights * input). The weights are blocks of four rows, `blockBytes` apart; of each block
   * `depthBytes` are used, 16 for each row of the input. Outputs are computed eight rows at a time.
   */
  multiply(
    input: number,
    weights: number,
    bias: number,
    out: number,
    outEnd: number,
    depthBytes: number,
    blockBytes: number,
    floor: number,
  ): void
  /** even = front + back, odd = front - back; front goes forwards, back backwards. */
  fold(front: number, back: number, even: number, evenEnd: number, odd: number): void
  /** out = sqrt(real² + imaginary²) */
  magnitude(real: number, imaginary: number, out: number, outEnd: number): void
  /** The LSTM cell on its gates, then the output layer: `out` is one row of probabilities. */
  gates(gates: number, hidden: number, hiddenEnd: number, cell: number, weights: number, out: number): void
}

/** Rows of weights that are packed together. */
export const BLOCK = 4
/** The number of output rows is a multiple of this. */
export const ROWS = 8

type Shape = { vectors: number; rows: number }

/** The accumulators of `multiply` fill the registers: 32 on ARM64, 16 on x64. */
const shapesOf = (arch: string): Shape[] =>
  arch === 'x64'
    ? [
        { vectors: 1, rows: 8 },
        { vectors: 2, rows: 4 },
      ]
    : [
        { vectors: 1, rows: 8 },
        { vectors: 2, rows: 8 },
        { vectors: 4, rows: 4 },
      ]

export type Machine = { arch: string; hasMadd: boolean }

export const thisMachine = (): Machine => ({
  arch: process.arch,
  hasMadd: WebAssembly.validate(assemble({ vectors: 1, rows: 8 }, true)),
})

/** In ascending width. Throws where WebAssembly SIMD is missing. */
export function createKernels(memory: WebAssembly.Memory, { arch, hasMadd }: Machine): Kernels[] {
  return shapesOf(arch).map((shape) => {
    const bytes = assemble(shape, hasMadd)
    if (!WebAssembly.validate(bytes)) throw new Error('voice activity detection needs WebAssembly with SIMD')
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } })
    return { width: 4 * shape.vectors, ...(exports as Omit<Kernels, 'width'>) }
  })
}

function assemble({ vectors, rows }: Shape, hasMadd: boolean): Uint8Array<ArrayBuffer> {
  const addProduct: AddProduct = (sum, a, b) =>
    hasMadd
      ? [...a, ...b, ...get(sum), ...v128.relaxedMadd, ...set(sum)]
      : [...get(sum), ...a, ...b, ...v128.mul, ...v128.add, ...set(sum)]
  const ints = (count: number) => Array<number>(count).fill(I32)
  return assembleModule([
    {
      name: 'multiply',
      params: [...ints(7), F32],
      locals: [
        [4, I32],
        [rows * vectors + vectors + 3, V128],
      ],
      body: multiplyBody({ vectors, rows }, addProduct),
    },
    { name: 'fold', params: ints(5), locals: [[2, V128]], body: foldBody(vectors) },
    { name: 'magnitude', params: ints(4), locals: [[2, V128]], body: magnitudeBody() },
    {
      name: 'gates',
      params: ints(6),
      locals: [[7 + constants.length + vectors, V128]],
      body: gatesBody(vectors, addProduct),
    },
  ])
}

/** sum += a * b */
type AddProduct = (sum: number, a: Code, b: Code) => Code

const range = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i)
const flat = (count: number, code: (i: number) => Code): Code => range(count).flatMap(code)
const again = (local: number, until: number): Code => [...get(local), ...get(until), ...i32.lessThan, ...repeatIf]
const addTo = (local: number, other: number): Code => [...get(local), ...get(other), ...i32.add, ...set(local)]

function multiplyBody({ vectors, rows }: Shape, addProduct: AddProduct): Code {
  const [input, weights, bias, out, outEnd, depth, blockBytes, floor] = [0, 1, 2, 3, 4, 5, 6, 7]
  const [x, w, second, wEnd] = [8, 9, 10, 11]
  const [lowest, four, factor] = [12, 13, 14]
  const columns = range(vectors, 15)
  const sumAt = (row: number, column: number) => 15 + vectors + row * vectors + column
  const blocks = rows / BLOCK
  const addBlock = (block: number): Code => [
    ...get(block === 0 ? w : second),
    ...v128.load(),
    ...set(four),
    ...flat(BLOCK, (row) => [
      ...[...get(four), ...get(four), ...v128.dupLane(row), ...set(factor)],
      ...flat(vectors, (v) => addProduct(sumAt(block * BLOCK + row, v), get(columns[v] as number), get(factor))),
    ]),
  ]
  return [
    ...[...get(floor), ...v128.splat, ...set(lowest)],
    ...loop(
      flat(rows, (row) => [
        ...[...get(bias), ...v128.load32Splat(4 * row), ...set(sumAt(row, 0))],
        ...range(vectors - 1, 1).flatMap((v) => [...get(sumAt(row, 0)), ...set(sumAt(row, v))]),
      ]),
      [...get(input), ...set(x), ...get(weights), ...set(w)],
      [...get(weights), ...get(blockBytes), ...i32.add, ...set(second)],
      [...get(weights), ...get(depth), ...i32.add, ...set(wEnd)],
      loop(
        flat(vectors, (v) => [...get(x), ...v128.load(16 * v), ...set(columns[v] as number)]),
        flat(blocks, addBlock),
        advance(x, 16 * vectors),
        blocks > 1 ? advance(second, 16) : [],
        advance(w, 16),
        again(w, wEnd),
      ),
      flat(rows * vectors, (i) => [
        ...[...get(out), ...get(sumAt(0, i)), ...get(lowest), ...v128.max],
        ...v128.store(16 * i),
      ]),
      flat(blocks, () => addTo(weights, blockBytes)),
      advance(bias, 4 * rows),
      advance(out, 16 * rows * vectors),
      again(out, outEnd),
    ),
  ]
}

function foldBody(vectors: number): Code {
  const [front, back, even, evenEnd, odd, a, b] = [0, 1, 2, 3, 4, 5, 6]
  const bytes = 16 * vectors
  return loop(
    flat(vectors, (v) => [
      ...[...get(front), ...v128.load(16 * v), ...set(a), ...get(back), ...v128.load(16 * v), ...set(b)],
      ...[...get(even), ...get(a), ...get(b), ...v128.add, ...v128.store(16 * v)],
      ...[...get(odd), ...get(a), ...get(b), ...v128.sub, ...v128.store(16 * v)],
    ]),
    advance(front, bytes),
    advance(back, -bytes),
    advance(even, bytes),
    advance(odd, bytes),
    again(even, evenEnd),
  )
}

function magnitudeBody(): Code {
  const [real, imaginary, out, outEnd, a, b] = [0, 1, 2, 3, 4, 5]
  return loop(
    [...get(real), ...v128.load(), ...set(a), ...get(imaginary), ...v128.load(), ...set(b)],
    [...get(out), ...get(a), ...get(a), ...v128.mul, ...get(b), ...get(b), ...v128.mul],
    [...v128.add, ...v128.sqrt, ...v128.store()],
    advance(real, 16),
    advance(imaginary, 16),
    advance(out, 16),
    again(out, outEnd),
  )
}

function gatesBody(vectors: number, addProduct: AddProduct): Code {
  const [gates, hidden, hiddenEnd, cell, weights, out] = [0, 1, 2, 3, 4, 5]
  const [input, forget, candidate, output, state] = [6, 7, 8, 9, 10]
  const sums = range(vectors, FIRST_CONSTANT + constants.length)
  const bytes = 16 * vectors
  const gate = (index: number, to: number, v: number, activation: Activation): Code => [
    ...[...get(gates), ...v128.load(index * HIDDEN * bytes + 16 * v), ...set(to)],
    ...activation(to, addProduct),
  ]
  const column = (v: number): Code => [
    ...gate(0, input, v, sigmoid),
    ...gate(1, forget, v, sigmoid),
    ...gate(2, candidate, v, tanh),
    ...gate(3, output, v, sigmoid),
    // The new cell state.
    ...[...get(forget), ...get(cell), ...v128.load(16 * v), ...v128.mul, ...set(state)],
    ...addProduct(state, get(input), get(candidate)),
    ...[...get(cell), ...get(state), ...v128.store(16 * v)],
    ...tanh(state, addProduct),
    // The new hidden state; the output layer sees only its positive part.
    ...[...get(output), ...get(state), ...v128.mul, ...set(state)],
    ...[...get(hidden), ...get(state), ...v128.store(16 * v)],
    ...[...get(state), ...constant(0), ...v128.max, ...set(state)],
    ...addProduct(sums[v] as number, get(state), [...get(weights), ...v128.load32Splat()]),
  ]
  return [
    ...constants.flatMap((value, i) => [...v128.constant(value), ...set(FIRST_CONSTANT + i)]),
    ...loop(
      flat(vectors, column),
      advance(gates, bytes),
      advance(hidden, bytes),
      advance(cell, bytes),
      advance(weights, 4),
      again(hidden, hiddenEnd),
    ),
    // The bias comes after the weights.
    ...sums.flatMap((sum, v) => [
      ...[...get(sum), ...get(weights), ...v128.load32Splat(), ...v128.add, ...set(sum)],
      ...sigmoid(sum, addProduct),
      ...[...get(out), ...get(sum), ...v128.store(16 * v)],
    ]),
  ]
}

/** The polynomial of Cephes' expf, highest power first: e^r = 1 + r + r² * p(r) for |r| <= ln 2 / 2. */
const POLYNOMIAL = [1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1]
/** -ln 2 in two parts: the first has so few digits that its multiples are exact. */
const MINUS_LN2 = [-0.693359375, 2.1219444e-4]
/** Beyond this a sigmoid is 0 or 1. */
const MAX_EXPONENT = 80

/** Kept in locals of `gates`: an engine may rebuild a constant at each use. */
const constants = [0, 1, 2, -1, MAX_EXPONENT, -MAX_EXPONENT, Math.LOG2E, ...MINUS_LN2, ...POLYNOMIAL]
const [WHOLE, POWER, FIRST_CONSTANT] = [11, 12, 13]
const constant = (value: number): Code => get(FIRST_CONSTANT + constants.indexOf(value))

/** Replaces a local of `gates` by the function's value. */
type Activation = (local: number, addProduct: AddProduct) => Code

const sigmoid: Activation = (local, addProduct) => [
  ...[...constant(1), ...constant(1)],
  ...exp(local, -1, addProduct),
  ...[...v128.add, ...v128.div, ...set(local)],
]
/** 1 - 2 / (1 + exp(2x)) */
const tanh: Activation = (local, addProduct) => [
  ...[...constant(1), ...constant(2), ...constant(1)],
  ...exp(local, 2, addProduct),
  ...[...v128.add, ...v128.div, ...v128.sub, ...set(local)],
]

/** Leaves e^(scale * local) on the stack; the local is overwritten. */
function exp(local: number, scale: number, addProduct: AddProduct): Code {
  const [first, ...others] = POLYNOMIAL
  return [
    ...[...get(local), ...constant(scale), ...v128.mul],
    ...[...constant(MAX_EXPONENT), ...v128.min, ...constant(-MAX_EXPONENT), ...v128.max, ...set(local)],
    ...[...get(local), ...constant(Math.LOG2E), ...v128.mul, ...v128.nearest, ...set(WHOLE)],
    ...MINUS_LN2.flatMap((part) => addProduct(local, get(WHOLE), constant(part))),
    ...[...constant(first as number), ...set(POWER)],
    ...others.flatMap((factor) => [
      ...[...get(POWER), ...get(local), ...v128.mul, ...constant(factor), ...v128.add, ...set(POWER)],
    ]),
    ...[...get(POWER), ...get(local), ...v128.mul, ...get(local), ...v128.mul],
    ...[...get(local), ...v128.add, ...constant(1), ...v128.add],
    // Times 2^whole, by the exponent's bits.
    ...[...get(WHOLE), ...v128.toInts, ...i32.constant(23), ...v128.shiftLeftInts, ...v128.addInts],
  ]
}
