// The API reference: nested fields, tool types, valid examples, and the content policy of the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { testApp } from '../../../test/app.ts'
import { configProblem, settingsIn } from '../../features/tools/config-check.ts'
import { configSchemas } from '../../features/tools/config-schema.ts'
import { toolTypes } from '../../features/tools/schema.ts'
import { html } from '../docs-layout/html.ts'
import { type Content, type OpenApiDocument, type Operation, operationsOf, type Schema } from './document.ts'
import { exampleOf, examplesOf, jsonOf, NO_EXAMPLE, type Purpose, pathExamples } from './examples.ts'
import { schemaView } from './fields.ts'

type Json = Record<string, unknown>

async function reference() {
  const { anonymous, app } = await testApp()
  const page = await anonymous({ url: '/docs' })
  const operations = operationsOf(app.http.swagger() as OpenApiDocument)
  const section = (id: string) =>
    page.text.split(`<details class="operation" id="${id}"`)[1]?.split('<details class="operation"')[0] ?? ''
  return { page, operations, section, anonymous }
}

/** Every field path that a reader must find, in the page's notation. */
function fieldPaths(schema: Schema, path = ''): string[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = path === '' ? name : `${path}.${name}`
    return [own, ...fieldPaths(field, own)]
  })
  const items = schema.items ? fieldPaths(schema.items, `${path}[]`) : []
  const entries =
    typeof schema.additionalProperties === 'object' ? fieldPaths(schema.additionalProperties, `${path}.*`) : []
  return [...fields, ...items, ...entries, ...(schema.anyOf ?? []).flatMap((form) => fieldPaths(form, path))]
}

function contentsOf({ requestBody, responses }: Operation): { content: Content; purpose: Purpose }[] {
  const body = jsonOf(requestBody?.content)
  const answers = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? (jsonOf(content) ?? []) : [],
  )
  return [
    ...(body ? [{ content: body, purpose: 'request' as const }] : []),
    ...answers.map((content) => ({ content, purpose: 'response' as const })),
  ]
}

test('every operation shows each field of its body and responses, however deep', async () => {
  const { operations, section } = await reference()
  let fields = 0
  for (const operation of operations) {
    const text = section(operation.id)
    for (const { content } of contentsOf(operation)) {
      for (const path of fieldPaths(content.schema ?? {})) {
        assert.ok(text.includes(`data-field="${path}"`), `${operation.method} ${operation.path}: ${path}`)
        fields++
      }
    }
  }
  assert.ok(fields > 1500, `only ${fields} fields were compared`)
})

test("an agent's settings are readable: nested fields, enums, bounds and defaults", async () => {
  const { section } = await reference()
  const text = section('postAgents')
  for (const field of [
    'turn.minPauseMs',
    'turn.speculate',
    'recognition.hints',
    'pronunciation[].from',
    'analysis.fields',
  ])
    assert.ok(text.includes(`data-field="settings.${field}"`), field)
  assert.match(text, /data-field="settings\.turn\.minPauseMs">.*?0 to 10000/)
  assert.match(text, /data-field="settings\.firstMessage">.*?<code class="value">caller_first<\/code>/)
  assert.match(text, /data-field="language">.*?default <code>&quot;pt-BR&quot;<\/code>/)
  assert.match(text, /data-field="name">.*?required/)
})

test('the config of every tool type is readable where a tool is created or updated', async () => {
  const { section } = await reference()
  for (const id of ['postTools', 'patchToolsById']) {
    const text = section(id)
    for (const type of toolTypes) {
      assert.ok(text.includes(`data-variant="${type}"`), type)
      for (const path of fieldPaths(configSchemas[type] as Schema, `config(${type})`))
        assert.ok(text.includes(`data-field="${path}"`), path)
    }
  }
})

test('every example follows its schema, and none is a placeholder', async () => {
  const { operations } = await reference()
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  let count = 0
  const missing: string[] = []
  for (const operation of operations) {
    for (const { content, purpose } of contentsOf(operation)) {
      const validate = ajv.compile(content.schema ?? {})
      for (const example of examplesOf(content, purpose)) {
        const title = `${operation.method} ${operation.path} ${purpose}`
        assert.ok(validate(example), `${title}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(example)}`)
        if (JSON.stringify(example).includes(JSON.stringify(NO_EXAMPLE)))
          missing.push(`${title}: ${JSON.stringify(example)}`)
        count++
      }
    }
    for (const { schema = {}, example } of operation.parameters ?? [])
      if (example !== undefined) assert.ok(ajv.validate(schema, example), operation.path)
    for (const [name, id] of Object.entries(pathExamples(operation, operations)))
      assert.match(id, /^([a-z]{2,4}_[0-9a-z]{26}|[0-9a-f-]{36})$/, `${operation.path}: ${name}`)
  }
  assert.deepEqual(missing, [], 'texts without an example')
  assert.ok(count > 150, `only ${count} examples were checked`)
})

test('POST /api/tools has an example of every tool type, with a valid config', async () => {
  const { operations } = await reference()
  const create = operations.find(({ id }) => id === 'postTools')
  const examples = examplesOf(jsonOf(create?.requestBody?.content) ?? {}, 'request') as {
    type: string
    body?: Json
    config?: Json
  }[]
  assert.deepEqual(examples.map(({ type }) => type).sort(), [...toolTypes].sort())
  for (const { type, body, config } of examples)
    assert.equal(configProblem(type, settingsIn(type, body ?? null, config ?? null)), null)
})

test('the example tools and agent are accepted by the API', async () => {
  const { operations } = await reference()
  const { ana } = await testApp()
  for (const id of ['postTools', 'postAgents', 'postTrunks', 'postSpreadsheets', 'postApiKeys', 'postKnowledgeBases']) {
    const operation = operations.find((one) => one.id === id)
    for (const example of examplesOf(jsonOf(operation?.requestBody?.content) ?? {}, 'request')) {
      const { status, text } = await ana.post(operation?.path ?? '', example as object)
      assert.equal(status, 201, `${id}: ${text}`)
    }
  }
})

test('136 the reference loads and runs only files of its own origin', async () => {
  const { page, anonymous } = await reference()
  assert.doesNotMatch(page.text, /<style|<iframe| style=| on\w+=|javascript:|https?:\/\/(?!localhost|[\w.-]*example)/i)
  const policy = String(page.headers['content-security-policy']).split('; ')
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
  ])
    assert.ok(policy.includes(rule), rule)
  assert.doesNotMatch(policy.join(), /unsafe|nonce|data:|\*/)
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  const files = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url ?? '')
  for (const url of files)
    assert.match(
      url,
      /^(#|\/$|\/guides$|\/favicon\.svg$|\/openapi\.json$|\/docs$|\/docs\/(reference\.(css|js)|frame\.css|theme\.js)$)/,
    )
  assert.equal((page.text.match(/<script/g) ?? []).length, 2)
  const ids = [...page.text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length, 'ids are unique')
  for (const [name, type] of [
    ['reference.js', 'text/javascript'],
    ['reference.css', 'text/css'],
    ['frame.css', 'text/css'],
    ['theme.js', 'text/javascript'],
  ] as const) {
    const { status, headers, text } = await anonymous({ url: `/docs/${name}` })
    assert.equal(status, 200)
    assert.ok(String(headers['content-type']).startsWith(type))
    assert.doesNotMatch(text, /\beval\(|new Function|innerHTML|https?:\/\//)
  }
})

test('the reference is compressed, and not sent again when unchanged', async () => {
  const { anonymous } = await testApp()
  const headers = { 'accept-encoding': 'gzip' }
  const first = await anonymous({ url: '/docs', headers })
  assert.equal(first.headers['content-encoding'], 'gzip')
  const again = await anonymous({ url: '/docs', headers: { ...headers, 'if-none-match': String(first.headers.etag) } })
  assert.equal(again.status, 304)
})

test('the place of a parameter is named, and code in the introduction is marked as code', async () => {
  const { page, section } = await reference()
  const update = section('patchAgentsById')
  assert.match(update, /<code class="name">id<\/code>[\s\S]*?In the path/)
  assert.match(update, /<code class="name">If-Match<\/code>[\s\S]*?A header\. /)
  const lead = /<p class="lead">([\s\S]*?)<\/p>/.exec(page.text)?.[1] ?? ''
  assert.match(lead, /<code>\/api\/agents\/\{id\}\/chain<\/code>/)
  assert.doesNotMatch(lead, /`/)
})

test('texts of a schema are escaped', () => {
  assert.equal(html`<p title="${'"'}">${'<b>&'}</p>`.html, '<p title="&quot;">&lt;b&gt;&amp;</p>')
  const view = schemaView({ properties: { '<x>': { type: 'string', description: '<script>', default: '"<' } } }).html
  assert.doesNotMatch(view, /<script>|<x>/)
})

test('an example is the first of the schema, else its default, else a value of its type', () => {
  assert.equal(exampleOf({ type: 'string', examples: ['a', 'b'], default: 'c' }, 'request'), 'a')
  assert.equal(exampleOf({ type: ['string', 'null'], examples: [null] }, 'response'), null)
  assert.equal(exampleOf({ type: 'integer', minimum: 5 }, 'request'), 5)
  const schema: Schema = {
    type: 'object',
    properties: { a: { type: 'boolean' }, b: { type: 'string', enum: ['x'] }, c: { type: 'number', examples: [0.5] } },
    required: ['a'],
  }
  assert.deepEqual(exampleOf(schema, 'request'), { a: true, c: 0.5 })
  assert.deepEqual(exampleOf(schema, 'response'), { a: true, b: 'x', c: 0.5 })
})
