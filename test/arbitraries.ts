// Fuzz inputs: values that match a schema, near misses, and values that no schema expects.
import fc, { type Arbitrary } from 'fast-check'
import { anyTime } from './any-time-rules.ts'
import type { Schema } from './operations.ts'

/** Ids of existing records by field name: without them the fuzzing would stop at the first 404. */
export type KnownIds = Readonly<Record<string, string>>

/** Like fast-check's unit `binary`, without its table of a million characters, which takes seconds to build. */
const anyCharacter: Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))

export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '😀👩‍👩‍👧',
    '\u202e',
    '__proto__',
    'constructor',
    'toString',
  ),
  fc.constantFrom("' or 1=1 --", '%00', '%', '%ff', '../../x', '\r\nX: y', '{{7*7}}', '<b>', '-', '0', '1e999'),
  fc.constantFrom('x'.repeat(256), 'x'.repeat(40_000), '😀'.repeat(3000), 'x'.repeat(1_100_000), '9'.repeat(400)),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
)

const deep = (levels: number, inner: unknown): unknown => (levels === 0 ? inner : { a: [deep(levels - 1, inner)] })
const polluted = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}') as object

export const hostileValue: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, -0, 2 ** 53, 1e21, [], {}, [[]], [null], polluted),
  fc.constantFrom<unknown>(deep(4, 1), deep(14, 1), deep(40, 1), deep(300, 1), Array(2000).fill(1)),
  fc.constantFrom<unknown>(Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`k${i}`, i]))),
  fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter }),
)

const jsonSchemas = fc.constantFrom<object>(
  { type: 'object', properties: { city: { type: 'string', pattern: '^(a+)+$' } }, required: ['city'] },
  { type: 'object', properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { enum: [1, null] } } },
  { $ref: 'http://localhost/x' },
  { $ref: '#/nowhere' },
  { $ref: '#' },
  { $dynamicRef: '#x' },
  { $id: 'a b', $schema: 'nonsense', type: 'object' },
  { $async: true, type: 'object' },
  { type: 5 },
  { type: 'object', properties: 7 },
  { pattern: '(' },
  { pattern: '(?=x)' },
  { patternProperties: { '[': {} } },
  { patternProperties: 3 },
  { allOf: [] },
  { multipleOf: 0 },
  { required: 'x' },
  { nullable: true },
  { discriminator: { propertyName: 'x' }, oneOf: [{}] },
  { format: 'regex', unknownKeyword: [{}] },
)
const links = fc.constantFrom(
  'https://example.com/{x}?y={z}',
  'http://127.0.0.1:1/',
  'HTTPS://[::1]/',
  'http://{h}/',
  'http:',
)

const anyNumber = fc.integer({ min: 1e9, max: 9e12 }).map((n) => `+${n}`)
/** A São Paulo number that is valid in the numbering plan. */
export const realNumber = fc.integer({ min: 0, max: 9_999_999 }).map((n) => `+55119${80_000_000 + n}`)

/** By field name, for fields whose schema alone does not say what is accepted. */
const byName: Readonly<Record<string, Arbitrary<unknown>>> = {
  parameters: jsonSchemas,
  requestUrl: links,
  webhookUrl: links,
  // Webhook URLs are actually called, so only unreachable addresses.
  url: fc.constantFrom('http://127.0.0.1:1/x?y={z}', 'HTTPS://[::1]/', 'http://localhost', 'http:', 'ftp://[::1]/'),
  method: fc.constantFrom('get', 'POST', 'Head'),
  email: fc.constantFrom('a@b', 'someone@example.com', 'a@@b'),
  phoneNumber: fc.oneof(anyNumber, realNumber),
  copyOf: fc.constantFrom('br-strict', 'international', 'x'),
  pack: fc.oneof(fc.constant(null), fc.constant(anyTime), fc.object()),
  phoneColumn: fc.constantFrom(null, 'telefone', 'x'),
  spreadsheetId: fc.constantFrom(null, 'x'),
  rows: fc.array(fc.record({ telefone: fc.oneof(anyNumber, realNumber), nome: fc.string() }), {
    minLength: 1,
    maxLength: 3,
  }),
  toNumber: fc.integer({ min: 2e9, max: 7e12 }).map((n) => `+${n}`),
  countryCode: fc.integer({ min: 1, max: 12 }).map(String),
}

const byFormat: Readonly<Record<string, Arbitrary<string>>> = {
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  uuid: fc.uuid(),
  'language-tag': fc.constantFrom('pt-BR', 'en', 'zh-Hant-TW', 'x-y', 'abcd'),
}

/** Values that mostly match the schema; constraints it cannot express (between fields) are left to chance. */
export function fitting(schema: Schema, ids: KnownIds, name = ''): Arbitrary<unknown> {
  const id = ids[name]
  if (id !== undefined) return fc.oneof({ weight: 4, arbitrary: fc.constant(id) }, fc.constantFrom('x', 'agt_missing'))
  const special = byName[name]
  if (special) return special
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, ids)))
  const types = [schema.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, ids)))
}

function ofType(type: string, schema: Schema, ids: KnownIds): Arbitrary<unknown> {
  const { minimum = schema.exclusiveMinimum ?? -1000, maximum = 100_000 } = schema
  switch (type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting(schema.items ?? {}, ids), { minLength: schema.minItems ?? 0, maxLength: 3 })
    case 'object':
      return object(schema, ids)
    default:
      return fc.constant(null)
  }
}

function text({ format, pattern, minLength = 0, maxLength = 50 }: Schema): Arbitrary<string> {
  const formatted = format ? byFormat[format] : undefined
  if (formatted) return formatted
  if (pattern && pattern !== '\\S') {
    // fast-check does not support lookaheads: a pattern's leading exclusion becomes a filter.
    const whole = new RegExp(pattern, 'u')
    const written = new RegExp(pattern.replace(/^\^\(\?![^$]*\$\)/, '^'), 'u')
    return fc
      .stringMatching(written)
      .filter((made) => whole.test(made))
      .map((made) => made.slice(0, maxLength))
  }
  return fc.string({
    unit: 'grapheme',
    minLength: Math.max(minLength, pattern ? 1 : 0),
    maxLength: Math.min(maxLength, 50),
  })
}

function object({ properties = {}, required = [], additionalProperties }: Schema, ids: KnownIds): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = fitting(schema, ids, name)
    return [name, required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 })] as const
  })
  const named = fc.record(Object.fromEntries(fields))
  if (fields.length > 0 || additionalProperties === false) return named
  const inner =
    typeof additionalProperties === 'object' ? fitting(additionalProperties, ids) : fc.jsonValue({ maxDepth: 2 })
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), inner, { maxKeys: 3 })
}

const readOnly = [
  'id',
  'userId',
  'key',
  'hash',
  'prefix',
  'isActive',
  'createdAt',
  'lastUsedAt',
  '__proto__',
  'constructor',
]

/** JSON of a valid body, of a body with a fault, or of something else altogether. */
export function bodyFor(schema: Schema, ids: KnownIds): Arbitrary<string> {
  const good = fitting(schema, ids)
  const names = [...Object.keys(schema.properties ?? {}), ...readOnly]
  const faulty = fc.tuple(good, fc.constantFrom(...names), hostileValue).map(([body, name, value]) => {
    const copy = { ...(body as object) }
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
    return copy
  })
  const lacking = fc
    .tuple(good, fc.constantFrom(...names))
    .map(([body, name]) => ({ ...(body as object), [name]: undefined }))
  const body = fc.oneof(
    { weight: 4, arbitrary: good },
    { weight: 5, arbitrary: faulty },
    { weight: 1, arbitrary: lacking },
    { weight: 1, arbitrary: hostileValue },
  )
  const bottomless = `{"${names[0]}":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  return fc.oneof(
    { weight: 40, arbitrary: body.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constant(bottomless) },
  )
}

const numberLike = fc.constantFrom(
  '1',
  '1.5',
  '1e30',
  '9007199254740993',
  '-1',
  'Infinity',
  'NaN',
  '2024-01-01T00:00:00Z',
)
const cursor = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(fc.oneof(numberLike, hostileText), fc.oneof(fc.constantFrom('', 'x'), hostileText)),
    },
    fc.array(fc.oneof(hostileText, fc.constantFrom<unknown>(1, null)), { maxLength: 3 }),
  )
  .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url').slice(0, 1000))

/** A query string including the question mark; '' for none. */
export function queryFor(parameters: readonly { name: string; schema: Schema }[], ids: KnownIds): Arbitrary<string> {
  const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed().slice(0, 5000))
  const value = (name: string, schema: Schema) =>
    fc.oneof(
      fitting(schema, ids, name).map(encode),
      name === 'cursor' ? cursor : hostileText.map(encode),
      fc.constantFrom('%', '%ff', '%00', '%ed%a0%80', '', '1&limit=2', '[]'),
    )
  const known = parameters.map(({ name, schema }) => fc.tuple(fc.constant(name), value(name, schema)))
  const unknown = fc.tuple(fc.constantFrom('__proto__', 'x', 'api_key', 'limit[]'), fc.constantFrom('', '1', '%00'))
  return fc
    .array(fc.oneof(...known, unknown), { maxLength: 3 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([name, text]) => `${name}=${text}`).join('&')}`))
}

/** One path segment: mostly an existing id. */
export const pathPart = (id: string): Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(id) },
    // A longer segment would be refused with its headers (431) before it is parsed as a path.
    hostileText.map((text) => encodeURIComponent(text.slice(0, 5000).toWellFormed()).slice(0, 5000) || '-'),
    fc.constantFrom('%00', '%ff', '%', '%2e%2e%2f', 'toggle', 'start', '😀', `${id}%00`, id.toUpperCase()),
  )

/** Bytes that are not JSON: broken UTF-8, half a document, or anything at all. */
export function brokenBytes(schema: Schema | undefined, ids: KnownIds): Arbitrary<Buffer> {
  const json = (schema ? fitting(schema, ids) : fc.constant({ a: 'b' })).map((value) =>
    Buffer.from(JSON.stringify(value ?? {})),
  )
  const notUtf8 = fc.constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82])
  return fc.oneof(
    notUtf8.map((bytes) => Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')])),
    fc
      .tuple(json, fc.integer({ min: 1, max: 50 }))
      .map(([bytes, cut]) => bytes.subarray(0, Math.max(1, bytes.length - cut))),
    fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.concat([Buffer.from('{'), bytes])),
    fc
      .constantFrom('\ufeff{}', "{'a':1}", '{"a":NaN}', '{"a":1,}', '[', '"', '{"a":"\u0000"}', 'nul')
      .map((text) => Buffer.from(text)),
  )
}
