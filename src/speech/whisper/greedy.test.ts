// Greedy decoding with a draft, on a decoder made of a table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecoderState } from './decoder.ts'
import { decodeGreedily } from './greedy.ts'

const END = 0
const SIZE = 50
const mask = new Uint8Array(SIZE)
const tokens = { end: END, suppressed: mask, suppressedFirst: mask }
const OPENING = 4

/** The state is what was read after the opening. */
const stateOf = (said: readonly number[]) => ({ said }) as unknown as DecoderState
const saidIn = (state: DecoderState) => (state as unknown as { said: readonly number[] }).said

/** A model that says `text`, and after anything else 49 and the end. */
function speaking(text: readonly number[]) {
  const after = (said: readonly number[]) => {
    const isKnown = said.every((token, i) => token === text[i])
    const next = isKnown ? (text[said.length] ?? END) : said.at(-1) === 49 ? END : 49
    return new Float32Array(SIZE).fill(-10).with(next, 5)
  }
  const steps: number[][] = []
  const decoder = {
    async step(state: DecoderState, chosen: readonly number[]) {
      const said = [...saidIn(state), ...chosen]
      steps.push(said)
      return { state: stateOf(said), rows: [after(said)] }
    },
    shortened: (state: DecoderState, length: number) => stateOf(saidIn(state).slice(0, length - OPENING)),
  }
  const decode = (draft: readonly number[], isCancelled = () => false) => {
    const rows = Array.from({ length: draft.length + 1 }, (_, i) => after(draft.slice(0, i)))
    const opened = { state: stateOf(draft), rows, draft, openingLength: OPENING }
    return decodeGreedily({ decoder, tokens, seconds: 3, isCancelled }, opened)
  }
  return { decode, steps }
}

const text = [11, 12, 13, 14, 15]

test('with any draft the tokens are the same as without one', async () => {
  const plain = await speaking(text).decode([])
  for (const draft of [[], [11], [11, 12, 13], text, [...text, 16], [11, 12, 20, 21, 22], [30, 31]])
    assert.deepEqual(await speaking(text).decode(draft), plain, draft.join(' '))
  assert.deepEqual(plain.said, text)
})

test('tokens that the draft has right need no step', async () => {
  for (const [draft, steps] of [
    [[], 5],
    [[11, 12, 13], 2],
    [text, 0],
    [[...text, 16], 0],
    [[11, 12, 20, 21], 3],
  ] as const) {
    const model = speaking(text)
    await model.decode(draft)
    assert.equal(model.steps.length, steps, draft.join(' '))
  }
})

test('after the first difference nothing of the draft is left', async () => {
  const model = speaking(text)
  await model.decode([11, 12, 20, 21])
  assert.deepEqual(model.steps[0], [11, 12, 13])
})

test('what was decoded until it was cancelled is returned', async () => {
  let left = 2
  const cancelled = await speaking(text).decode([11], () => left-- === 0)
  assert.equal(cancelled.isCancelled, true)
  assert.deepEqual(cancelled.said, [11, 12, 13, 14])
})
