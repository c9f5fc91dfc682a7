// Products of a signal with itself at many lags, in WebAssembly with 128-bit SIMD: four lags in each register.
// pitch-tracker.ts has the same arithmetic in TypeScript.
import {
  advance,
  assembleModule,
  type Code,
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

/** Every second one of the last `size` samples is used. */
export type AutocorrelationShape = { samples: number; size: number; longest: number; lags: number }

export type Autocorrelation = {
  /** Filled by the caller before a run, the newest sample last. */
  readonly samples: Float32Array
  /** The sums of products after a run, from the longest lag down. */
  readonly sums: Float32Array
  run(): void
}

const LANES = 4
/** Sums that stay in registers: x64 has 16. */
const AT_ONCE = 8

type Kernel = (newest: number, samples: number, end: number, sums: number, sumsEnd: number) => void

/** Null where WebAssembly or its SIMD is missing or forbidden. `lags` is a multiple of 32. */
export function createAutocorrelation({ samples, size, longest, lags }: AutocorrelationShape): Autocorrelation | null {
  const sumsAt = 4 * samples
  const kernel = instantiate(sumsAt + 4 * lags)
  if (!kernel) return null
  const { memory, correlate } = kernel
  const from = samples - size
  return {
    samples: new Float32Array(memory.buffer, 0, samples),
    sums: new Float32Array(memory.buffer, sumsAt, lags),
    run: () => correlate(4 * from, 4 * (from - longest), 4 * samples, sumsAt, sumsAt + 4 * lags),
  }
}

const instantiate = lazyModule<{ correlate: Kernel }>(() => assemble())

/** correlate(newer, older, end, sums, sumsEnd): `newer` is the first sample, `older` the one at the longest lag before it. */
function correlateBody(): Code {
  const [newer, older, end, sums, sumsEnd, at, before] = [0, 1, 2, 3, 4, 5, 6]
  const factor = 7
  const totals = Array.from({ length: AT_ONCE }, (_, n) => 8 + n)
  const addProduct = (total: number, n: number) => [
    ...get(total),
    ...[...get(before), ...v128.load(4 * LANES * n), ...get(factor), ...v128.mul],
    ...v128.add,
    ...set(total),
  ]
  return loop(
    [...get(newer), ...set(at), ...get(older), ...set(before)],
    totals.flatMap((total) => [...v128.constant(0), ...set(total)]),
    loop(
      [...get(at), ...v128.load32Splat(), ...set(factor)],
      totals.flatMap(addProduct),
      advance(at, 8),
      advance(before, 8),
      [...get(at), ...get(end), ...i32.lessThan, ...repeatIf],
    ),
    totals.flatMap((total, n) => [...get(sums), ...get(total), ...v128.store(4 * LANES * n)]),
    advance(sums, 4 * LANES * AT_ONCE),
    advance(older, 4 * LANES * AT_ONCE),
    [...get(sums), ...get(sumsEnd), ...i32.lessThan, ...repeatIf],
  )
}

const assemble = () =>
  assembleModule([
    {
      name: 'correlate',
      params: Array<number>(5).fill(I32),
      locals: [
        [2, I32],
        [1 + AT_ONCE, V128],
      ],
      body: correlateBody(),
    },
  ])
