import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Headers, headerName } from './headers.ts'

test('compact and differently written names are one name', () => {
  for (const name of ['v', 'V', 'via', 'Via', 'VIA', 'vIa']) assert.equal(headerName(name), 'via')
  for (const [short, long] of [
    ['x', 'session-expires'],
    ['r', 'refer-to'],
    ['e', 'content-encoding'],
    ['K', 'supported'],
  ])
    assert.equal(headerName(short ?? ''), long)
  assert.equal(headerName('X-Thing'), 'x-thing')
})

test('values are found under any spelling, in their order', () => {
  const headers = new Headers([
    ['v', 'one'],
    ['To', 'you'],
    ['VIA', 'two'],
  ])
  assert.equal(headers.get('Via'), 'one')
  assert.deepEqual(headers.all('v'), ['one', 'two'])
  assert.equal(headers.has('t'), true)
  assert.equal(headers.has('from'), false)
  assert.equal(headers.get('from'), undefined)
})

test('set keeps the place of the first and drops the others', () => {
  const headers = new Headers([
    ['a-x', '1'],
    ['via', '2'],
    ['b-x', '3'],
    ['via', '4'],
  ])
  headers.set('Via', '5').set('New', '6')
  assert.deepEqual(
    [...headers],
    [
      ['a-x', '1'],
      ['via', '5'],
      ['b-x', '3'],
      ['new', '6'],
    ],
  )
})

test('what is prepended comes first, what is removed is gone', () => {
  const headers = new Headers([
    ['via', 'old'],
    ['to', 'you'],
  ])
  headers.prepend('Via', 'new').remove('TO').add('Route', 'a', 'b')
  assert.deepEqual(
    [...headers],
    [
      ['via', 'new'],
      ['via', 'old'],
      ['route', 'a'],
      ['route', 'b'],
    ],
  )
})

test('a copy is its own', () => {
  const first = new Headers([['to', 'you']])
  const second = first.copy().set('to', 'me').add('x-more', '1')
  assert.equal(first.get('to'), 'you')
  assert.equal(first.has('x-more'), false)
  assert.equal(second.get('to'), 'me')
})

test('names of the language are names like others', () => {
  const headers = new Headers([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ])
  assert.equal(headers.get('__proto__'), 'x')
  assert.equal(headers.get('constructor'), 'y')
  assert.equal(headers.get('toString'), undefined)
})
