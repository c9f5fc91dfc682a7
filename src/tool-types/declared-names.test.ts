import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredNames, declaredOnly } from './declared-names.ts'

test('names are found in a schema, its subschemas and its references', () => {
  const schema = {
    type: 'object',
    properties: { a: {} },
    required: ['b'],
    allOf: [{ properties: { c: {} } }, { $ref: '#/$defs/more' }],
    anyOf: [{ if: { properties: { d: {} } }, else: { properties: { e: {} } } }],
    dependentSchemas: { a: { properties: { f: {} } } },
    $defs: {
      more: { properties: { g: { properties: { nested: {} } } }, allOf: [{ $ref: '#' }] },
      unused: { properties: { h: {} } },
    },
  }
  assert.deepEqual([...declaredNames(schema)].sort(), ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  assert.equal(declaredNames(null).size, 0)
})

test('undeclared arguments are dropped, unless the schema allows them', () => {
  const args = { a: 1, caller: '+5511' }
  const properties = { a: {} }
  assert.deepEqual(declaredOnly({ type: 'object', properties }, args), { a: 1 })
  assert.deepEqual(declaredOnly({ type: 'object', properties: {} }, args), {})
  assert.deepEqual(declaredOnly({ type: 'object' }, args), args, 'nothing is said about names')
  assert.deepEqual(declaredOnly({ properties, additionalProperties: false }, args), { a: 1 })
  assert.deepEqual(declaredOnly({ properties, additionalProperties: true }, args), args)
  assert.deepEqual(declaredOnly({ properties, additionalProperties: { type: 'string' } }, args), args)
})
