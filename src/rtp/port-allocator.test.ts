import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PortRange } from './port-allocator.ts'

const takeAll = (range: PortRange, nowMs: number) => {
  const ports: number[] = []
  for (let port = range.take(nowMs); port !== undefined; port = range.take(nowMs)) ports.push(port)
  return ports
}

test('ports are even, each with its next in the range, and none is given twice', () => {
  const ports = takeAll(new PortRange({ from: 10_001, to: 10_010 }), 0)
  assert.deepEqual(
    ports.toSorted((a, b) => a - b),
    [10_002, 10_004, 10_006, 10_008],
  )
})

test('a range without a pair gives nothing', () => {
  assert.equal(new PortRange({ from: 10_001, to: 10_002 }).take(0), undefined)
  assert.equal(new PortRange({ from: 10_000, to: 9000 }).take(0), undefined)
})

test('ports come at random', () => {
  const firsts = new Set(Array.from({ length: 20 }, () => new PortRange({ from: 10_000, to: 20_000 }).take(0)))
  assert.ok(firsts.size > 10)
})

test('a released port is not reused for ten seconds', () => {
  const range = new PortRange({ from: 10_000, to: 10_003 })
  const [first = 0] = takeAll(range, 0)
  range.release(first, 1000)
  range.release(first, 5000) // a second release has no effect
  assert.equal(range.take(1000), undefined)
  assert.equal(range.take(10_999), undefined)
  assert.deepEqual([range.count, range.free(10_999), range.free(11_000)], [2, 0, 1])
  assert.equal(range.take(11_000), first)
  assert.equal(range.take(11_000), undefined)
})
