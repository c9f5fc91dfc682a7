import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonGuard, jsonProblem } from './json-guard.ts'

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
  const guard = jsonGuard({ depth: 2 })
  for (const piece of ['["\\', '"[[[[', '",[', '1']) assert.equal(guard.problemIn(Buffer.from(piece)), null, piece)
  assert.equal(guard.problemIn(Buffer.from('[')), 'depth')
  assert.equal(jsonProblem(Buffer.from(': a comment with one "\ndata: [[['), { depth: 2 }), 'depth')
})

test('depth is counted up to the current byte only, and a restart begins a new text', () => {
  const guard = jsonGuard({ depth: 2 })
  assert.equal(guard.problemIn(Buffer.from('[[')), null)
  guard.restart()
  assert.equal(guard.problemIn(Buffer.from('[[]]')), null)
})
