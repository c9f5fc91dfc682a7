// A polyphase filter in WebAssembly with 128-bit SIMD: about eight times as fast as the same loop in JavaScript.
// resample.ts has the same arithmetic in TypeScript.
import {
  advance,
  assembleModule,
  type Code,
  f32,
  get,
  I32,
  i32,
  lazyModule,
  loop,
  repeatIf,
  set,
  V128,
  v128,
} from '../base/process/wasm-assembler.ts'

/** `up` rows of `width` factors: `down` inputs become `up` outputs. */
export type PolyphaseFilter = { up: number; down: number; width: number; rows: Float64Array }

/** Stateless between calls: one serves all streams of its filter. */
export type Convolver = {
  /** The most new inputs per call. */
  readonly most: number
  /** The first `count` outputs for the inputs `history` and then `pcm`: a view, until the next call. */
  run(history: Int16Array, pcm: Int16Array, phase: number, count: number): Int16Array
  /** The inputs of the last call from `from` on. */
  inputs(from: number): Int16Array
}

/** Factors of four registers: rows are padded with zeros to a multiple of it. */
const STRIDE = 16
const MAX_INPUTS = 2048
const MAX_OUTPUTS = 4096

/** Null where WebAssembly or its SIMD is missing or forbidden. */
export function createConvolver({ up, down, width, rows }: PolyphaseFilter): Convolver | null {
  const padded = Math.ceil(width / STRIDE) * STRIDE
  const most = Math.max(1, Math.min(MAX_INPUTS, Math.floor(((MAX_OUTPUTS - 1) * down) / up)))
  // The last window may read some inputs too many, for factors of zero.
  const capacity = width + most + STRIDE
  const floatsAt = 4 * up * padded
  const inputAt = floatsAt + 4 * capacity
  const outputAt = inputAt + 2 * capacity
  const kernel = instantiate(outputAt + 2 * MAX_OUTPUTS)
  if (!kernel) return null
  const { memory, convolve, widen } = kernel
  const factors = new Float32Array(memory.buffer, 0, up * padded)
  for (let row = 0; row < up; row++) factors.set(rows.subarray(row * width, (row + 1) * width), row * padded)
  const input = new Int16Array(memory.buffer, inputAt, capacity)
  const output = new Int16Array(memory.buffer, outputAt, MAX_OUTPUTS)
  let filled = 0
  return {
    most,
    run(history, pcm, phase, count) {
      input.set(history)
      input.set(pcm, history.length)
      filled = history.length + pcm.length
      if (count > 0) {
        widen(inputAt, floatsAt, inputAt + 2 * filled)
        convolve(floatsAt, 0, 4 * padded, outputAt, outputAt + 2 * count, phase, up, down)
      }
      return output.subarray(0, count)
    },
    inputs: (from) => input.subarray(from, filled),
  }
}

type Kernel = {
  widen(from: number, to: number, end: number): void
  convolve(
    input: number,
    rows: number,
    rowBytes: number,
    out: number,
    end: number,
    phase: number,
    up: number,
    down: number,
  ): void
}

const instantiate = lazyModule<Kernel>(() => assemble())

/** widen(from, to, end): 16-bit samples as 32-bit floats. */
function widenBody(): Code {
  const [from, to, until] = [0, 1, 2]
  return loop(
    [...get(to), ...get(from), ...v128.load16x4, ...v128.toFloats, ...v128.store()],
    advance(from, 8),
    advance(to, 16),
    [...get(from), ...get(until), ...i32.lessThan, ...repeatIf],
  )
}

/** convolve(input, rows, rowBytes, out, end, phase, up, down): each output is an input window times the row of its phase. */
function convolveBody(): Code {
  const [input, rows, rowBytes, out, until, phase, up, down, sample, factor, rowEnd] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]
  const sums = [11, 12, 13, 14]
  const product = (n: number) => [
    ...get(sample),
    ...v128.load(16 * n),
    ...get(factor),
    ...v128.load(16 * n),
    ...v128.mul,
  ]
  const addProduct = (sum: number, n: number) => [...get(sum), ...product(n), ...v128.add, ...set(sum)]
  const lanes = [0, 1, 2, 3].map((n) => [...get(sums[0] as number), ...v128.lane(n), ...(n === 0 ? [] : f32.add)])
  return loop(
    [...get(input), ...set(sample)],
    [...get(rows), ...get(phase), ...get(rowBytes), ...i32.mul, ...i32.add, ...set(factor)],
    [...get(factor), ...get(rowBytes), ...i32.add, ...set(rowEnd)],
    sums.flatMap((sum) => [...v128.constant(0), ...set(sum)]),
    loop(sums.flatMap(addProduct), advance(sample, 4 * STRIDE), advance(factor, 4 * STRIDE), [
      ...get(factor),
      ...get(rowEnd),
      ...i32.lessThan,
      ...repeatIf,
    ]),
    [...get(11), ...get(12), ...v128.add, ...get(13), ...get(14), ...v128.add, ...v128.add, ...set(11)],
    get(out),
    lanes.flat(),
    // Rounded and clipped at full scale.
    [...f32.constant(0.5), ...f32.add, ...f32.floor],
    [...f32.constant(-32768), ...f32.max, ...f32.constant(32767), ...f32.min, ...f32.toI32, ...i32.store16],
    advance(out, 2),
    // phase += down; input += phase / up; phase %= up
    [...get(phase), ...get(down), ...i32.add, ...set(phase)],
    [
      ...get(input),
      ...get(phase),
      ...get(up),
      ...i32.divide,
      ...i32.constant(4),
      ...i32.mul,
      ...i32.add,
      ...set(input),
    ],
    [...get(phase), ...get(up), ...i32.remainder, ...set(phase)],
    [...get(out), ...get(until), ...i32.lessThan, ...repeatIf],
  )
}

const assemble = () =>
  assembleModule([
    { name: 'widen', params: Array<number>(3).fill(I32), locals: [], body: widenBody() },
    {
      name: 'convolve',
      params: Array<number>(8).fill(I32),
      locals: [
        [3, I32],
        [4, V128],
      ],
      body: convolveBody(),
    },
  ])
