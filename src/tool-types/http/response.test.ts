import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpResponse } from '../../base/outside/http-port.ts'
import { at, parsePath } from '../json-path.ts'
import { excerptOf, readResponse } from './response.ts'

const answer = (body: string | Buffer, type?: string): HttpResponse => ({
  status: 200,
  headers: type === undefined ? {} : { 'content-type': type },
  body: Buffer.from(body),
})
const order = { order: { id: 7, items: [{ name: 'a', n: 1 }, { name: 'b' }], note: null }, 'odd.key': true, big: 'x' }

test('paths select values in objects and lists', () => {
  const get = (path: string) => at(order, parsePath(path) ?? assert.fail(path))
  assert.equal(get('order.id'), 7)
  assert.equal(get('$.order.items[1].name'), 'b')
  assert.deepEqual(get('order.items[*].name'), ['a', 'b'])
  assert.deepEqual(get('order.items[].n'), [1])
  assert.equal(get("['odd.key']"), true)
  assert.equal(get('["odd.key"]'), true)
  assert.equal(get('order.note'), null)
  assert.equal(get('$'), order)
  for (const path of [
    'order.none',
    'order.items[5].name',
    'order.id.x',
    'order.toString',
    '__proto__',
    'order.items.length.x',
  ])
    assert.equal(get(path), undefined, path)
  const wrong = ['a..b', 'a[', 'a[-1]', 'a[?(@.x)]', '$..a', 'a[1:2]', `${'a.'.repeat(30)}a`, 'a b[', 'a.']
  for (const path of wrong) assert.equal(parsePath(path), null, path)
})

test('a path selects the first hundred items of a long list', () => {
  const many = { list: Array.from({ length: 1000 }, (_, i) => i) }
  assert.equal((at(many, parsePath('list[*]') ?? []) as number[]).length, 100)
})

test('JSON is parsed, filtered and provides variables', () => {
  const read = readResponse(answer(JSON.stringify(order), 'application/json; charset=utf-8'), {
    filter: ['order.id', 'order.items[*].name', 'none'],
    variables: { id: 'order.id', first: 'order.items[0]', none: 'x.y', nothing: 'order.note' },
  })
  assert.deepEqual(read, {
    text: '{"order.id":7,"order.items[*].name":["a","b"]}',
    value: order,
    variables: { id: '7', first: '{"name":"a","n":1}' },
  })
})

test('other text types are read as text, and binary types are only described', () => {
  const text = (body: string | Buffer, type?: string) => {
    const read = readResponse(answer(body, type), {})
    return typeof read === 'string' ? read : read.text
  }
  assert.equal(text('hello', 'text/plain'), 'hello')
  assert.equal(text('hello'), 'hello')
  assert.equal(text(Buffer.from('ação', 'latin1'), 'text/plain; charset=ISO-8859-1'), 'ação')
  assert.equal(text('x', 'text/plain; charset=nonsense'), 'x')
  assert.equal(text(Buffer.from('São Paulo', 'latin1'), 'text/plain'), 'São Paulo', 'undeclared Latin-1')
  assert.equal(text(Buffer.from('São Paulo'), 'text/plain'), 'São Paulo')
  assert.equal(text('<a/>', 'application/xml'), '<a/>')
  assert.equal(text('{"a": 1}', 'text/html'), '{"a":1}')
  assert.equal(text('{"a": 1}', 'application/problem+json'), '{"a":1}')
  assert.equal(text('', 'application/json'), 'Done: the answer is empty.')
  assert.equal(
    text('%PDF', 'application/pdf'),
    'Done: the answer is 4 bytes of application/pdf, which cannot be read here.',
  )
  assert.equal(text('{', 'application/json'), 'its answer says it is JSON and is not')
  assert.equal(
    text('['.repeat(100_000) + ']'.repeat(100_000), 'application/json'),
    'the answer is nested too deeply, or has too many keys',
  )
})

test('an excerpt is one short line', () => {
  assert.equal(excerptOf(answer('<html><b>No\n\n such</b> order\u0007</html>', 'text/html')), 'No such order')
  assert.equal(excerptOf(answer('x'.repeat(5000), 'text/plain')).length, 301)
  assert.equal(excerptOf(answer('PNG', 'image/png')), '')
})
