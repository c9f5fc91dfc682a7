// Model lists and account tests over real sockets; the list is compared with that of OpenAI's own client.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import OpenAI from 'openai'
import { Agent } from 'undici'
import { atEnd } from '../../test/app.ts'
import { startAnthropic } from '../../test/vendors/anthropic.ts'
import { startGemini } from '../../test/vendors/gemini.ts'
import { startLlm } from '../../test/vendors/llm.ts'
import { type Fault, KEY } from '../../test/vendors/server.ts'
import { vendorWords } from '../base/domain/vendor-words.ts'
import { findLocalServers } from './local-servers.ts'
import { listModels } from './model-list.ts'
import { testModel } from './model-test.ts'

const dispatcher = new Agent()
atEnd(() => dispatcher.destroy())
const options = { title: 'The vendor', dispatcher }
const ids = (models: { id: string }[]) => models.map(({ id }) => id)

async function serving(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const openAi = (url: string, apiKey: string | null = KEY) =>
  ({ provider: 'openai-compatible', baseUrl: `${url}/v1`, apiKey, model: 'gpt-small' }) as const

test("OpenAI's list is the one that its own client reads, without models that do not chat", async () => {
  const server = await startLlm({ models: ['gpt-small', 'gpt-large', 'text-embedding-3-small', 'whisper-1'] })
  atEnd(() => server.stop())
  const official = await new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1` }).models.list()
  assert.deepEqual(ids(official.data), ['gpt-small', 'gpt-large', 'text-embedding-3-small', 'whisper-1'])
  assert.deepEqual(ids(await listModels(openAi(server.url), options)), ['gpt-large', 'gpt-small'])
})

test('Anthropic and Google list their models with their titles', async () => {
  const [claude, gemini] = [await startAnthropic({ answer: () => ({}) }), await startGemini({ answer: () => ({}) })]
  atEnd(() => claude.stop())
  atEnd(() => gemini.stop())
  const anthropic = { provider: 'anthropic', baseUrl: `${claude.url}/v1`, apiKey: KEY, model: '' } as const
  assert.deepEqual(await listModels(anthropic, options), [{ id: 'claude-small', title: 'Claude Small' }])
  const google = { provider: 'google', baseUrl: `${gemini.url}/v1beta`, apiKey: KEY, model: '' } as const
  assert.deepEqual(await listModels(google, options), [{ id: 'gemini-flash', title: 'Shown gemini-flash' }])
})

test("a refused list says why in the vendor's words, without the key", async () => {
  const server = await startLlm({})
  atEnd(() => server.stop())
  server.fail('throttled', 1)
  await assert.rejects(listModels(openAi(server.url), options), (error: Error) => {
    assert.match(error.message, /^The vendor limits our requests: status 429 for \[key\]$/)
    return !JSON.stringify(error, Object.getOwnPropertyNames(error)).includes(KEY)
  })
  await assert.rejects(listModels(openAi(server.url, 'wrong'), options), /did not accept our key/)
})

test('a list is bounded in time and size, and follows no redirect', async () => {
  const asked: (string | undefined)[] = []
  const other = await serving((request, response) => {
    asked.push(request.headers.authorization)
    response.end('{"data":[]}')
  })
  const redirecting = await serving((_request, response) => response.writeHead(302, { location: other }).end())
  await assert.rejects(listModels(openAi(redirecting), options), /answered with status 302|refused/i)
  assert.deepEqual(asked, [])
  const silent = await serving(() => {})
  await assert.rejects(
    listModels(openAi(silent), { ...options, timeoutMs: 100 }),
    /did not answer in time|connection was lost/,
  )
  const endless = await serving((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = (): boolean | undefined => response.writable && response.write('x'.repeat(65_536), write as never)
    write()
  })
  await assert.rejects(listModels(openAi(endless), options), /too long|list of models/)
  const nonsense = await serving((_request, response) => response.end('<html>'))
  await assert.rejects(listModels(openAi(nonsense), options), /did not answer with a list of models/)
})

test('a test measures the time to the first word', async () => {
  const server = await startLlm({ firstMs: 30 })
  atEnd(() => server.stop())
  const { firstTokenMs, firstMs, ...rest } = await testModel(openAi(server.url), options)
  const said = { heard: null, problem: null, message: null, vendorMessage: null }
  assert.deepEqual(rest, { isOk: true, kind: 'llm', model: 'gpt-small', ...said })
  assert.equal(firstMs, firstTokenMs)
  assert.ok(firstTokenMs !== null && firstTokenMs >= 25)
})

test('a test says what is wrong, for each way to fail, and never the key', async () => {
  const server = await startLlm({})
  atEnd(() => server.stop())
  const outcome = async (fault: Fault | null, change: object = {}) => {
    if (fault) server.fail(fault, 1)
    const result = await testModel(
      { ...openAi(server.url), ...change },
      {
        ...options,
        timeoutMs: fault === 'silent' ? 400 : 30_000,
      },
    )
    assert.equal(result.isOk, false)
    assert.ok(!JSON.stringify(result).includes(KEY), JSON.stringify(result))
    return [result.problem, result.message, result.vendorMessage]
  }
  const throttled = await outcome('throttled')
  assert.deepEqual(throttled, ['limited', 'The vendor limits our requests', 'status 429 for [key] Hello'])
  assert.equal((await outcome('unauthorized'))[0], 'key_refused')
  const unknown = await outcome(null, { model: 'none' })
  assert.deepEqual(unknown.slice(0, 1).concat(unknown.slice(2)), ['model_unknown', 'The model `none` does not exist'])
  assert.equal((await outcome('silent'))[0], 'timeout')
  assert.equal((await outcome(null, { baseUrl: 'http://127.0.0.1:1/v1' }))[0], 'unreachable')
})

test("a vendor's words are one bounded line without the key or a part of it", () => {
  const key = 'sk-proj-abcdefghijklmnop'
  const said = (message: string) => vendorWords(JSON.stringify({ error: { message } }), key)
  assert.equal(said(`Incorrect API key provided: ${key}.`), 'Incorrect API key provided: [key]')
  assert.equal(said('Incorrect API key: sk-proj-**********mnop'), 'Incorrect API key: [key]')
  assert.equal(said('one\n\ttwo\u2028three'), 'one two three')
  assert.equal(said('x '.repeat(1000))?.length, 300)
  assert.equal(vendorWords('{"message":"gone"}', null), 'gone')
  assert.equal(vendorWords('{"detail":"gone"}', null), 'gone')
  assert.equal(vendorWords('[{"error":{"message":"gone"}}]', null), 'gone')
  assert.equal(vendorWords('plain words', null), 'plain words')
  for (const nothing of ['<html>x</html>', '{"error":', '{}', '""', '']) assert.equal(vendorWords(nothing, key), null)
})

test('servers of this machine are found by their own answers, and nothing else is taken for one', async () => {
  const answering = (answers: Record<string, unknown>) =>
    serving(({ url }, response) => {
      const known = answers[url ?? '']
      response.writeHead(known === undefined ? 404 : 200).end(JSON.stringify(known ?? {}))
    })
  const listed = (id: string, more: object) => ({ object: 'list', data: [{ id, object: 'model', ...more }] })
  const ollama = await answering({
    '/api/tags': { models: [{ name: 'llama3.1:8b' }, { name: 'nomic-embed-text' }, {}, null] },
    '/api/version': { version: '0.12.3' },
  })
  const llamaCpp = await answering({ '/v1/models': listed('qwen3.gguf', { owned_by: 'llamacpp' }) })
  const localAi = await answering({ '/v1/models': listed('gemma', {}) })
  const elsewhere = await answering({ '/v1/models': listed('m', { owned_by: 'somebody' }) })
  const moved = await serving((_request, response) =>
    response.writeHead(307, { location: `${llamaCpp}/v1/models` }).end(),
  )
  const others = [
    await answering({ '/v1/models': { hello: 1 }, '/api/tags': { hello: 1 } }),
    await answering({ '/v1/models': listed('text-embedding', {}) }),
    await serving((_request, response) => response.end('<html>')),
    moved,
    'http://127.0.0.1:1',
  ]
  const compatible = [llamaCpp, localAi, elsewhere, ...others].map((url) => ({ url, name: 'vLLM' }))
  const found = await findLocalServers([
    ...[ollama, ...others].map((url) => ({ url, vendor: 'ollama' as const, name: 'Ollama' })),
    ...compatible.map((place) => ({ ...place, vendor: 'openai-compatible' as const })),
  ])
  const one = { vendor: 'openai-compatible', version: null }
  assert.deepEqual(found, [
    { vendor: 'ollama', name: 'Ollama', baseUrl: `${ollama}/v1`, version: '0.12.3', models: ['llama3.1:8b'] },
    { ...one, name: 'llama.cpp', baseUrl: `${llamaCpp}/v1`, models: ['qwen3.gguf'] },
    { ...one, name: 'LocalAI', baseUrl: `${localAi}/v1`, models: ['gemma'] },
    { ...one, name: 'vLLM', baseUrl: `${elsewhere}/v1`, models: ['m'] },
  ])
})
