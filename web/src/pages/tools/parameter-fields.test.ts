// Tool parameters as rows and as JSON Schema.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldProblems, fieldsOf, newField, schemaOf, withType } from './parameter-fields.ts'

const round = (schema: unknown) => {
  const fields = fieldsOf(schema)
  assert.ok(fields)
  return schemaOf(fields)
}

test('a schema round-trips, including keywords without a row', () => {
  const schemas = [
    {
      type: 'object',
      properties: {
        day: { type: 'string', description: 'Which day', pattern: '^\\d+$' },
        people: { type: 'integer', minimum: 1, default: 2 },
        size: { type: 'string', enum: ['small', 'large'] },
        wants: { type: 'array', items: { type: 'string' } },
        extra: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        either: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Odd' },
        level: { type: 'integer', enum: [1, 2] },
        loose: {},
        maybe: { type: ['string', 'null'] },
      },
      required: ['day', 'people'],
      additionalProperties: false,
    },
    { type: 'object', properties: { a: { type: 'boolean' } } },
  ]
  for (const schema of schemas) assert.deepEqual(round(schema), schema)
  assert.equal(round(null), null)
})

test('rows become a schema; unnamed rows are skipped', () => {
  const fields = [
    newField({ name: ' day ', description: ' Which day ', isRequired: true }),
    newField({ name: 'size', type: 'choice', options: ['s', 'l'] }),
    newField(),
  ]
  assert.deepEqual(schemaOf({ fields, rest: {} }), {
    type: 'object',
    properties: { day: { type: 'string', description: 'Which day' }, size: { type: 'string', enum: ['s', 'l'] } },
    required: ['day'],
  })
  assert.equal(schemaOf({ fields: [newField()], rest: {} }), null)
})

test('schemas that rows cannot show are edited as JSON', () => {
  for (const schema of [
    [],
    'text',
    { type: 'array' },
    { properties: [] },
    { required: ['a'] },
    { properties: { a: true } },
  ])
    assert.equal(fieldsOf(schema), null, JSON.stringify(schema))
})

test('changing the type drops its keywords', () => {
  const field = newField({ name: 'a', type: 'integer', rest: { minimum: 1, title: 'A' } })
  assert.deepEqual(withType(field, 'string').rest, { title: 'A' })
  assert.deepEqual(withType(field, 'integer').rest, { minimum: 1, title: 'A' })
})

test('invalid rows are reported', () => {
  const rows = [
    newField({ name: 'a' }),
    newField({ name: 'a' }),
    newField({ name: 'two words' }),
    newField({ name: 'c', type: 'choice' }),
    newField({ name: 'd', type: 'choice', options: ['x'] }),
  ]
  assert.deepEqual(
    fieldProblems(rows).map(({ key, problem }) => [rows.findIndex((row) => row.key === key), problem]),
    [
      [1, 'twice'],
      [2, 'name'],
      [3, 'options'],
    ],
  )
})
