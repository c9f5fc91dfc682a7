// Fake OpenAI server with the public chat-completions protocol, as strict as the original: it replies based on the
// request's words.
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Fault, KEY, type Routes, startVendor, statusOfFault } from './server.ts'

export type ChatRequest = {
  model: string
  messages: { role: string; content: string | null; tool_calls?: ChatCall[]; tool_call_id?: string }[]
  tools?: { type: string; function: { name: string; description?: string; parameters?: object } }[]
  tool_choice?: string
  stream?: boolean
  temperature?: number
  max_tokens?: number
}
type ChatCall = { id: string; type: string; function: { name: string; arguments: string } }
export type ChatAnswer = { say?: string; calls?: { name: string; args: unknown }[] }
export type LlmSettings = {
  /** An open server requires no key, like self-hosted ones. */
  isOpen?: boolean
  /** The model's reply; by default it repeats the input. */
  answer?: (request: ChatRequest) => ChatAnswer
  /** Delay before the first word, and between words. */
  firstMs?: number
  wordMs?: number
  /** Awaited before the first word. */
  hold?: () => Promise<void> | undefined
  retryAfter?: string
  /** Model names for GET /v1/models. */
  models?: readonly string[]
}

export const lastSaid = ({ messages }: ChatRequest, role = 'user'): string =>
  messages.findLast((message) => message.role === role)?.content ?? ''

const parrot = (request: ChatRequest): ChatAnswer =>
  request.messages.at(-1)?.role === 'tool'
    ? { say: `Pronto: ${lastSaid(request, 'tool')}` }
    : { say: `Você disse: ${lastSaid(request)}` }

/** The reason for a 400, as in the original. */
function faultOf({ model, messages, tools, temperature }: Partial<ChatRequest>): string | undefined {
  if (typeof model !== 'string') return 'you must provide a model parameter'
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must not be empty"
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) return "'temperature' is out of range"
  const open = new Set<string>()
  for (const { role, content, tool_calls, tool_call_id } of messages) {
    if (!['system', 'user', 'assistant', 'tool'].includes(role)) return `'${role}' is not one of the roles`
    if (role === 'tool') {
      if (!open.delete(tool_call_id ?? '')) return "'tool' must follow a message with 'tool_calls'"
      continue
    }
    if (open.size > 0) return "'tool_calls' must be followed by tool messages"
    if (typeof content !== 'string' && !tool_calls) return "'content' must be a string"
    for (const call of tool_calls ?? []) {
      if (typeof call.function.arguments !== 'string') return "'arguments' must be a string"
      open.add(call.id)
    }
  }
  if (open.size > 0) return "'tool_calls' must be followed by tool messages"
  if (tools && (tools.length === 0 || !tools.every((tool) => /^[A-Za-z0-9_-]{1,64}$/.test(tool.function.name))))
    return "'tools' does not match its pattern"
  return undefined
}

const routes = (settings: LlmSettings): Routes => ({
  isAllowed: ({ headers }) => (settings.isOpen ?? false) || headers.authorization === `Bearer ${KEY}`,

  async http({ method, url, body }, response, hooks) {
    const isList = method === 'GET' && url === '/v1/models'
    if (!isList && (method !== 'POST' || url !== '/v1/chat/completions')) return false
    const json = (status: number, value: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
      return true
    }
    if (isList) {
      const status = statusOfFault(hooks.nextFault())
      if (status !== null) return json(status, { error: { message: `status ${status} for ${KEY}`, code: null } })
      return json(200, { object: 'list', data: (settings.models ?? ['gpt-large', 'gpt-small']).map(listed) })
    }
    const request = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as ChatRequest
    const wrong = faultOf(request)
    if (wrong) return json(400, { error: { message: wrong, type: 'invalid_request_error', param: null, code: null } })
    if (request.model === 'none')
      return json(404, { error: { message: 'The model `none` does not exist', code: 'model_not_found' } })
    const fault = hooks.nextFault()
    const status = statusOfFault(fault)
    if (status !== null) {
      // Repeats key and words on purpose: a driver must not pass them on.
      const message = `status ${status} for ${KEY}: ${lastSaid(request)}`
      const retry: Record<string, string> = status === 429 ? { 'retry-after': settings.retryAfter ?? '20' } : {}
      return json(status, { error: { message, type: 'rate_limit_exceeded', code: null } }, retry)
    }
    const answer = cut((settings.answer ?? parrot)(request), request.max_tokens)
    if (!request.stream) return json(200, whole(request, answer))
    await stream(response, request, answer, fault, settings)
    return true
  },
})

const listed = (id: string) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'us' })

type Cut = ChatAnswer & { reason: 'stop' | 'length' | 'tool_calls' }

function cut(answer: ChatAnswer, maxTokens = Number.POSITIVE_INFINITY): Cut {
  if (answer.calls?.length) return { ...answer, reason: 'tool_calls' }
  const words = wordsOf(answer.say ?? '')
  const isCut = words.length > maxTokens
  return { say: isCut ? words.slice(0, maxTokens).join('') : (answer.say ?? ''), reason: isCut ? 'length' : 'stop' }
}

const wordsOf = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? []
let answers = 0
const base = (request: ChatRequest, object: string) => ({
  id: `chatcmpl-${++answers}`,
  object,
  created: 1_700_000_000,
  model: request.model,
})
const callsOf = ({ calls = [] }: ChatAnswer) =>
  calls.map(({ name, args }, i) => ({
    id: `call_${answers}_${i}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))

function whole(request: ChatRequest, answer: Cut) {
  const tool_calls = callsOf(answer)
  const message = {
    role: 'assistant',
    content: answer.say ?? null,
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
  }
  return {
    ...base(request, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: answer.reason }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}

/**
 * The deltas of a reply: the role, one word each, tool calls in fragments of five letters, interleaved as in the
 * original.
 */
function* deltasOf(answer: Cut): Generator<object> {
  yield { role: 'assistant', content: answer.say === undefined ? null : '' }
  for (const word of wordsOf(answer.say ?? '')) yield { content: word }
  for (const [index, call] of callsOf(answer).entries()) {
    yield { tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] }
    for (const piece of call.function.arguments.match(/.{1,5}/gsu) ?? [])
      yield { tool_calls: [{ index, function: { arguments: piece } }] }
  }
}

async function stream(
  response: ServerResponse,
  request: ChatRequest,
  answer: Cut,
  fault: Fault | null,
  { firstMs = 0, wordMs = 0, hold }: LlmSettings,
): Promise<void> {
  if (fault === 'silent') return
  if (fault === 'reset-at-once') return void response.destroy()
  if (fault === 'wrong') {
    response.writeHead(200, { 'content-type': 'text/html' })
    return void response.end('<html>A page of some proxy</html>')
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  if (fault === 'empty') return void response.end('data: [DONE]\n\n')
  if (fault === 'mislabelled') return void response.end('data: {"choices": what comes here is no JSON\n\n')
  const head = base(request, 'chat.completion.chunk')
  const send = (delta: object, finish_reason: string | null = null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }]
    const bytes = Buffer.from(`data: ${JSON.stringify({ ...head, choices })}\n\n`)
    if (fault !== 'drip') return void response.write(bytes)
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7)) // splits characters and lines
  }
  const deltas = [...deltasOf(answer)]
  if (firstMs > 0) await delay(firstMs)
  await hold?.()
  for (const [i, delta] of deltas.entries()) {
    if (response.destroyed) return
    send(delta)
    if (fault === 'drip') await delay(35)
    else if (wordMs > 0 && i > 0) await delay(wordMs)
    if (fault === 'stall' && i === 1) return
    if (fault === 'reset' && i >= deltas.length / 2) {
      await delay(20) // lets the data leave this process
      return void response.destroy()
    }
  }
  send({}, answer.reason)
  response.end('data: [DONE]\n\n')
}

export const startLlm = (settings: LlmSettings = {}) => startVendor(routes(settings))
