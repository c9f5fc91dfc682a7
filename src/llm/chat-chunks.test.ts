import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callAssembler, reasoningFilter } from './chat-chunks.ts'

const assembled = (...deltas: unknown[]) => {
  const calls = callAssembler()
  for (const delta of deltas) calls.add(delta)
  return calls.whole().map(({ id, name, args }) => ({ id, name, args }))
}
const piece = (index: unknown, id: unknown, name: unknown, text: unknown) => ({
  index,
  id,
  function: { name, arguments: text },
})

test('calls are assembled by index, even if their deltas are interleaved', () => {
  const calls = assembled(
    [piece(0, 'a', 'find', ''), piece(1, 'b', 'book', '{"d')],
    [piece(1, undefined, undefined, 'ay":1}')],
    [piece(0, undefined, undefined, '{"x":'), piece(0, null, null, '2}')],
  )
  assert.deepEqual(calls, [
    { id: 'a', name: 'find', args: { x: 2 } },
    { id: 'b', name: 'book', args: { day: 1 } },
  ])
})

test('if every call has the same index, or none, the ids separate them', () => {
  const whole = [
    { id: 'a', name: 'find', args: { x: 1 } },
    { id: 'b', name: 'find', args: { x: 2 } },
  ]
  assert.deepEqual(assembled([piece(0, 'a', 'find', '{"x":1}')], [piece(0, 'b', 'find', '{"x":2}')]), whole)
  const bare = [piece(undefined, 'a', 'find', '{"x":1}'), piece(undefined, 'b', 'find', '{"x":')]
  assert.deepEqual(
    assembled(bare, [piece(undefined, 'b', 'find', '2')], [piece(undefined, undefined, null, '}')]),
    whole,
  )
})

test('a call without an id gets one, missing arguments are empty, and arguments may be an object', () => {
  const [first, second] = assembled([piece(0, undefined, 'end', undefined)], [piece(1, '', 'find', { x: 1 })])
  assert.deepEqual([first?.args, second?.args], [{}, { x: 1 }])
  assert.ok(first?.id && second?.id && first.id !== second.id)
})

test('arguments that are not JSON stay a string', () => {
  assert.deepEqual(assembled([piece(0, 'a', 'find', '{"x":')]), [{ id: 'a', name: 'find', args: '{"x":' }])
})

test('malformed deltas are not a call, and endless calls or arguments are refused', () => {
  assert.deepEqual(assembled(undefined, null, 'x', [null, 5, {}], [{ function: null }]), [])
  assert.throws(() => assembled(Array.from({ length: 100 }, (_, i) => piece(i, `${i}`, 'x', ''))), RangeError)
  assert.throws(() => assembled([piece(0, 'a', 'x', 'x'.repeat(2_000_000))]), RangeError)
})

test('leading reasoning is dropped, wherever the chunks are split', () => {
  const spoken = (text: string, size: number) => {
    const filter = reasoningFilter()
    return (text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []).map(filter).join('')
  }
  for (const size of [1, 3, 100]) {
    assert.equal(spoken('<think>Well, </thin k> hm</think>\n\nGood day.', size), 'Good day.')
    assert.equal(spoken('\n<think></think>Yes', size), 'Yes')
    assert.equal(spoken('A <think> later is said.', size), 'A <think> later is said.')
    assert.equal(spoken('<thanks>', size), '<thanks>')
    assert.equal(spoken('<think>without end', size), '')
  }
})
