import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Json, Run, ToolContext, ToolRecord } from './ports.ts'
import { checkPresent, fillHeaders, fillJson, fillUrl, formOf, namesIn, TemplateError, valuesOf } from './template.ts'

const from = (values: Record<string, unknown>) => (name: string) => values[name]
const url = (template: string, values: Record<string, unknown>) => fillUrl(template, from(values))

test('a value in the path is one segment, in the query one part', () => {
  const filled = url('https://api.test/orders/{id}/items?q={q}&n={n}', { id: 'a b/c', q: 'x&y=z#w', n: 7 })
  assert.equal(filled, 'https://api.test/orders/a%20b%2Fc/items?q=x%26y%3Dz%23w&n=7')
  assert.equal(url('https://api.test?q={q}', { q: 'ação 😀' }), 'https://api.test/?q=a%C3%A7%C3%A3o%20%F0%9F%98%80')
  assert.equal(url('https://api.test/{a}#{a}', { a: ['x', 2] }), 'https://api.test/x%2C2')
  assert.equal(url('https://api.test/?f={f}', { f: { a: 1 } }), 'https://api.test/?f=%7B%22a%22%3A1%7D')
  assert.equal(url('https://api.test/{a}/b', { a: '\ud800' }), 'https://api.test/%EF%BF%BD/b')
})

test('hostile values change neither the host nor other path segments', () => {
  const values = [
    '?x=1#',
    '@evil',
    '%2e%2e',
    '%2e%2e%2fadmin',
    '．．／admin',
    '{other}',
    '//evil.test/',
    ':80',
    '\r\nX: y',
    '\0',
  ]
  values.push('evil.test', '\\\\evil', '?', '#', ';', '&admin=1', '＠evil', '\u202e', '%00', '%', '+')
  for (const value of values) {
    const made = new URL(url('https://api.test/v1/{id}/end?q={id}', { id: value, other: 'no' }))
    assert.equal(made.origin, 'https://api.test', value)
    assert.deepEqual(made.pathname.split('/').length, 4, value)
    assert.equal(decodeURIComponent(made.pathname.split('/')[2] ?? ''), value)
    assert.deepEqual([...made.searchParams], [['q', value]])
    assert.equal(made.hash, '')
  }
})

test('path traversal values are refused', () => {
  for (const id of ['..', '.', '../../admin', '..\\admin', 'a/../b', 'a/..', './x'])
    assert.throws(() => url('https://api.test/users/{id}/orders', { id }), TemplateError, id)
  assert.throws(() => url('https://api.test/users/{a}{b}/x', { a: '.', b: '.' }), TemplateError)
  assert.throws(() => url('https://api.test/users/%2e{b}/x', { b: '.' }), TemplateError)
  for (const id of ['', null, []]) assert.throws(() => url('https://api.test/users/{id}', { id }), TemplateError)
  assert.equal(url('https://api.test/f/{id}', { id: 'a..b' }), 'https://api.test/f/a..b')
  assert.equal(url('https://api.test/f?p={id}', { id: '../x' }), 'https://api.test/f?p=..%2Fx')
})

test('no value changes the origin', () => {
  void fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
      let made: URL
      try {
        made = new URL(url('https://api.test:8443/v1/{a}/x/{b}?a={a}&b={b}', { a, b }))
      } catch (error) {
        assert.ok(error instanceof TemplateError)
        return
      }
      assert.equal(made.origin, 'https://api.test:8443')
      assert.match(made.pathname, /^\/v1\/[^/]*\/x\/[^/]*$/)
      assert.deepEqual([...made.searchParams.keys()], ['a', 'b'])
    }),
  )
})

test('a placeholder in scheme, host or port is refused, and a URL has a length limit', () => {
  for (const template of ['{s}://api.test/', 'https://{h}/', 'https://api.test:{p}/', 'https://{u}@api.test/'])
    assert.throws(() => url(template, { s: 'https', h: 'evil', p: '80', u: 'x' }), TemplateError, template)
  assert.throws(() => url('https://api.test/{a}', { a: 'x'.repeat(1_048_576) }), /too long/)
})

test('only valid header values are accepted', () => {
  const fill = (value: unknown) => fillHeaders({ 'X-A': 'a {v} b' }, from({ v: value, other: 'no' }))
  assert.deepEqual(fill('é'), { 'X-A': 'a é b' })
  assert.deepEqual(fill('{other} $& $1'), { 'X-A': 'a {other} $& $1 b' })
  for (const value of ['\r\nX: y', 'a\nb', 'a\rb', '\0', '\u2028', '😀', 'x'.repeat(9000)])
    assert.throws(() => fill(value), TemplateError, JSON.stringify(value))
})

test('a body keeps the types of whole values, and text stays text', () => {
  const template = { a: '{n}', b: 'n={n}', c: ['{list}', { d: '{yes}' }], e: 5, f: '{none}', '{n}': 'key', g: '{text}' }
  const values = { n: 7, list: [1, { x: 2 }], yes: true, none: null, text: '","admin":true,"x":"{n}' }
  const filled = fillJson(template, from(values))
  assert.deepEqual(JSON.parse(JSON.stringify(filled)), {
    a: 7,
    b: 'n=7',
    c: [[1, { x: 2 }], { d: true }],
    e: 5,
    f: null,
    '{n}': 'key',
    g: '","admin":true,"x":"{n}',
  })
  const proto = fillJson(JSON.parse('{"__proto__":{"admin":"{n}"}}'), from(values)) as object
  assert.equal(Object.getPrototypeOf(proto), Object.prototype)
})

test('a form is URL-encoded', () => {
  const values = { a: 'x&admin=1', list: ['1', '2'], n: 5 }
  assert.equal(
    formOf(fillJson({ a: '{a}', b: '{list}', c: 'n {n}' }, from(values)) as Json),
    'a=x%26admin%3D1&b=1&b=2&c=n+5',
  )
})

test('values come from the arguments, then the call, then the default; all missing ones are listed', () => {
  const run = {
    args: { a: 1, c: null, caller: 'no' },
    context: { variables: { a: 'no', b: 'two', caller: '+5511' } } as Partial<ToolContext>,
  } as unknown as Run
  const properties = { a: {}, d: { default: 'four' }, b: { default: 'no' } }
  const values = valuesOf(run, { parameters: { type: 'object', properties } } as unknown as ToolRecord)
  assert.deepEqual(['a', 'b', 'c', 'd', 'e', 'toString', '__proto__'].map(values), [
    1,
    'two',
    null,
    'four',
    ...Array(3),
  ])
  assert.equal(values('caller'), '+5511', 'what the schema does not name hides no fact of the call')
  const names = namesIn({ x: '{a} {e}', y: ['{f}', { z: '{e}' }], not: '{"json": 1} { a } {1}' })
  assert.deepEqual(names, ['a', 'e', 'f', 'e'])
  assert.throws(() => checkPresent(names, values), /Missing: e, f\./)
  checkPresent(['a', 'b', 'c', 'd'], values)
})
