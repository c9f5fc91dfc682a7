// The cursor of the next page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextCursor } from './next-cursor.ts'

test('reads the next cursor; undefined without a next page', () => {
  assert.equal(nextCursor('</api/calls?limit=50&cursor=WyJhIl0>; rel="next"'), 'WyJhIl0')
  assert.equal(nextCursor('</api/calls?cursor=a%3D>; rel="next"'), 'a=')
  assert.equal(nextCursor('</api/calls?cursor=a>; rel="prev"'), undefined)
  assert.equal(nextCursor(null), undefined)
})
