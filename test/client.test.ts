// The typed client: generated from the current routes, and used against a real server.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type Agent,
  type AnswerOf,
  type BodyOf,
  createRamalClient,
  nextCursor,
  type RamalClient,
  RamalError,
} from '../client/client.ts'
import { file, textOf } from '../client/generate.ts'
import { type Document, typeOf, writeTypes } from '../client/write-types.ts'
import { anAgent, testApp } from './app.ts'

async function ramal() {
  const { app, ana } = await testApp()
  /** Calls the app's request handler directly, without a port. */
  const fetch = async (request: Request): Promise<Response> => {
    const { statusCode, headers, rawPayload } = await app.http.inject({
      method: request.method as 'GET',
      url: request.url,
      headers: Object.fromEntries(request.headers),
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return new Response(new Uint8Array(rawPayload), { status: statusCode, headers: headers as Record<string, string> })
  }
  return createRamalClient({ baseUrl: 'http://ramal.test', apiKey: ana.key, fetch })
}

test('client/paths.ts matches the current routes (npm run client)', async () => {
  const { app } = await testApp()
  const made = textOf(app.http.swagger() as unknown as Document)
  assert.ok(made === readFileSync(file, 'utf8'), 'client/paths.ts is out of date: run `npm run client`')
})

test('a record is created, read, changed and deleted with its types known', async () => {
  const { GET, POST, PATCH, DELETE } = await ramal()
  const body: BodyOf<'/api/agents', 'post'> = { ...anAgent, direction: 'inbound' }
  const { data: made, response } = await POST('/api/agents', { body })
  assert.equal(response.status, 201)
  const params = { path: { id: made.id } }
  const { data: changed } = await PATCH('/api/agents/{id}', { params, body: { name: 'Bia' } })
  const name: string = changed.name
  assert.equal(name, 'Bia')
  // @ts-expect-error a text is not a number
  const number: number = changed.name
  assert.equal(number, name)
  const { data: all } = await GET('/api/agents')
  const listed: Agent[] = all satisfies AnswerOf<'/api/agents', 'get'>
  assert.deepEqual(listed, [changed])
  const { data: removed } = await DELETE('/api/agents/{id}', { params })
  assert.equal(removed.id, made.id)
})

test('a type error does not compile', async () => {
  const { GET, POST } = await ramal()
  const mistakes = [
    // @ts-expect-error there is no such path
    () => GET('/api/nothing'),
    // @ts-expect-error the id is missing
    () => GET('/api/agents/{id}'),
    // @ts-expect-error a name must be a text
    () => POST('/api/agents', { body: { name: 1, systemPrompt: 'x' } }),
    // @ts-expect-error the prompt is missing
    () => POST('/api/agents', { body: { name: 'x' } }),
    // @ts-expect-error the list of calls has no POST
    () => POST('/api/calls', { body: {} }),
  ]
  for (const mistake of mistakes) await assert.rejects(mistake, RamalError)
})

test("an error is thrown with the server's message and its request id", async () => {
  const { GET } = await ramal()
  await assert.rejects(GET('/api/agents/{id}', { params: { path: { id: 'agt_none' } } }), (error) => {
    assert.ok(error instanceof RamalError)
    assert.equal(error.statusCode, 404)
    assert.equal(error.error, 'Not Found')
    assert.equal(error.message, 'Agent not found')
    assert.match(error.requestId ?? '', /\S/)
    return true
  })
})

test("a proxy's own error response is an error too", async () => {
  const fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
  const { GET } = createRamalClient({ baseUrl: 'http://ramal.test', fetch })
  await assert.rejects(GET('/api/agents'), { statusCode: 502, error: 'Bad Gateway', message: 'HTTP 502' })
})

test('the next page of a list is found from its response', async () => {
  const { GET, POST } = await ramal()
  for (const name of ['a', 'b', 'c']) await POST('/api/agents', { body: { ...anAgent, name } })
  const names: string[] = []
  let cursor: string | undefined
  do {
    const { data, response } = await GET('/api/agents', { params: { query: { limit: 2, cursor } } })
    names.push(...data.map((agent) => agent.name))
    cursor = nextCursor(response)
  } while (cursor)
  assert.deepEqual(names.sort(), ['a', 'b', 'c'])
})

test('a file is uploaded and downloaded unchanged', async () => {
  const { GET, POST, PUT } = await ramal()
  const { data: sheet } = await POST('/api/spreadsheets', { body: { name: 'Prices', columns: ['what', 'price'] } })
  const params = { path: { id: sheet.id } }
  const headers = { 'content-type': 'text/csv' }
  await PUT('/api/spreadsheets/{id}/content', { params, headers, body: new Blob(['what,price\ncoffee,5\n']) })
  const { data } = await GET('/api/spreadsheets/{id}/content', { params, parseAs: 'text' })
  const text: string = data
  assert.match(text, /coffee,5/)
})

test('every JSON Schema keyword that the document uses becomes its type', () => {
  const type = (schema: Parameters<typeof typeOf>[0]) => typeOf(schema, new Map()).replaceAll(/\s+/g, ' ')
  assert.equal(type({ type: ['string', 'null'] }), 'string | null')
  assert.equal(type({ type: ['string', 'null'], enum: ['a', "b'", null] }), "'a' | 'b\\'' | null")
  assert.equal(type({ const: 'x' }), "'x'")
  assert.equal(type({ type: 'array', items: { type: ['integer', 'null'] } }), '(number | null)[]')
  assert.equal(type({ type: 'string', format: 'binary' }), 'Blob')
  assert.equal(type({ type: 'object', additionalProperties: { type: 'string' } }), 'Record<string, string>')
  assert.equal(type({ type: 'object', additionalProperties: false }), 'Record<string, never>')
  assert.equal(
    type({ type: 'object', properties: { 'a-b': { type: 'string' }, c: {} }, required: ['c'] }),
    "{ 'a-b'?: string c: unknown }",
  )
  assert.equal(type({ anyOf: [{ type: 'string' }, { type: 'number' }] }), 'string | number')
  assert.equal(type({ allOf: [{ type: 'string' }, { const: 'a' }] }), "(string) & ('a')")
  assert.throws(() => type({ type: 'date' }), /no TypeScript is known for the type date/)
})

test('a title names one schema, which may be nullable in one place and not in another', () => {
  const thing = { title: 'Thing', type: 'object', properties: { a: { type: 'string' } } }
  const named = new Map<string, string>()
  assert.equal(typeOf(thing, named), 'Thing')
  assert.equal(typeOf({ ...thing, type: ['object', 'null'] }, named), 'Thing | null')
  assert.equal(named.size, 1)
  assert.throws(() => typeOf({ ...thing, properties: {} }, named), /two schemas that differ have the title Thing/)
  const answer = { responses: { 200: { content: { 'application/json': { schema: thing } } } } }
  assert.match(
    writeTypes({ paths: { '/b': { get: answer }, '/a': { get: answer } } }),
    /Thing = \{[\s\S]*'\/a'[\s\S]*'\/b'/,
  )
})

test('a streaming response is typed as a stream, also for a POST', () => {
  /** Never runs: the test is that it compiles. */
  const streamed = async (ramal: RamalClient): Promise<ReadableStream | null> => {
    const params = { path: { conversationId: 'x' }, query: { reply: true } }
    const body = { type: 'user', content: 'x' } as const
    const path = '/api/conversations/message/send/{conversationId}'
    const whole: string = (await ramal.POST(path, { params, body })).data.content
    assert.ok(whole)
    return (await ramal.POST(path, { params, body, parseAs: 'stream' })).data
  }
  assert.equal(streamed.length, 1)
})
