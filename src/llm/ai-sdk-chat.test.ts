// First the AI SDK's own packages against servers for Anthropic's and Gemini's protocols, then our driver under every
// fault.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { type MessagesRequest, saidTo as saidToClaude, startAnthropic } from '../../test/vendors/anthropic.ts'
import type { ModelAnswer } from '../../test/vendors/event-answers.ts'
import { type GenerateRequest, saidTo as saidToGemini, startGemini } from '../../test/vendors/gemini.ts'
import { type Fault, KEY } from '../../test/vendors/server.ts'
import { failureOf, until } from '../../test/vendors/tts-cases.ts'
import type { LlmPart, Message, ReplyOptions, Tool } from '../voice/ports.ts'
import { aiSdkChat } from './ai-sdk-chat.ts'
import type { LanguageModel } from './ai-sdk-model.ts'
import { openProvider } from './ai-sdk-providers.ts'
import type { ChatSettings } from './model-answer.ts'
import { ModelError } from './model-http.ts'

const said = 'Qual é o horário de vocês no sábado?'
const calls = (names: string[]) => [
  { name: names[0] ?? '', args: { cidade: 'São Paulo', dias: [1, 2] } },
  { name: names.at(-1) ?? '', args: {} },
]
const answerTo = (words: string, isResult: boolean, names: string[] | undefined): ModelAnswer => {
  if (isResult) return { say: `Ficou assim: ${words}` }
  return names ? { say: 'Um momento.', calls: calls(names) } : { say: `Você disse: ${words}` }
}
const claudeAnswer = (request: MessagesRequest) =>
  answerTo(
    saidToClaude(request),
    request.messages.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false,
    request.tools?.map(({ name }) => name),
  )
const geminiAnswer = (request: GenerateRequest) =>
  answerTo(
    saidToGemini(request),
    request.contents.at(-1)?.parts.some(({ functionResponse }) => functionResponse) ?? false,
    request.tools?.[0]?.functionDeclarations.map(({ name }) => name),
  )
const claude = await startAnthropic({ answer: claudeAnswer })
const gemini = await startGemini({ answer: geminiAnswer })

const never = new AbortController().signal
const short = { connectMs: 10_000, firstByteMs: 400, idleMs: 400 }
/** Generous, because a busy machine may lag by seconds; `short` is for servers that must time out. */
const long = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000 }
const opened: { close(): Promise<void> }[] = []
after(async () => {
  for (const one of opened) await one.close()
  await Promise.all([claude.stop(), gemini.stop()])
})

type Server = typeof claude
async function open(name: 'anthropic' | 'google', server: Server, more: Partial<ChatSettings> = {}) {
  const baseUrl = `${server.url}/${name === 'google' ? 'v1beta' : 'v1'}`
  const provider = await openProvider(name, { apiKey: KEY, baseUrl, connectMs: 10_000 })
  const llm = aiSdkChat(provider, { apiKey: KEY, model: `${name}-small`, timeouts: long, ...more })
  opened.push(llm)
  return llm
}
const history: Message[] = [
  { role: 'system', content: 'Seja breve.' },
  { role: 'agent', content: 'Olá!' },
  { role: 'user', content: said },
]
const options: ReplyOptions = { language: 'pt-BR' }
const tool = (name: string): Tool => ({
  name,
  description: `${name}.`,
  parameters: { type: 'object', properties: { cidade: { type: 'string' } } },
  run: async () => ({ text: '', failed: false }),
})
const wordsOf = (parts: readonly LlmPart[]) => parts.map((part) => ('say' in part ? part.say : '')).join('')
const callsOf = (parts: readonly LlmPart[]) => parts.flatMap((part) => ('call' in part ? [part.call] : []))
const bodyOf = <T>(server: Server, i = 0) =>
  JSON.parse(Buffer.from(server.asked[i]?.body ?? '', 'latin1').toString('utf8')) as T

const clients: [string, Server, LanguageModel, LanguageModel][] = [
  [
    'Anthropic',
    claude,
    createAnthropic({ apiKey: KEY, baseURL: `${claude.url}/v1` })('small') as unknown as LanguageModel,
    createAnthropic({ apiKey: 'wrong', baseURL: `${claude.url}/v1` })('small') as unknown as LanguageModel,
  ],
  [
    'Gemini',
    gemini,
    createGoogle({ apiKey: KEY, baseURL: `${gemini.url}/v1beta` })('small') as unknown as LanguageModel,
    createGoogle({ apiKey: 'wrong', baseURL: `${gemini.url}/v1beta` })('small') as unknown as LanguageModel,
  ],
]
for (const [title, server, model, stranger] of clients)
  test(`${title}: the AI SDK's own package works with this server, with tools and with faults`, async () => {
    server.heal()
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: said }] }]
    const tools = [{ type: 'function' as const, name: 'tempo', description: 'x', inputSchema: { type: 'object' } }]
    const ask = async (one: LanguageModel, more: object = {}) =>
      Array.fromAsync((await one.doStream({ prompt, abortSignal: never, ...more })).stream)
    const words = (parts: { type: string; delta?: unknown }[]) =>
      parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
    assert.equal(words(await ask(model)), `Você disse: ${said}`)
    const cut = await ask(model, { maxOutputTokens: 4 })
    assert.equal(words(cut), 'Você disse: Qual é')
    assert.equal((cut.at(-1)?.finishReason as { unified: string } | undefined)?.unified, 'length')
    const called = (await ask(model, { tools })).filter(({ type }) => type === 'tool-call')
    assert.deepEqual(
      called.map(({ input }) => JSON.parse(String(input))),
      [{ cidade: 'São Paulo', dias: [1, 2] }, {}],
    )
    await assert.rejects(ask(stranger), { statusCode: 401 })
    for (const [fault, statusCode] of [
      ['throttled', 429],
      ['broken', 500],
    ] as const) {
      server.fail(fault)
      await assert.rejects(ask(model), { statusCode })
    }
  })

for (const [name, server] of [
  ['anthropic', claude],
  ['google', gemini],
] as const) {
  const it = (what: string, run: () => Promise<void>) =>
    test(`${name}: ${what}`, async () => {
      server.heal()
      await run()
    })
  const llm = await open(name, server)
  const hasty = await open(name, server, { timeouts: short })
  const reply = (tools: Tool[] = [], from = llm) => Array.fromAsync(from.reply(history, tools, options, never))

  it('text is streamed as it is generated', async () => {
    const parts = await reply()
    assert.equal(wordsOf(parts), `Você disse: ${said}`)
    assert.ok(parts.length > 5)
    assert.ok(!server.asked[0]?.url.includes(KEY))
  })

  it('the connection is reused from one reply to the next', async () => {
    const other = await open(name, server)
    const before = server.connections()
    for (let i = 0; i < 6; i++) {
      await Array.fromAsync(other.reply(history, [], options, never))
      await until(() => server.busy() === 0, 'the answer has ended')
    }
    const used = server.connections() - before
    assert.ok(used <= 2, `${used} connections`)
  })

  it('tools are offered under names that the protocol allows and called by their own, and results are sent back', async () => {
    const tools = [tool('Previsão do tempo!'), tool('Previsao do tempo?')]
    const parts = await reply(tools)
    assert.equal(wordsOf(parts), 'Um momento.')
    const made = callsOf(parts)
    assert.deepEqual(
      made.map(({ name: own, args }) => ({ name: own, args })),
      [
        { name: 'Previsão do tempo!', args: { cidade: 'São Paulo', dias: [1, 2] } },
        { name: 'Previsao do tempo?', args: {} },
      ],
    )
    const results: Message[] = made.map(({ id }, i) => ({ role: 'tool', callId: id, content: `sol ${i}` }))
    const next = [...history, { role: 'agent', content: 'Um momento.', calls: made } as const, ...results]
    assert.equal(wordsOf(await Array.fromAsync(llm.reply(next, tools, options, never))), 'Ficou assim: sol 1')
  })

  it('late system messages, an opening by the agent and a lost reply are accepted by the server', async () => {
    const lost: Message[] = [
      { role: 'system', content: 'Seja breve.' },
      { role: 'agent', content: '', calls: [{ id: 'call/1 of another', name: 'x y', args: 'no JSON' }] },
      { role: 'system', content: 'The caller was silent.' },
    ]
    const alone: Message[] = [{ role: 'system', content: 'Seja breve.' }]
    const spoken: Message[] = [...history, { role: 'agent', content: 'Já vejo.' }]
    // Gemini rejects a call with a signature that it did not issue: such a history comes from another model.
    for (const one of name === 'google' ? [alone, spoken] : [lost, alone, spoken])
      assert.match(wordsOf(await Array.fromAsync(llm.reply(one, [], options, never))), /system_note/)
  })

  it('small chunks and pauses leave the reply intact, and the first words arrive before the last', async () => {
    server.fail('drip')
    const parts: LlmPart[] = []
    for await (const part of llm.reply(history, [tool('tempo')], options, never)) {
      if (parts.length === 0) assert.ok(server.busy() > 0, 'the server still replies')
      parts.push(part)
    }
    assert.equal(wordsOf(parts), 'Um momento.')
    assert.deepEqual(callsOf(parts)[0]?.args, { cidade: 'São Paulo', dias: [1, 2] })
  })

  it('a slow consumer is not a stall', async () => {
    let words = ''
    for await (const part of hasty.reply(history, [], options, never)) {
      if (words === '') await new Promise((resolve) => setTimeout(resolve, 1.5 * short.idleMs))
      words += 'say' in part ? part.say : ''
    }
    assert.equal(words, `Você disse: ${said}`)
  })

  const faults: [fault: Fault, status: number, message: RegExp, tries: number][] = [
    ['stall', 504, /did not answer in time/, 1],
    ['silent', 504, /did not answer in time/, 1],
    ['unauthorized', 502, /did not accept our key/, 1],
    ['throttled', 502, /limits our requests/, 1],
    ['broken', 502, /status 500/, 2],
    ['reset', 502, /connection was lost/, 1],
    ['reset-at-once', 502, /connection was lost/, 2],
    ['wrong', 502, /broke off|nonsense|gave no answer/, 2],
    ['mislabelled', 502, /half-way|nonsense/, 1],
    ['empty', 502, /gave no answer/, 1],
  ]
  for (const [fault, status, message, tries] of faults)
    it(`a server with the fault "${fault}" is a ${status}, and the error contains neither the key nor the conversation`, async () => {
      server.fail(fault)
      const error = await failureOf(reply([], status === 504 ? hasty : llm))
      assert.equal(error.status, status)
      assert.match(error.message, message)
      const seen = [error.message, error.stack, String((error.cause as Error | undefined)?.message)].join('\n')
      assert.ok(!seen.includes('horário'), seen)
      assert.equal(server.asked.length, tries)
      await until(() => server.busy() === 0, 'no connection is left open')
    })

  it('a transient failure is retried once, before the first word', async () => {
    for (const fault of ['broken', 'reset-at-once'] as const) {
      server.fail(fault, 1)
      assert.equal(wordsOf(await reply()), `Você disse: ${said}`)
      assert.equal(server.asked.length, 2)
    }
  })

  it('an abort ends the reply without an error and closes the socket at once', async () => {
    for (const fault of ['stall', 'silent'] as const) {
      server.fail(fault)
      const slow = await open(name, server, { timeouts: { firstByteMs: 60_000, idleMs: 60_000 } })
      const leaving = new AbortController()
      const parts = Array.fromAsync(slow.reply(history, [], options, leaving.signal))
      await until(() => server.busy() === 1, 'it was asked')
      leaving.abort()
      await parts
      await until(() => server.busy() === 0, 'the connection is closed')
    }
    assert.deepEqual(await Array.fromAsync(llm.reply(history, [], options, AbortSignal.abort())), [])
  })

  it('a consumer that stops reading closes the socket too', async () => {
    server.fail('drip')
    for await (const part of llm.reply(history, [], options, never)) if ('say' in part) break
    await until(() => server.busy() === 0, 'the connection is closed')
  })

  it('an unreachable model is a 502 that names the cause', async () => {
    const asked = { ...options, settings: { model: 'none' } }
    const error = await failureOf(Array.fromAsync(llm.reply(history, [], asked, never)))
    assert.match(error.message, /no such model/)
  })

  it('a rate limit reports its Retry-After, and a short one is waited for', async () => {
    server.fail('throttled')
    const error = await failureOf(reply())
    assert.ok(error instanceof ModelError)
    assert.equal(error.retryAfterMs, 20_000)
    const brief =
      name === 'google'
        ? await startGemini({ answer: geminiAnswer, retryAfter: '0.2' })
        : await startAnthropic({ answer: claudeAnswer, retryAfter: '0.2' })
    brief.fail('throttled', 1)
    try {
      const patient = await open(name, brief)
      assert.match(wordsOf(await Array.fromAsync(patient.reply(history, [], options, never))), /horário/)
      assert.equal(brief.asked.length, 2)
    } finally {
      await brief.stop()
    }
  })
}

test("the agent chooses model and settings within the operator's limits", async () => {
  const settings = { model: 'large', temperature: 0.2, maxTokens: 9999, topP: 0.5, stop: 'FIM', unknown: 1 }
  const bound = { models: ['large'], maxTokens: 300 }
  claude.heal()
  gemini.heal()
  for (const llm of [await open('anthropic', claude, bound), await open('google', gemini, bound)]) {
    await Array.fromAsync(llm.reply(history, [], { ...options, settings }, never))
    await Array.fromAsync(llm.reply(history, [], { ...options, settings: { model: 'huge' } }, never))
  }
  const toClaude = bodyOf<MessagesRequest>(claude)
  assert.deepEqual(
    [toClaude.model, toClaude.temperature, toClaude.max_tokens, toClaude.stop_sequences],
    ['large', 0.2, 300, ['FIM']],
  )
  assert.deepEqual(toClaude.system, [{ type: 'text', text: 'Seja breve.' }])
  assert.equal(bodyOf<MessagesRequest>(claude, 1).model, 'anthropic-small')
  assert.deepEqual(bodyOf<GenerateRequest>(gemini).generationConfig, {
    maxOutputTokens: 300,
    temperature: 0.2,
    topP: 0.5,
    stopSequences: ['FIM'],
  })
  assert.deepEqual(
    gemini.asked.map(({ url }) => /models\/([\w-]+)/.exec(url)?.[1]),
    ['large', 'google-small'],
  )
})

test('a reasoning model gets its reasoning back with its calls, and it is never spoken', async (t) => {
  const thinker = await startAnthropic({ answer: claudeAnswer, thinks: true })
  t.after(() => thinker.stop())
  const llm = await open('anthropic', thinker, { model: 'claude-sonnet-4-5' })
  const asked = { ...options, settings: { reasoningEffort: 'high' } }
  const parts = await Array.fromAsync(llm.reply(history, [tool('tempo')], asked, never))
  assert.equal(wordsOf(parts), 'Um momento.')
  const made = callsOf(parts)
  const results: Message[] = made.map(({ id }) => ({ role: 'tool', callId: id, content: 'sol' }))
  const next = [...history, { role: 'agent', content: 'Um momento.', calls: made } as const, ...results]
  assert.equal(wordsOf(await Array.fromAsync(llm.reply(next, [tool('tempo')], asked, never))), 'Ficou assim: sol')
  const { messages, thinking } = bodyOf<MessagesRequest>(thinker, 1)
  assert.equal(thinking?.type, 'enabled')
  assert.deepEqual(messages.findLast(({ role }) => role === 'assistant')?.content[0], {
    type: 'thinking',
    thinking: 'Hm, let me see.',
    signature: 'signed by us',
  })
})

test('a truncated call is not executed, and an older specification version works', async () => {
  const scripted = (parts: object[]) =>
    aiSdkChat(
      {
        languageModel: () => ({ doStream: async () => ({ stream: Readable.toWeb(Readable.from(parts)) as never }) }),
        close: async () => {},
      },
      { apiKey: null, model: 'm', timeouts: long },
    )
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '{"a":' }
  const ask = (parts: object[]) => Array.fromAsync(scripted(parts).reply(history, [], options, never))
  await assert.rejects(ask([call, { type: 'finish', finishReason: 'length' }]), /cut off/)
  await assert.rejects(ask([{ ...call, input: '{}' }]), /broke off/)
  await assert.rejects(
    ask([
      { ...call, input: '{}' },
      { type: 'finish', finishReason: { unified: 'error' } },
    ]),
    /broke off/,
  )
  assert.deepEqual(
    await ask([
      { ...call, input: '' },
      { type: 'finish', finishReason: 'tool-calls' },
    ]),
    [{ call: { id: 'c', name: 'x', args: {} } }],
  )
  const own = { ...call, providerExecuted: true }
  assert.deepEqual(
    await ask([own, { type: 'text-delta', id: '1', delta: 'Oi' }, { type: 'finish', finishReason: 'stop' }]),
    [{ say: 'Oi' }],
  )
  await assert.rejects(
    ask([{ type: 'error', error: new Error(said) }]),
    (error: Error) => !error.message.includes(said),
  )
})

test('a provider that ignores its signal does not block anyone', async () => {
  const deaf = aiSdkChat(
    { languageModel: () => ({ doStream: () => new Promise(() => {}) }), close: async () => {} },
    { apiKey: null, model: 'm', timeouts: short },
  )
  const leaving = new AbortController()
  const parts = Array.fromAsync(deaf.reply(history, [], options, leaving.signal))
  leaving.abort()
  assert.deepEqual(await parts, [])
  assert.equal((await failureOf(Array.fromAsync(deaf.reply(history, [], options, never)))).status, 504)
})
