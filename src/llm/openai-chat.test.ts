// First OpenAI's own client against the protocol server, then our driver under every fault.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import OpenAI from 'openai'
import { type ChatRequest, lastSaid, startLlm } from '../../test/vendors/llm.ts'
import { KEY } from '../../test/vendors/server.ts'
import { failureOf, until } from '../../test/vendors/tts-cases.ts'
import type { LlmPart, Message, ReplyOptions, Tool } from '../voice/ports.ts'
import { ModelError } from './model-http.ts'
import { type OpenAiChatSettings, openAiChat } from './openai-chat.ts'

const said = 'Qual é o horário de vocês no sábado?'
const answer = (request: ChatRequest) => {
  if (request.messages.at(-1)?.role === 'tool') return { say: `Ficou assim: ${lastSaid(request, 'tool')}` }
  if (request.tools)
    return {
      say: 'Um momento.',
      calls: [
        { name: request.tools[0]?.function.name ?? '', args: { cidade: 'São Paulo', dias: [1, 2] } },
        { name: request.tools.at(-1)?.function.name ?? '', args: {} },
      ],
    }
  return { say: `Você disse: ${lastSaid(request)}` }
}
const server = await startLlm({ answer })
const baseUrl = `${server.url}/v1`
const never = new AbortController().signal
const short = { connectMs: 10_000, firstByteMs: 400, idleMs: 400 }
/** Generous, because a busy machine may lag by seconds; `short` is for servers that must time out. */
const long = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000 }
const opened: { close(): Promise<void> }[] = []
after(async () => {
  for (const one of opened) await one.close()
  await server.stop()
})
beforeEach(() => server.heal())

function open(more: Partial<OpenAiChatSettings> = {}) {
  const llm = openAiChat({ baseUrl, apiKey: KEY, model: 'small', timeouts: long, ...more })
  opened.push(llm)
  return llm
}
const llm = open()
const hasty = open({ timeouts: short })
const history: Message[] = [
  { role: 'system', content: 'Seja breve.' },
  { role: 'user', content: said },
]
const options: ReplyOptions = { language: 'pt-BR' }
const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `${name}.`,
  parameters: {},
  run: async () => ({ text: '', failed: false }),
  ...more,
})
const reply = (from = llm) => Array.fromAsync(from.reply(history, [], options, never))
const wordsOf = (parts: readonly LlmPart[]) => parts.map((part) => ('say' in part ? part.say : '')).join('')
const bodyOf = (i = 0) => JSON.parse(Buffer.from(server.asked[i]?.body ?? '', 'latin1').toString('utf8')) as ChatRequest

test("OpenAI's own client works with this server, streamed and whole, with tools and with faults", async () => {
  const client = new OpenAI({ apiKey: KEY, baseURL: baseUrl, maxRetries: 0 })
  const messages = [{ role: 'user', content: said }] as const
  const request = { model: 'small', messages: [...messages] }
  const whole = await client.chat.completions.create(request)
  assert.equal(whole.choices[0]?.message.content, `Você disse: ${said}`)

  let words = ''
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true, max_tokens: 4 }))
    words += chunk.choices[0]?.delta.content ?? ''
  assert.equal(words, 'Você disse: Qual é')

  const parameters = { type: 'object', properties: {} }
  const tools = [{ type: 'function' as const, function: { name: 'tempo', description: 'x', parameters } }]
  const streamed = client.chat.completions.stream({ ...request, tools })
  const calls = (await streamed.finalChatCompletion()).choices[0]?.message.tool_calls ?? []
  assert.deepEqual(
    calls.map((call) => call.type === 'function' && JSON.parse(call.function.arguments)),
    [{ cidade: 'São Paulo', dias: [1, 2] }, {}],
  )
  const answered = await client.chat.completions.create({
    model: 'small',
    messages: [
      ...messages,
      { role: 'assistant', content: null, tool_calls: calls },
      ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'sol' })),
    ],
  })
  assert.equal(answered.choices[0]?.message.content, 'Ficou assim: sol')

  const lone = { role: 'tool' as const, tool_call_id: 'x', content: 'x' }
  await assert.rejects(client.chat.completions.create({ ...request, messages: [lone] }), { status: 400 })
  await assert.rejects(client.chat.completions.create({ ...request, model: 'none' }), { status: 404 })
  for (const [fault, status] of [
    ['throttled', 429],
    ['broken', 500],
  ] as const) {
    server.fail(fault)
    await assert.rejects(client.chat.completions.create(request), { status })
  }
  const stranger = new OpenAI({ apiKey: 'wrong', baseURL: baseUrl, maxRetries: 0 })
  await assert.rejects(stranger.chat.completions.create(request), { status: 401 })
})

test('text is streamed as it is generated, and history and settings reach the server', async () => {
  const parts = await reply()
  assert.equal(wordsOf(parts), `Você disse: ${said}`)
  assert.ok(parts.length > 5)
  assert.deepEqual(bodyOf(), {
    model: 'small',
    messages: [
      { role: 'system', content: 'Seja breve.' },
      { role: 'user', content: said },
    ],
    stream: true,
  })
  assert.equal(server.asked[0]?.headers.authorization, `Bearer ${KEY}`)
})

test('the connection is reused from one reply to the next', async () => {
  const other = open()
  const before = server.connections()
  for (let i = 0; i < 8; i++) {
    await Array.fromAsync(other.reply(history, [], options, never))
    await until(() => server.busy() === 0, 'the answer has ended')
  }
  const used = server.connections() - before
  assert.ok(used <= 2, `${used} connections`) // a second one if a request came before the last response had ended
})

test("the agent chooses model and temperature within the operator's limits", async () => {
  const bound = open({ models: ['small', 'large'], maxTokens: 300 })
  const ask = async (settings: Record<string, unknown>) => {
    server.heal()
    await Array.fromAsync(bound.reply(history, [], { ...options, settings }, never))
    const { messages: _, stream: __, ...rest } = bodyOf()
    return rest
  }
  assert.deepEqual(await ask({}), { model: 'small', max_tokens: 300 })
  const chosen = await ask({ model: 'large', temperature: 0.2, maxTokens: 90, topP: 0.5, unknown: { a: 1 } })
  assert.deepEqual(chosen, { model: 'large', temperature: 0.2, max_tokens: 90, top_p: 0.5 })
  const wild = await ask({ model: 'huge', temperature: 'hot', maxTokens: 9999, messages: [], stream: false })
  assert.deepEqual(wild, { model: 'small', max_tokens: 300 })
  assert.deepEqual(await ask({ maxCompletionTokens: 50 }), { model: 'small', max_completion_tokens: 50 })
  server.heal()
  await Array.fromAsync(llm.reply(history, [], { ...options, settings: { model: 'anything' } }, never))
  assert.equal(bodyOf().model, 'anything')
})

test('tools that may not be called are still sent, with tool_choice none', async () => {
  const bodyFor = async (tools: Tool[], mayCallTools?: boolean) => {
    await Array.fromAsync(
      llm.reply(history, tools, { ...options, ...(mayCallTools === undefined ? {} : { mayCallTools }) }, never),
    )
    const { tools: shown, tool_choice: choice } = bodyOf(server.asked.length - 1)
    return [shown?.length, choice]
  }
  assert.deepEqual(await bodyFor([tool('a')], false), [1, 'none'])
  assert.deepEqual(await bodyFor([tool('a')]), [1, undefined])
  assert.deepEqual(await bodyFor([], false), [undefined, undefined])
})

test('tools are offered under names that the protocol allows, and called by their own', async () => {
  const schema = { type: 'object', properties: { cidade: { type: 'string' } }, required: ['cidade'] }
  const tools = [tool('Previsão do tempo!', { parameters: schema }), tool('Previsao do tempo?')]
  const parts = await Array.fromAsync(llm.reply(history, tools, options, never))
  assert.deepEqual(
    bodyOf().tools?.map((one) => one.function),
    [
      { name: 'Previsao_do_tempo_', description: 'Previsão do tempo!.', parameters: schema },
      {
        name: 'Previsao_do_tempo__2',
        description: 'Previsao do tempo?.',
        parameters: { type: 'object', properties: {} },
      },
    ],
  )
  assert.equal(wordsOf(parts), 'Um momento.')
  const calls = parts.flatMap((part) => ('call' in part ? [part.call] : []))
  assert.deepEqual(
    calls.map(({ name, args }) => ({ name, args })),
    [
      { name: 'Previsão do tempo!', args: { cidade: 'São Paulo', dias: [1, 2] } },
      { name: 'Previsao do tempo?', args: {} },
    ],
  )

  const results: Message[] = calls.map(({ id }, i) => ({ role: 'tool', callId: id, content: `sol ${i}` }))
  const after = [...history, { role: 'agent', content: 'Um momento.', calls } as const, ...results]
  assert.equal(wordsOf(await Array.fromAsync(llm.reply(after, tools, options, never))), 'Ficou assim: sol 1')
})

test('small chunks and pauses leave the reply intact, even if it takes longer than the stall timeout in total', async () => {
  server.fail('drip')
  const parts: LlmPart[] = []
  for await (const part of llm.reply(history, [tool('tempo')], options, never)) {
    if (parts.length === 0) assert.ok(server.busy() > 0, 'the server still replies')
    parts.push(part)
  }
  assert.equal(wordsOf(parts), 'Um momento.')
  assert.equal(parts.filter((part) => 'call' in part).length, 2)
  const idleMs = 1_000
  const many = 'palavra '.repeat(40).trim()
  const patient = open({ timeouts: { ...long, idleMs } })
  const began = performance.now()
  const words = await Array.fromAsync(patient.reply([{ role: 'user', content: many }], [], options, never))
  assert.equal(wordsOf(words), `Você disse: ${many}`)
  assert.ok(performance.now() - began > idleMs)
})

test('a slow consumer is not a stall', async () => {
  let words = ''
  for await (const part of hasty.reply(history, [], options, never)) {
    if (words === '') await new Promise((resolve) => setTimeout(resolve, 1.5 * short.idleMs))
    words += 'say' in part ? part.say : ''
  }
  assert.equal(words, `Você disse: ${said}`)
})

const faults: [fault: Parameters<typeof server.fail>[0], status: number, message: RegExp, tries: number][] = [
  ['stall', 504, /did not answer in time/, 1],
  ['silent', 504, /did not answer in time/, 1],
  ['unauthorized', 502, /did not accept our key/, 1],
  ['throttled', 502, /limits our requests/, 1],
  ['broken', 502, /status 500/, 2],
  ['reset', 502, /connection was lost/, 1],
  ['reset-at-once', 502, /connection was lost/, 2],
  ['wrong', 502, /did not answer with an event stream/, 1],
  ['mislabelled', 502, /nonsense/, 1],
  ['empty', 502, /gave no answer/, 1],
]
for (const [fault, status, message, tries] of faults)
  test(`a server with the fault "${fault}" is a ${status}, and the error contains neither the key nor the conversation`, async () => {
    server.fail(fault)
    const error = await failureOf(reply(status === 504 ? hasty : llm))
    assert.equal(error.status, status)
    assert.match(error.message, message)
    const seen = [error.message, error.stack, String((error.cause as Error | undefined)?.message)].join('\n')
    assert.ok(!seen.includes('horário'), seen)
    assert.equal(server.asked.length, tries)
    await until(() => server.busy() === 0, 'no connection is left open')
  })

test('a transient failure is retried once, before the first word', async () => {
  for (const fault of ['broken', 'reset-at-once'] as const) {
    server.fail(fault, 1)
    assert.equal(wordsOf(await reply()), `Você disse: ${said}`)
    assert.equal(server.asked.length, 2)
  }
})

test('a rate limit reports its Retry-After, and a short one is waited for', async (t) => {
  server.fail('throttled')
  const error = await failureOf(reply())
  assert.ok(error instanceof ModelError)
  assert.equal(error.retryAfterMs, 20_000)
  assert.deepEqual(error.headers, { 'retry-after': '20' })
  const brief = await startLlm({ retryAfter: '0.2' })
  t.after(() => brief.stop())
  brief.fail('throttled', 1)
  const patient = open({ baseUrl: `${brief.url}/v1/` })
  assert.match(wordsOf(await Array.fromAsync(patient.reply(history, [], options, never))), /horário/)
  assert.equal(brief.asked.length, 2)
})

test('an abort ends the reply without an error and closes the socket at once', async () => {
  for (const fault of ['stall', 'silent'] as const) {
    server.fail(fault)
    const slow = open({ timeouts: { firstByteMs: 60_000, idleMs: 60_000 } })
    const leaving = new AbortController()
    const parts = Array.fromAsync(slow.reply(history, [], options, leaving.signal))
    await until(() => server.busy() === 1, 'it was asked')
    leaving.abort()
    await parts
    await until(() => server.busy() === 0, 'the connection is closed')
  }
  assert.deepEqual(await Array.fromAsync(llm.reply(history, [], options, AbortSignal.abort())), [])
})

test('a consumer that stops reading closes the socket too', async () => {
  server.fail('drip')
  for await (const part of llm.reply(history, [], options, never)) if ('say' in part) break
  await until(() => server.busy() === 0, 'the connection is closed')
})

test('an unreachable model is a 502 that names the cause', async () => {
  const error = await failureOf(
    Array.fromAsync(llm.reply(history, [], { ...options, settings: { model: 'none' } }, never)),
  )
  assert.equal(error.status, 502)
  assert.match(error.message, /no such model/)
})

test('a self-hosted server needs no key', async (t) => {
  const own = await startLlm({ isOpen: true })
  t.after(() => own.stop())
  const free = open({ baseUrl: `${own.url}/v1`, apiKey: null })
  assert.match(wordsOf(await Array.fromAsync(free.reply(history, [], options, never))), /horário/)
  assert.equal(own.asked[0]?.headers.authorization, undefined)
})
