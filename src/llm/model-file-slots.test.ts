// Admission to a model's sequences in this process: who gets one, and who waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replySlots } from './model-file-slots.ts'

const never = new AbortController().signal
const slotsOf = (count: number) =>
  replySlots(
    Array.from({ length: count }, (_, at) => at),
    () => new Error('busy'),
  )
const call = (text = '') => ({ text, isBackground: false })
const background = { text: '', isBackground: true }

test('a conversation gets the sequence that has read most of it', async () => {
  const slots = slotsOf(2)
  const [a, b] = [await slots.take(call('ana: hi'), never), await slots.take(call('bia: hello'), never)]
  assert.ok(a && b)
  slots.release(b)
  slots.release(a)
  assert.equal(await slots.take(call('bia: hello, is the doctor in'), never), b)
  assert.equal(await slots.take(call('bia: hello'), never), a, 'the other one, rather than wait')
})

test('four wait in order, a fifth is refused, and whoever leaves makes room', async () => {
  const slots = slotsOf(1)
  const held = await slots.take(call(), never)
  assert.ok(held)
  const leaving = new AbortController()
  const order: number[] = []
  const waiting = [1, 2, 3, 4].map(async (number) => {
    const slot = await slots.take(call(), number === 2 ? leaving.signal : never)
    if (!slot) return
    order.push(number)
    slots.release(slot)
  })
  await assert.rejects(slots.take(call(), never), /busy/)
  leaving.abort()
  await waiting[1]
  const fifth = slots.take(call(), never)
  slots.release(held)
  await Promise.all(waiting)
  assert.ok(await fifth)
  assert.deepEqual(order, [1, 3, 4])
  const gone = AbortSignal.abort()
  assert.equal(await slots.take(call(), gone), undefined)
})

test('background work leaves one sequence to the calls, which go before it', async () => {
  const slots = slotsOf(2)
  const first = await slots.take(background, never)
  assert.ok(first)
  const order: string[] = []
  const take = async (name: string, wanted: typeof background) => {
    const slot = await slots.take(wanted, never)
    assert.ok(slot)
    order.push(name)
    return slot
  }
  const second = take('background', background)
  const third = await take('call', call())
  const fourth = take('waiting call', call())
  slots.release(first)
  const last = await fourth
  slots.release(third)
  slots.release(last)
  await second
  assert.deepEqual(order, ['call', 'waiting call', 'background'])
})
