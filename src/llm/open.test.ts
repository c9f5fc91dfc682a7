// Opens an LLM from the environment: settings, an agent's choice of model, and the fallback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { saidTo, startAnthropic } from '../../test/vendors/anthropic.ts'
import { type ChatRequest, startLlm } from '../../test/vendors/llm.ts'
import { KEY } from '../../test/vendors/server.ts'
import { readConfig } from '../config/load.ts'
import { createBreakers } from '../failover/breakers.ts'
import { llmChain } from '../failover/llm-chain.ts'
import type { Llm, Message } from '../voice/ports.ts'
import { type LlmService, openLlm, ruleLlms } from './open.ts'

const never = new AbortController().signal
const history: Message[] = [{ role: 'user', content: 'Hi' }]
const replyOf = async (llm: Llm) =>
  (await Array.fromAsync(llm.reply(history, [], { language: 'en' }, never)))
    .map((part) => ('say' in part ? part.say : ''))
    .join('')
const bodyOf = (server: { asked: { body: string }[] }) => JSON.parse(server.asked.at(-1)?.body ?? '{}') as ChatRequest

const configOf = (env: Record<string, string>) => readConfig(env).llm

async function open(env: Record<string, string>) {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  return { brain: await openLlm(configOf(env), log), lines }
}

test('without a configured model there is none, the rule agent replies, and the log says so once', async () => {
  const { brain, lines } = await open({})
  assert.deepEqual([brain.main, brain.fallback], [null, null])
  const llm = ruleLlms().llmFor({ model: 'gpt' })
  assert.deepEqual([llm.name, llm.isModel], ['rules', false])
  assert.equal(await replyOf(llm), 'Hello! How can I help you?')
  assert.equal(lines.filter((line) => line.includes('no language model')).length, 1)
  await brain.close()
})

test('settings are read, and incomplete ones are reported', () => {
  const main = { LLM_BASE_URL: 'http://localhost:11434/v1/', LLM_API_KEY: 'k', LLM_MODEL: 'a' }
  const server = { provider: 'openai-compatible', baseUrl: 'http://localhost:11434/v1', apiKey: 'k' }
  assert.deepEqual(configOf({}), { main: null, fallback: null, models: null, modelFile: null })
  assert.equal(configOf({ LLM_MODEL_FILE: ' models/small.gguf ' }).modelFile, 'models/small.gguf')
  assert.deepEqual(configOf({ ...main, LLM_MODELS: 'a, b,,c' }), {
    main: { ...server, model: 'a' },
    fallback: null,
    models: ['a', 'b', 'c'],
    modelFile: null,
  })
  assert.deepEqual(configOf({ ...main, LLM_FALLBACK_MODEL: 'b' }).fallback, { ...server, model: 'b' })
  const openAi = { provider: 'openai-compatible', baseUrl: 'https://api.openai.com/v1', apiKey: 'k' }
  const keyAndModel = { LLM_API_KEY: 'k', LLM_MODEL: 'a' }
  assert.deepEqual(configOf(keyAndModel).main, { ...openAi, model: 'a' })
  assert.deepEqual(configOf({ ...keyAndModel, LLM_FALLBACK_MODEL: 'b' }).fallback, { ...openAi, model: 'b' })
  const other = { LLM_FALLBACK_BASE_URL: 'http://other/v1', LLM_FALLBACK_MODEL: 'b' }
  assert.deepEqual(configOf({ ...main, ...other }).fallback, {
    provider: 'openai-compatible',
    baseUrl: 'http://other/v1',
    apiKey: null,
    model: 'b',
  })
  const claude = { LLM_PROVIDER: 'anthropic', LLM_API_KEY: 'k', LLM_MODEL: 'a' }
  const claudeConfig = { provider: 'anthropic', baseUrl: null, apiKey: 'k', model: 'a' }
  assert.deepEqual(configOf(claude).main, claudeConfig)
  assert.deepEqual(configOf({ ...claude, LLM_PROVIDER: '@ai-sdk/anthropic' }).main, claudeConfig)
  assert.deepEqual(configOf({ ...claude, LLM_FALLBACK_MODEL: 'b' }).fallback, { ...claudeConfig, model: 'b' })
  const gemini = { LLM_FALLBACK_PROVIDER: 'google', LLM_FALLBACK_API_KEY: 'g', LLM_FALLBACK_MODEL: 'b' }
  const geminiConfig = { provider: 'google', baseUrl: null, apiKey: 'g', model: 'b' }
  for (const first of [main, claude]) assert.deepEqual(configOf({ ...first, ...gemini }).fallback, geminiConfig)
  assert.deepEqual(configOf({ ...claude, ...other }).fallback?.provider, 'openai-compatible')
  for (const [env, problem] of [
    [{ LLM_API_KEY: 'k' }, /set LLM_API_KEY and LLM_MODEL for OpenAI, or LLM_BASE_URL and LLM_MODEL/],
    [{ LLM_MODEL: 'a' }, /set LLM_API_KEY and LLM_MODEL for OpenAI, or LLM_BASE_URL and LLM_MODEL/],
    [{ LLM_BASE_URL: 'http://x/v1' }, /LLM_BASE_URL needs LLM_MODEL/],
    [{ ...main, LLM_BASE_URL: 'ftp://x' }, /LLM_BASE_URL must be a URL/],
    [{ ...main, LLM_FALLBACK_BASE_URL: 'http://x/v1' }, /need LLM_FALLBACK_MODEL/],
    [{ LLM_PROVIDER: 'skynet' }, /LLM_PROVIDER must be one of openai-compatible, anthropic, google/],
    [{ LLM_PROVIDER: '@ai-sdk/amazon-bedrock' }, /LLM_PROVIDER must be one of/],
    [{ LLM_PROVIDER: 'anthropic', LLM_MODEL: 'a' }, /anthropic needs LLM_MODEL and LLM_API_KEY/],
    [{ LLM_PROVIDER: 'anthropic', LLM_API_KEY: 'k' }, /anthropic needs LLM_MODEL and LLM_API_KEY/],
    [{ ...main, LLM_FALLBACK_PROVIDER: 'google', LLM_FALLBACK_MODEL: 'b' }, /google needs LLM_FALLBACK_API_KEY/],
    [{ ...main, LLM_FALLBACK_PROVIDER: 'google' }, /need LLM_FALLBACK_MODEL/],
    [{ ...claude, LLM_FALLBACK_PROVIDER: 'openai-compatible', LLM_FALLBACK_MODEL: 'b' }, /needs LLM_FALLBACK_BASE_URL/],
  ] as const)
    assert.throws(() => readConfig(env), problem)
})

/** The environment's models as a chain. */
function chainOf({ main, fallback }: LlmService, llmConfig: Record<string, unknown>): Llm {
  const engines = [main?.llmFor(llmConfig), fallback?.llmFor({ ...llmConfig, model: undefined })]
  const links = engines.flatMap((engine, i) =>
    engine ? [{ id: `environment-${i}`, version: '', name: '', model: null, engine }] : [],
  )
  return llmChain({ links, breakers: createBreakers(), onEvent: () => {} })
}

test('an agent chooses among the allowed models; any if none are listed', async (t) => {
  const server = await startLlm({ isOpen: true })
  t.after(() => server.stop())
  const env = { LLM_BASE_URL: `${server.url}/v1`, LLM_MODEL: 'a' }
  const modelFor = async (brain: LlmService, llmConfig: Record<string, unknown> | null) => {
    const llm = brain.main?.llmFor(llmConfig)
    assert.ok(llm)
    await replyOf(llm)
    assert.equal(llm.name, bodyOf(server).model)
    return bodyOf(server).model
  }
  const bound = await open({ ...env, LLM_MODELS: 'b' })
  for (const [asked, model] of [
    ['b', 'b'],
    ['a', 'a'],
    ['c', 'a'],
    ['', 'a'],
    [undefined, 'a'],
  ])
    assert.equal(await modelFor(bound.brain, asked === undefined ? null : { model: asked }), model)
  await modelFor(bound.brain, { model: 'c' })
  assert.equal(bound.lines.filter((line) => line.includes('"requested":"c"')).length, 1)
  const free = await open(env)
  assert.equal(await modelFor(free.brain, { model: 'anything', temperature: 0.4 }), 'anything')
  assert.equal(bodyOf(server).temperature, 0.4)
  for (const { brain } of [bound, free]) await brain.close()
})

test('the second model replies if the first fails, with its own key and model', async (t) => {
  const [first, second] = [
    await startLlm({ isOpen: true }),
    await startLlm({ answer: () => ({ say: 'Second here.' }) }),
  ]
  t.after(() => Promise.all([first.stop(), second.stop()]))
  const { brain, lines } = await open({
    LLM_BASE_URL: `${first.url}/v1`,
    LLM_API_KEY: 'first-key-77',
    LLM_MODEL: 'a',
    LLM_FALLBACK_BASE_URL: `${second.url}/v1`,
    LLM_FALLBACK_API_KEY: KEY,
    LLM_FALLBACK_MODEL: 'b',
  })
  const llm = chainOf(brain, { model: 'chosen', temperature: 1 })
  first.fail('broken')
  assert.equal(await replyOf(llm), 'Second here.')
  assert.equal(bodyOf(first).model, 'chosen')
  assert.deepEqual([bodyOf(second).model, bodyOf(second).temperature], ['b', 1])
  assert.ok(!lines.join('').includes('first-key-77') && !lines.join('').includes(KEY))
  first.heal()
  assert.equal(await replyOf(chainOf(brain, {})), 'Você disse: Hi')
  await brain.close()
})

test('an AI SDK provider is the main model, with a server of another kind as its fallback', async (t) => {
  const [claude, second] = [
    await startAnthropic({ answer: (request) => ({ say: `Claude heard ${saidTo(request)}` }) }),
    await startLlm({ answer: () => ({ say: 'Second here.' }) }),
  ]
  t.after(() => Promise.all([claude.stop(), second.stop()]))
  const { brain, lines } = await open({
    LLM_PROVIDER: '@ai-sdk/anthropic',
    LLM_BASE_URL: `${claude.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'claude',
    LLM_FALLBACK_BASE_URL: `${second.url}/v1`,
    LLM_FALLBACK_API_KEY: KEY,
    LLM_FALLBACK_MODEL: 'b',
  })
  const llm = chainOf(brain, { temperature: 0.5 })
  assert.deepEqual([llm.name, llm.isModel], ['claude', true])
  for (const one of [llm, brain.main?.backgroundLlm(null)]) assert.equal(one && (await replyOf(one)), 'Claude heard Hi')
  claude.fail('unauthorized')
  assert.equal(await replyOf(llm), 'Second here.')
  assert.equal(bodyOf(second).temperature, 0.5)
  assert.ok(!lines.join('').includes(KEY))
  await brain.close()
})

test('a provider whose package is not installed is reported at start, with the package to install', async () => {
  const env = { LLM_PROVIDER: 'mistral', LLM_API_KEY: 'k', LLM_MODEL: 'a' }
  await assert.rejects(open(env), /mistral needs a package that is not installed: npm install @ai-sdk\/mistral/)
})
