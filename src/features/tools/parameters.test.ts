// Validation of a tool's parameters, a JSON Schema.
// @run sqlite
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client, testApp } from '../../../test/app.ts'

const make = (client: Client, parameters: unknown) =>
  client.post('/api/tools', { name: 'x', type: 'custom', parameters })

const ofProperty = (schema: object) => ({ type: 'object', properties: { a: schema } })

/** A schema with this many levels of objects, including itself. */
function deep(levels: number): object {
  let schema: object = {}
  for (let i = 1; i < levels; i++) schema = { not: schema }
  return schema
}

test('120 parameters is a JSON Schema', async () => {
  const { ana } = await testApp()
  const schemas = [
    {},
    { type: 'object' },
    ofProperty({ type: ['string', 'null'], enum: ['a', null], description: 'd', default: 'a' }),
    ofProperty({ type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d\\d', minLength: 1 }),
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://example.com/x', type: 'object' },
    { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } },
    { properties: { pattern: { type: 'string' }, $ref: { type: 'string' }, properties: { type: 'object' } } },
    { type: 'object', 'x-ours': { anything: [1] }, additionalProperties: false },
    { anyOf: [{ required: ['a'] }, { required: ['b'] }], if: {}, else: {}, patternProperties: { '^x-': {} } },
  ]
  for (const schema of schemas) {
    const { status, json, text } = await make(ana, schema)
    assert.equal(status, 201, `${JSON.stringify(schema)}: ${text}`)
    assert.deepEqual(json.parameters, schema)
  }
})

test('120 an invalid JSON Schema is rejected', async () => {
  const { ana } = await testApp()
  const wrong = [
    { type: 'banana' },
    { type: 5 },
    { properties: [] },
    { properties: { a: 'string' } },
    { required: 'a' },
    { required: [1] },
    { enum: 'a' },
    ofProperty({ minLength: -1 }),
    ofProperty({ minimum: '1' }),
    { anyOf: [] },
    { $ref: '#/$defs/missing' },
    { properties: { child: { $ref: '#' } } },
    { $ref: '#name' },
    'object',
    [],
    [{ type: 'object' }],
    true,
    5,
  ]
  for (const schema of wrong) {
    const answer = await make(ana, schema)
    assert.equal(answer.status, 400, `${JSON.stringify(schema)}: ${answer.text}`)
    assertError(answer, 400, /parameters/)
  }
  assert.deepEqual((await ana.get('/api/tools')).json, [])
})

test('120 parameters has at most 10 levels and 32 KB', async () => {
  const { ana } = await testApp()
  assert.equal((await make(ana, deep(10))).status, 201)
  assertError(await make(ana, deep(11)), 400, /parameters/)
  assertError(await make(ana, deep(200)), 400)
  const sized = (bytes: number) => ({ description: 'x'.repeat(bytes - '{"description":""}'.length) })
  assert.equal((await make(ana, sized(32_768))).status, 201)
  assertError(await make(ana, sized(32_769)), 400, /parameters/)
})

test('120 parameters has no external references', async () => {
  const { ana } = await testApp()
  const references = [
    { $ref: 'https://example.com/schema.json' },
    { $ref: 'http://127.0.0.1:1/x' },
    { $ref: 'file:///etc/passwd' },
    { $ref: 'other.json#/a' },
    { $ref: '//example.com/x' },
    { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    { $dynamicRef: 'https://example.com/x' },
    { $recursiveRef: 'https://example.com/x' },
  ]
  for (const reference of references)
    for (const schema of [reference, ofProperty(reference), { anyOf: [{ items: reference }] }])
      assertError(await make(ana, schema), 400, /parameters/)
  assertError(await make(ana, ofProperty({ minimum: { $data: '1/b' } })), 400, /parameters/)
})

test('120 a pattern prone to exponential backtracking is accepted, and delays nobody', async () => {
  const { ana } = await testApp()
  await make(ana, {}) // warm-up: everything that is built only once
  const patterns = ['^(a+)+$', '(a|aa)+$', '(.*a){20}', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y']
  for (const pattern of patterns)
    for (const schema of [
      ofProperty({ type: 'string', pattern, default: `${'a'.repeat(40)}!`, examples: [`${'a'.repeat(40)}!`] }),
      { patternProperties: { [pattern]: {} }, default: { [`${'a'.repeat(40)}!`]: 1 } },
    ]) {
      const start = process.threadCpuUsage() // of this thread, not the wall clock: the machine may be busy
      assert.equal((await make(ana, schema)).status, 201, pattern)
      const { user, system } = process.threadCpuUsage(start)
      assert.ok(user + system < 500_000, `${pattern} held this thread for ${Math.round((user + system) / 1000)} ms`)
    }
})

test('120 patterns that need a backtracking engine are rejected', async () => {
  const { ana } = await testApp()
  for (const pattern of ['(a)\\1', '(?=a)b', '(?<!a)b', '(', '[', 'a{2,1}', `${'('.repeat(5000)}${')'.repeat(5000)}`]) {
    assertError(await make(ana, ofProperty({ pattern })), 400, /parameters/)
    assertError(await make(ana, { patternProperties: { [pattern]: {} } }), 400, /parameters/)
    assertError(await make(ana, { properties: { properties: { pattern } } }), 400, /parameters/)
  }
})

test('120 schemas built to be slow are handled quickly', async () => {
  const { ana } = await testApp()
  const levels = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `d${i}`,
      i === 29 ? {} : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  )
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`p${i}`, { type: 'string' }]))
  const slow = [
    { $defs: levels, $ref: '#/$defs/d0' },
    { properties: many },
    ofProperty({ pattern: '(((a{1,100}){1,100}){1,100}){1,100}' }),
    ofProperty({ pattern: 'a{1000}'.repeat(1000) }),
    ofProperty({ pattern: `(${Array.from({ length: 3000 }, (_, i) => `w${i}`).join('|')})*` }),
    ofProperty({ enum: Array.from({ length: 900 }, (_, i) => `v${i}`), uniqueItems: true }),
  ]
  for (const schema of slow) {
    const start = process.cpuUsage() // not the wall clock: the machine may be busy
    const { status } = await make(ana, schema)
    const { user, system } = process.cpuUsage(start)
    const took = (user + system) / 1000
    assert.ok(status === 201 || status === 400)
    assert.ok(took < 2000, `${JSON.stringify(schema).slice(0, 80)} took ${Math.round(took)} ms`)
  }
})
