// Assembles small WebAssembly modules from instructions, which are named as in the WebAssembly specification.

/** Instruction bytes. */
const PAGE_BYTES = 65_536
export type Code = readonly number[]

export type WasmFunction = {
  name: string
  params: readonly number[]
  /** Counts and types, after the parameters. */
  locals: readonly (readonly [count: number, type: number])[]
  body: Code
}

export const I32 = 0x7f
export const F32 = 0x7d
export const V128 = 0x7b

const end = [0x0b]
export const get = (local: number): Code => [0x20, ...leb(local)]
export const set = (local: number): Code => [0x21, ...leb(local)]
export const loop = (...body: Code[]): Code => [0x03, 0x40, ...body.flat(), ...end]
/** Jumps back to the start of the innermost loop while the value on the stack is not 0. */
export const repeatIf: Code = [0x0d, 0]

export const i32 = {
  constant: (value: number): Code => [0x41, ...signedLeb(value)],
  lessThan: [0x49],
  add: [0x6a],
  sub: [0x6b],
  mul: [0x6c],
  divide: [0x6e],
  remainder: [0x70],
  store16: [0x3b, 1, 0],
}
export const f32 = {
  constant: (value: number): Code => [0x43, ...floatBytes(value)],
  floor: [0x8e],
  add: [0x92],
  min: [0x96],
  max: [0x97],
  toI32: [0xa8],
}
const simd = (opcode: number): Code => [0xfd, ...leb(opcode)]
export const v128 = {
  load: (offset = 0): Code => [...simd(0x00), 2, ...leb(offset)],
  load16x4: [...simd(0x03), 1, 0],
  /** One float in all four lanes. */
  load32Splat: (offset = 0): Code => [...simd(0x09), 2, ...leb(offset)],
  store: (offset = 0): Code => [...simd(0x0b), 2, ...leb(offset)],
  constant: (value: number): Code => [...simd(0x0c), ...Array(4).fill(floatBytes(value)).flat()],
  /** One lane of a vector that is on the stack twice, in all four lanes. */
  dupLane: (lane: number): Code => [...simd(0x0d), ...Array.from({ length: 16 }, (_, byte) => 4 * lane + (byte % 4))],
  splat: simd(0x13),
  lane: (lane: number): Code => [...simd(0x1f), lane],
  nearest: simd(0x6a),
  sqrt: simd(0xe3),
  add: simd(0xe4),
  sub: simd(0xe5),
  mul: simd(0xe6),
  div: simd(0xe7),
  min: simd(0xe8),
  max: simd(0xe9),
  shiftLeftInts: simd(0xab),
  addInts: simd(0xae),
  toInts: simd(0xf8),
  toFloats: simd(0xfa),
  /** a * b + c, rounded once or twice, whichever is faster on the machine. Not available in every engine. */
  relaxedMadd: simd(0x105),
}
/** local += by */
export const advance = (local: number, by: number): Code => [
  ...get(local),
  ...i32.constant(by),
  ...i32.add,
  ...set(local),
]

/** A module that imports `env.memory` and exports the functions. */
export function assembleModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const section = (id: number, items: Code[]) => {
    const body = [...leb(items.length), ...items.flat()]
    return [id, ...leb(body.length), ...body]
  }
  const bodyOf = ({ locals, body }: WasmFunction) => {
    const all = [...leb(locals.length), ...locals.flatMap(([count, type]) => [...leb(count), type]), ...body, ...end]
    return [...leb(all.length), ...all]
  }
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // '\0asm', version 1
    ...section(
      1,
      functions.map(({ params }) => [0x60, params.length, ...params, 0]),
    ),
    ...section(2, [[...text('env'), ...text('memory'), 0x02, 0, 0]]),
    ...section(
      3,
      functions.map((_, i) => leb(i)),
    ),
    ...section(
      7,
      functions.map(({ name }, i) => [...text(name), 0, ...leb(i)]),
    ),
    ...section(10, functions.map(bodyOf)),
  ])
}

/** Instances of one module, each with its own memory; null if WebAssembly or its SIMD is missing or forbidden. */
export function lazyModule<T extends object>(assemble: () => Uint8Array<ArrayBuffer>) {
  let compiled: WebAssembly.Module | null | undefined
  return (bytes: number): (T & { memory: WebAssembly.Memory }) | null => {
    try {
      // Our pages' content policy forbids WebAssembly, and browsers report every attempt, so it is compiled only in
      // Node.js.
      compiled ??= 'Buffer' in globalThis ? new WebAssembly.Module(assemble()) : null
      if (!compiled) return null
      const pages = Math.ceil(bytes / PAGE_BYTES)
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
      const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
      return { memory, ...(exports as T) }
    } catch {
      compiled = null
      return null
    }
  }
}

const text = (value: string): number[] => [value.length, ...new TextEncoder().encode(value)]
const floatBytes = (value: number): number[] => [...new Uint8Array(Float32Array.of(value).buffer)]

/** Unsigned LEB128, and signed. */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]
}

function signedLeb(value: number): number[] {
  const isLast = value >= -64 && value < 64
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signedLeb(value >> 7)]
}
