// VAD segmentation, step by step: when someone counts as speaking.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advance, defaultVadOptions, initialVadState, type VadEvent } from './vad-segmenter.ts'

function play(...runs: [probability: number, steps: number][]): VadEvent[] {
  let state = initialVadState
  return runs
    .flatMap(([probability, steps]) => Array.from({ length: steps }, () => probability))
    .flatMap((probability) => {
      const next = advance(state, probability)
      state = next.state
      return next.event ? [next.event] : []
    })
}

test('speech starts after 120 ms and reaches 300 ms back', () => {
  assert.deepEqual(play([0, 20], [0.9, 3]), [])
  assert.deepEqual(play([0, 20], [0.9, 4]), [{ type: 'start', atMs: 24 * 32, fromMs: 20 * 32 - 300 }])
})

test('at the very start of a call there is nothing before it', () => {
  assert.deepEqual(play([0.9, 4]), [{ type: 'start', atMs: 128, fromMs: 0 }])
})

test('clicks are not speech, however many', () => {
  assert.deepEqual(play([0, 5], [0.9, 2], [0.1, 1], [0.9, 3], [0.2, 1], [0.9, 2], [0, 9]), [])
})

test('speech ends after 250 ms of silence, and the end is where the silence began', () => {
  assert.deepEqual(play([0.9, 10], [0.1, 7]).at(-1)?.type, 'start')
  assert.deepEqual(play([0.9, 10], [0.1, 8]).at(-1), { type: 'end', atMs: 18 * 32, toMs: 320 })
})

test('a short pause does not end it', () => {
  assert.deepEqual(
    play([0.9, 10], [0.1, 6], [0.8, 1], [0.1, 6], [0.8, 3]).map((event) => event.type),
    ['start'],
  )
})

test('between the thresholds nothing changes', () => {
  assert.deepEqual(play([0.45, 50]), [])
  assert.equal(play([0.9, 1], [0.4, 3]).length, 1)
  assert.equal(play([0.9, 5], [0.4, 50]).length, 1)
  assert.equal(play([0.9, 5], [0.2, 1], [0.4, 7]).at(-1)?.type, 'end')
})

test('two utterances never share audio', () => {
  const events = play([0.9, 10], [0.1, 8], [0.9, 4])
  assert.deepEqual(
    events.map((event) => event.type),
    ['start', 'end', 'start'],
  )
  const [, end, second] = events
  assert.ok(end?.type === 'end' && second?.type === 'start' && second.fromMs >= end.toMs)
})

test('custom thresholds are applied', () => {
  const rules = { ...defaultVadOptions, startMs: 32 }
  assert.equal(advance(initialVadState, 0.6, rules).event?.type, 'start')
})
