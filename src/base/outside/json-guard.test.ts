import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonGuard, jsonProblem as problemOf } from './json-guard.ts'
import type { JsonBounds } from './limits.ts'

const wide = { bytes: 1e6, containers: 1e6, entries: 1e6 }
const jsonProblem = (bytes: Uint8Array, bounds: Partial<JsonBounds> & { depth: number }) =>
  problemOf(bytes, { ...wide, ...bounds })

const nested = (depth: number, open = '[', close = ']') => Buffer.from(open.repeat(depth) + close.repeat(depth))
const object = (keys: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i])))

test('JSON nested deeper than the limit is rejected, other JSON is not', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[\n', '\n]'],
  ] as const) {
    assert.equal(jsonProblem(nested(32, open, close), { depth: 32 }), null)
    assert.equal(jsonProblem(nested(33, open, close), { depth: 32 }), 'depth')
  }
  assert.equal(jsonProblem(Buffer.from('{"a":"[[[[","b":"\\"[[[[","c":[1]}'), { depth: 2 }), null)
  assert.equal(jsonProblem(Buffer.from(`[${'[],'.repeat(1000)}[]]`), { depth: 2 }), null, 'side by side is not deep')
})

test('an object or list with more entries than the limit is rejected; several smaller ones are not', () => {
  const bounds = { depth: 8, keys: 10, items: 20 }
  assert.equal(jsonProblem(Buffer.from(object(10)), bounds), null)
  assert.equal(jsonProblem(Buffer.from(object(11)), bounds), 'entries')
  assert.equal(jsonProblem(Buffer.from(JSON.stringify(Array(20).fill(1))), bounds), null)
  assert.equal(jsonProblem(Buffer.from(JSON.stringify(Array(21).fill(1))), bounds), 'entries')
  assert.equal(jsonProblem(Buffer.from(`[${Array(20).fill(object(10)).join()}]`), bounds), null)
  assert.equal(jsonProblem(Buffer.from('["a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v"]'), bounds), null)
})

test('the limits hold across chunks, after an escape split between chunks, and after an unterminated quote', () => {
  const guard = jsonGuard({ ...wide, depth: 2 })
  for (const piece of ['["\\', '"[[[[', '",[', '1']) assert.equal(guard.problemIn(Buffer.from(piece)), null, piece)
  assert.equal(guard.problemIn(Buffer.from('[')), 'depth')
  assert.equal(jsonProblem(Buffer.from(': a comment with one "\ndata: [[['), { depth: 2 }), 'depth')
  assert.equal(jsonProblem(Buffer.from(': a comment with one "\\\ndata: [[['), { depth: 2 }), 'depth')
})

test('lists, objects and entries are counted in all, and so are bytes', () => {
  const bounds = { depth: 8, containers: 10, entries: 20, bytes: 100 }
  assert.equal(jsonProblem(Buffer.from(`[${'[],'.repeat(8)}{}]`), bounds), null)
  assert.equal(jsonProblem(Buffer.from(`[${'[],'.repeat(9)}{}]`), bounds), 'total')
  assert.equal(jsonProblem(Buffer.from(`[${'1,'.repeat(18)}1]`), bounds), null)
  assert.equal(jsonProblem(Buffer.from(`[${'1,'.repeat(20)}1]`), bounds), 'total')
  assert.equal(jsonProblem(Buffer.from(`"${'x'.repeat(98)}"`), bounds), null)
  assert.equal(jsonProblem(Buffer.from(`"${'x'.repeat(99)}"`), bounds), 'bytes')
})

test('each event of a stream is counted for itself, wherever the pieces are split', () => {
  const bounds = { ...wide, depth: 8, containers: 3, bytes: 30 }
  const events = 'data: [[],[]]\r\n\r\ndata: [[],[]]\n\ndata: [[[\r\rdata: [[],[]]'
  for (const size of [1, 3, 100]) {
    const guard = jsonGuard(bounds, { isEvents: true })
    for (let at = 0; at < events.length; at += size)
      assert.equal(guard.problemIn(Buffer.from(events.slice(at, at + size))), null)
    assert.equal(guard.problemIn(Buffer.from('[')), 'total')
  }
  assert.equal(jsonGuard(bounds, { isEvents: true }).problemIn(Buffer.from(`data: ${'x\n'.repeat(20)}`)), 'bytes')
})
