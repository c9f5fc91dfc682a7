// Whisper's decoder, token by token, for one hypothesis or several in a batch.
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { loadRuntime } from '../onnx/runtime.ts'
import { LOGIT_ROWS } from './graph.ts'

type Runtime = Awaited<ReturnType<typeof loadRuntime>>
type Past = Readonly<Record<string, Tensor>>

/** What the decoder remembers of each hypothesis. */
export type DecoderState = { readonly sound: Tensor; readonly size: number; readonly past: Past; readonly single: Past }

export type Decoder = {
  /** Logits after each token of the opening from the position `from` on. */
  open(sound: Tensor, opening: readonly number[], from: number): Promise<{ state: DecoderState; rows: Float32Array[] }>
  /** Adds one token to each hypothesis; `from`: which hypothesis of `state` each of them continues. */
  step(
    state: DecoderState,
    tokens: readonly number[],
    from: readonly number[],
  ): Promise<{ state: DecoderState; rows: Float32Array[] }>
}

export type DecoderParts = { runtime: Runtime; session: InferenceSession; heads: number; headSize: number }

const isOfSound = (name: string) => name.includes('.encoder.')

export function decoderOf({ runtime, session, heads, headSize }: DecoderParts): Decoder {
  const pastNames = session.inputNames.filter((name) => name.startsWith('past_key_values'))
  /** Attention to the sound is the same at every step: it is fetched once. */
  const stepOutputs = session.outputNames.filter((name) => !isOfSound(name))
  const empty = new runtime.Tensor('float32', new Float32Array(0), [1, heads, 0, headSize])
  const flag = (value: boolean) => new runtime.Tensor('bool', [value], [1])
  const ids = (values: readonly number[], count: number) =>
    new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), [count, values.length / count])

  const positions = (from: number, to: number) =>
    new runtime.Tensor(
      'int64',
      BigInt64Array.from({ length: to - from }, (_, i) => BigInt(from + i)),
      [to - from],
    )
  const noRows = positions(0, 0)

  function picked(of: Tensor, from: readonly number[]): Tensor {
    const data = of.data as Float32Array
    const each = data.length / (of.dims[0] as number)
    const out = new Float32Array(each * from.length)
    for (const [i, k] of from.entries()) out.set(data.subarray(k * each, (k + 1) * each), i * each)
    return new runtime.Tensor('float32', out, [from.length, ...of.dims.slice(1)])
  }

  function rowsOf(logits: Tensor): Float32Array[] {
    const data = logits.data as Float32Array
    const width = logits.dims.at(-1) as number
    return Array.from({ length: data.length / width }, (_, i) => data.subarray(i * width, (i + 1) * width))
  }

  function kept(before: Past, made: InferenceSession.OnnxValueMapType): Past {
    return Object.fromEntries(
      pastNames.map((name) => [
        name,
        (made[name.replace('past_key_values', 'present')] as Tensor) ?? (before[name] as Tensor),
      ]),
    )
  }

  /** As many hypotheses as `from` names; unchanged where they are the same ones. */
  function continued(state: DecoderState, from: readonly number[]): DecoderState {
    if (from.length === state.size && from.every((k, i) => k === i)) return state
    const size = from.length
    const first = Array.from({ length: size }, () => 0)
    const isSameSize = size === state.size
    const past = pastNames.map((name): [string, Tensor] => {
      if (!isOfSound(name)) return [name, picked(state.past[name] as Tensor, from)]
      return [name, isSameSize ? (state.past[name] as Tensor) : picked(state.single[name] as Tensor, first)]
    })
    const sound = isSameSize ? state.sound : picked(state.sound, first)
    return { sound, size, past: Object.fromEntries(past), single: state.single }
  }

  return {
    async open(sound, opening, from) {
      const nothing = Object.fromEntries(pastNames.map((name) => [name, empty]))
      const asked = {
        input_ids: ids(opening, 1),
        encoder_hidden_states: sound,
        use_cache_branch: flag(false),
        [LOGIT_ROWS]: positions(from, opening.length),
      }
      const made = await session.run({ ...asked, ...nothing }, session.outputNames)
      const past = kept(nothing, made)
      return { state: { sound, size: 1, past, single: past }, rows: rowsOf(made.logits as Tensor) }
    },
    async step(before, tokens, from) {
      const state = continued(before, from)
      const asked = {
        input_ids: ids(tokens, state.size),
        encoder_hidden_states: state.sound,
        use_cache_branch: flag(true),
        [LOGIT_ROWS]: noRows,
      }
      const made = await session.run({ ...asked, ...state.past }, stepOutputs)
      return { state: { ...state, past: kept(state.past, made) }, rows: rowsOf(made.logits as Tensor) }
    },
  }
}
