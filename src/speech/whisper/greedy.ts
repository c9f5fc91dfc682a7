// Greedy decoding: the most likely token at each step. Tokens of an earlier hypothesis are checked in one pass of the decoder.
import type { Tensor } from 'onnxruntime-node'
import type { Decoder, DecoderState } from './decoder.ts'
import { chooseToken, mostTokens, repeatLength } from './guards.ts'
import type { WhisperTokens } from './tokens.ts'

export type Opened = {
  state: DecoderState
  /** Logits after the opening, and after each token of the draft. */
  rows: readonly Float32Array[]
  noSpeech: number
  /** Tokens of an earlier hypothesis, read together with the opening. */
  draft: readonly number[]
  openingLength: number
}
export type Greedy = { said: readonly number[]; sum: number; isCancelled: boolean }

/** A longer draft needs too many logits at a time. */
const MAX_DRAFT = 64

/** The start is the fourth token from the end of the opening: hints and a prompt come before it. */
export async function openDecoder(
  { decoder, tokens, sound }: { decoder: Decoder; tokens: WhisperTokens; sound: Tensor },
  opening: readonly number[],
  earlier: readonly number[] = [],
): Promise<Opened> {
  const draft = earlier.slice(0, MAX_DRAFT)
  const last = opening.length - 1
  const wanted = [opening.length - 4, ...Array.from({ length: draft.length + 1 }, (_, i) => last + i)]
  const { state, rows } = await decoder.open(sound, [...opening, ...draft], wanted)
  const atStart = rows[0] as Float32Array
  const { logSum } = chooseToken(atStart, new Uint8Array(atStart.length))
  const noSpeech = Math.exp((atStart[tokens.noSpeech] as number) - logSum)
  return { state, rows: rows.slice(1), noSpeech, draft, openingLength: opening.length }
}

export type GreedySearch = {
  decoder: Pick<Decoder, 'step' | 'shortened'>
  tokens: Pick<WhisperTokens, 'end' | 'suppressed' | 'suppressedFirst'>
  seconds: number
  isCancelled: () => boolean
}

/** Each token is the most likely one after those before it; from the first one that differs from the draft on, step by step. */
export async function decodeGreedily(
  { decoder, tokens, seconds, isCancelled }: GreedySearch,
  opened: Omit<Opened, 'noSpeech'>,
): Promise<Greedy> {
  const { draft, openingLength } = opened
  const said: number[] = []
  const most = mostTokens(seconds)
  /** Undefined while all tokens are those of the draft. */
  let state: DecoderState | undefined
  let row = opened.rows[0] as Float32Array
  let sum = 0
  for (;;) {
    const best = chooseToken(row, said.length === 0 ? tokens.suppressedFirst : tokens.suppressed)
    sum += best.logit - best.logSum
    if (best.token === tokens.end) break
    const known = said.length
    said.push(best.token)
    const repeated = repeatLength(said, seconds)
    said.length -= repeated
    if (repeated > 0 || said.length >= most) break
    if (!state && draft[known] === best.token) {
      row = opened.rows[known + 1] as Float32Array
      continue
    }
    if (isCancelled()) return { said, sum, isCancelled: true }
    state ??= known === draft.length ? opened.state : decoder.shortened(opened.state, openingLength + known)
    const next = await decoder.step(state, [best.token], [0])
    state = next.state
    row = next.rows[0] as Float32Array
  }
  return { said, sum, isCancelled: false }
}
