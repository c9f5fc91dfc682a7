import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonical, checkArguments } from './arguments.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[A-Za-z ]+$' },
    guests: { type: 'integer', minimum: 1 },
    price: { type: ['number', 'null'] },
    isChild: { type: 'boolean' },
    size: { enum: ['S', 'M'] },
    tags: { type: 'array', items: { type: 'string' } },
    address: {
      type: 'object',
      properties: { zip: { type: 'string' } },
      required: ['zip'],
      additionalProperties: false,
    },
  },
  required: ['name', 'guests'],
}
const errorOf = (given: unknown) => {
  const checked = checkArguments(schema, given)
  return checked.ok ? assert.fail('it should have been refused') : checked.error
}
const argsOf = (given: unknown, of: Record<string, unknown> = schema) => {
  const checked = checkArguments(of, given)
  return checked.ok ? checked.args : assert.fail(checked.error)
}

test('valid arguments are unchanged', () => {
  const given = { name: 'Ana', guests: 2, price: null, isChild: false, size: 'S', other: 1 }
  assert.deepEqual(argsOf(given), given)
})

test('unambiguous mistakes are repaired', () => {
  assert.deepEqual(argsOf({ name: 'Ana', guests: '2', price: '9.50', isChild: 'true', size: 'M' }), {
    name: 'Ana',
    guests: 2,
    price: 9.5,
    isChild: true,
    size: 'M',
  })
  assert.deepEqual(argsOf({ name: 'Ana', guests: 2, tags: [1, true] }).tags, ['1', 'true'])
  assert.deepEqual(argsOf({ name: 'Ana', guests: 2, tags: '["a"]' }).tags, ['a'])
  assert.deepEqual(argsOf({ name: 'Ana', guests: 2, isChild: null }), { name: 'Ana', guests: 2 }, 'null: not given')
  assert.deepEqual(argsOf('{"name":"Ana","guests":1}'), { name: 'Ana', guests: 1 }, 'an object sent as a text')
  assert.deepEqual(argsOf(undefined, { type: 'object', properties: {} }), {})
})

test('forbidden fields are dropped, others are kept', () => {
  const args = argsOf({ name: 'Ana', guests: 1, x: 1, address: { zip: 12345, street: 'y' } })
  assert.deepEqual(args, { name: 'Ana', guests: 1, x: 1, address: { zip: '12345' } })
})

test('invalid arguments are refused with an error that a model can use', () => {
  assert.match(errorOf({ guests: 2 }), /name is missing\. Correct them/)
  assert.match(errorOf({ name: 'Ana', guests: 'two' }), /guests must be integer/)
  assert.match(errorOf({ name: 'Ana', guests: '2.5' }), /guests must be integer/)
  assert.match(errorOf({ name: 'Ana', guests: 0 }), /guests must be >= 1/)
  assert.match(errorOf({ name: 'Ana', guests: 1, size: 'XL' }), /size must be one of \["S","M"\]/)
  assert.match(errorOf({ name: 'Ana', guests: 1, address: {} }), /address\.zip is missing/)
  assert.match(errorOf({ name: '<b>', guests: 1 }), /name must match pattern/)
  assert.match(errorOf([1]), /must be one JSON object/)
  assert.match(errorOf('{"name":'), /must be one JSON object/)
})

test('the input is not modified', () => {
  const given = { name: 'Ana', guests: '2' }
  argsOf(given)
  assert.deepEqual(given, { name: 'Ana', guests: '2' })
})

test('oversized arguments are refused before validation', () => {
  assert.match(errorOf({ name: 'a'.repeat(100_000), guests: 1 }), /too large/)
  assert.match(errorOf({ name: 'Ana', guests: 1, tags: Array.from({ length: 3000 }, () => 'x') }), /too large/)
  let deep: unknown = 1
  for (let i = 0; i < 100; i++) deep = { deep }
  assert.match(errorOf({ name: 'Ana', guests: 1, deep }), /too large/)
})

test('a hostile pattern takes no time, and an unusable schema is reported', () => {
  const evil = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  // With backtracking this would never end.
  assert.equal(checkArguments(evil, { a: `${'a'.repeat(5000)}!` }).ok, false)
  const remote = checkArguments({ $ref: 'https://example.com/x.json' }, {})
  assert.match(remote.ok ? '' : remote.error, /cannot be used: .*\$ref/)
})

test("JavaScript's reserved property names are plain fields", () => {
  const args = argsOf(JSON.parse('{"name":"Ana","guests":1,"__proto__":{"isAdmin":true},"constructor":1}'))
  assert.equal((args as { isAdmin?: boolean }).isAdmin, undefined)
  assert.equal(Object.getPrototypeOf(args), Object.prototype)
})

test('equal arguments have the same canonical text in any order', () => {
  assert.equal(canonical({ b: [1, { d: 1, c: 'x' }], a: null }), '{"a":null,"b":[1,{"c":"x","d":1}]}')
  assert.equal(canonical({ a: 1, b: 2 }), canonical({ b: 2, a: 1 }))
  assert.notEqual(canonical({ a: '1' }), canonical({ a: 1 }))
})
