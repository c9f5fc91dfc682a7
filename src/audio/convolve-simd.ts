// A polyphase filter in WebAssembly with 128-bit SIMD: about eight times as fast as the same loop in JavaScript.
// The module is assembled below, instruction by instruction; resample.ts has the same arithmetic in TypeScript.

/** `up` rows of `width` factors: `down` inputs become `up` outputs. */
export type PolyphaseFilter = { up: number; down: number; width: number; rows: Float64Array }

/** Without state between calls: one serves all streams of its filter. */
export type Convolver = {
  /** New inputs that one call takes. */
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
const PAGE_BYTES = 65_536

/** Null where WebAssembly or its SIMD is missing or forbidden. */
export function createConvolver({ up, down, width, rows }: PolyphaseFilter): Convolver | null {
  const padded = Math.ceil(width / STRIDE) * STRIDE
  const most = Math.max(1, Math.min(MAX_INPUTS, Math.floor(((MAX_OUTPUTS - 1) * down) / up)))
  // The last window may read some inputs too many, for factors of zero.
  const capacity = width + most + STRIDE
  const floatsAt = 4 * up * padded
  const inputAt = floatsAt + 4 * capacity
  const outputAt = inputAt + 2 * capacity
  const kernel = instantiate(Math.ceil((outputAt + 2 * MAX_OUTPUTS) / PAGE_BYTES))
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
  memory: WebAssembly.Memory
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

let compiled: WebAssembly.Module | null | undefined

function instantiate(pages: number): Kernel | null {
  try {
    // The policy of our pages forbids it, and browsers report every attempt: it is made in Node.js only.
    compiled ??= 'Buffer' in globalThis ? new WebAssembly.Module(Uint8Array.from(assemble())) : null
    if (!compiled) return null
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
    return { memory, ...(exports as Pick<Kernel, 'widen' | 'convolve'>) }
  } catch {
    compiled = null
    return null
  }
}

// Instructions, by their names in the WebAssembly specification.
const I32 = 0x7f
const V128 = 0x7b
const end = [0x0b]
const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const loop = (...body: number[][]) => [0x03, 0x40, ...body.flat(), ...end]
/** Back to the start of the innermost loop while what is on the stack is not 0. */
const repeatIf = [0x0d, 0]
const lessThan = [0x49]
const i32 = { add: [0x6a], mul: [0x6c], divide: [0x6e], remainder: [0x70], store16: [0x3b, 1, 0] }
const constant = (value: number) => [0x41, ...signedLeb(value)]
const f32 = {
  constant: (value: number) => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  floor: [0x8e],
  add: [0x92],
  min: [0x96],
  max: [0x97],
  toI32: [0xa8],
}
const v128 = {
  load: (offset: number) => [0xfd, 0x00, 2, offset],
  load16x4: [0xfd, 0x03, 1, 0],
  store: [0xfd, 0x0b, 2, 0],
  zero: [0xfd, 0x0c, ...Array<number>(16).fill(0)],
  lane: (n: number) => [0xfd, 0x1f, n],
  add: [0xfd, 0xe4, 0x01],
  mul: [0xfd, 0xe6, 0x01],
  toFloats: [0xfd, 0xfa, 0x01],
}
const advance = (local: number, by: number) => [...get(local), ...constant(by), ...i32.add, ...set(local)]

/** widen(from, to, end): 16-bit samples as 32-bit floats. */
function widenBody(): number[] {
  const [from, to, until] = [0, 1, 2]
  return loop(
    [...get(to), ...get(from), ...v128.load16x4, ...v128.toFloats, ...v128.store],
    advance(from, 8),
    advance(to, 16),
    [...get(from), ...get(until), ...lessThan, ...repeatIf],
  )
}

/** convolve(input, rows, rowBytes, out, end, phase, up, down): each output is an input window times the row of its phase. */
function convolveBody(): number[] {
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
    sums.flatMap((sum) => [...v128.zero, ...set(sum)]),
    loop(sums.flatMap(addProduct), advance(sample, 4 * STRIDE), advance(factor, 4 * STRIDE), [
      ...get(factor),
      ...get(rowEnd),
      ...lessThan,
      ...repeatIf,
    ]),
    [...get(11), ...get(12), ...v128.add, ...get(13), ...get(14), ...v128.add, ...v128.add, ...set(11)],
    get(out),
    lanes.flat(),
    // Rounded, and cut at full scale.
    [...f32.constant(0.5), ...f32.add, ...f32.floor],
    [...f32.constant(-32768), ...f32.max, ...f32.constant(32767), ...f32.min, ...f32.toI32, ...i32.store16],
    advance(out, 2),
    // phase += down; input += phase / up; phase %= up
    [...get(phase), ...get(down), ...i32.add, ...set(phase)],
    [...get(input), ...get(phase), ...get(up), ...i32.divide, ...constant(4), ...i32.mul, ...i32.add, ...set(input)],
    [...get(phase), ...get(up), ...i32.remainder, ...set(phase)],
    [...get(out), ...get(until), ...lessThan, ...repeatIf],
  )
}

function assemble(): number[] {
  const text = (value: string) => [value.length, ...new TextEncoder().encode(value)]
  const section = (id: number, body: number[]) => [id, ...leb(body.length), ...body]
  const signature = (params: number) => [0x60, params, ...Array<number>(params).fill(I32), 0]
  const body = (locals: number[], code: number[]) => {
    const all = [...locals, ...code, ...end]
    return [...leb(all.length), ...all]
  }
  return [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // '\0asm', version 1
    ...section(1, [2, ...signature(3), ...signature(8)]),
    ...section(2, [1, ...text('env'), ...text('memory'), 0x02, 0, 0]),
    ...section(3, [2, 0, 1]),
    ...section(7, [2, ...text('widen'), 0, 0, ...text('convolve'), 0, 1]),
    ...section(10, [2, ...body([0], widenBody()), ...body([2, 3, I32, 4, V128], convolveBody())]),
  ]
}

/** Unsigned LEB128, and signed. */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]
}

function signedLeb(value: number): number[] {
  const isLast = value >= -64 && value < 64
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signedLeb(value >> 7)]
}
