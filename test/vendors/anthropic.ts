// Fake Anthropic server with the public streaming messages protocol, as strict as the original: it replies based on the
// request's words.
import { type ModelAnswer, piecesOfFive, sendEvents, wordsOf } from './event-answers.ts'
import { KEY, type Routes, startVendor, statusOfFault } from './server.ts'

type Block = {
  type: string
  text?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: unknown
  thinking?: string
  signature?: string
}
export type MessagesRequest = {
  model: string
  max_tokens: number
  system?: { type: string; text: string }[]
  messages: { role: string; content: Block[] }[]
  tools?: { name: string; description?: string; input_schema: object }[]
  tool_choice?: object
  temperature?: number
  top_p?: number
  stop_sequences?: string[]
  thinking?: { type: string }
  stream?: boolean
}
export type AnthropicSettings = {
  answer: (request: MessagesRequest) => ModelAnswer
  retryAfter?: string
  /** Reasons before it replies, and requires its reasoning back together with its tool calls. */
  thinks?: boolean
}

export const saidTo = ({ messages }: MessagesRequest): string => {
  const { content = [] } = messages.findLast(({ role }) => role === 'user') ?? {}
  const last = content.findLast(({ type }) => type === 'text' || type === 'tool_result')
  if (last?.type === 'text') return last.text ?? ''
  return typeof last?.content === 'string' ? last.content : JSON.stringify(last?.content)
}

/** The reason for a 400, as in the original. */
function faultOf({ model, max_tokens, messages, tools, temperature, thinking }: MessagesRequest): string | undefined {
  if (typeof model !== 'string') return 'model: Field required'
  if (!Number.isInteger(max_tokens) || max_tokens < 1) return 'max_tokens: Field required'
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  if (messages.at(-1)?.role !== 'user') return 'messages: this model does not support assistant message prefill'
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 1)) return 'temperature: range: 0..1'
  let open: string[] = []
  for (const { role, content } of messages) {
    if (role !== 'user' && role !== 'assistant') return `messages: unexpected role "${role}"`
    const results = content.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id ?? '')
    if (results.join() !== open.join()) return '`tool_use` ids must be followed by their `tool_result` blocks'
    if (content.some(({ type, text }) => type === 'text' && !text?.trim()))
      return 'text content blocks must be non-empty'
    const calls = content.filter(({ type }) => type === 'tool_use')
    if (calls.some(({ id, input }) => !/^[a-zA-Z0-9_-]+$/.test(id ?? '') || typeof input !== 'object'))
      return 'tool_use: Input should be a valid dictionary with a valid id'
    const isThought = content[0]?.type === 'thinking' && content[0].signature === 'signed by us'
    if (thinking?.type === 'enabled' && calls.length > 0 && !isThought)
      return 'Expected `thinking`, but found `tool_use`'
    open = calls.map(({ id }) => id ?? '')
  }
  if (tools?.some(({ name }) => !/^[a-zA-Z0-9_-]{1,128}$/.test(name))) return 'tools: name does not match its pattern'
  return undefined
}

const routes = (settings: AnthropicSettings): Routes => ({
  isAllowed: ({ headers }) => headers['x-api-key'] === KEY && headers['anthropic-version'] === '2023-06-01',

  async http({ method, url, body }, response, hooks) {
    if (method === 'GET' && /^\/v1\/models(\?|$)/.test(url)) {
      const data = [
        { type: 'model', id: 'claude-small', display_name: 'Claude Small', created_at: '2025-01-01T00:00:00Z' },
      ]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data, has_more: false, first_id: 'claude-small', last_id: 'claude-small' }))
      return true
    }
    if (method !== 'POST' || url !== '/v1/messages') return false
    const refuse = (status: number, type: string, message: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify({ type: 'error', error: { type, message } }))
      return true
    }
    const request = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as MessagesRequest
    const wrong = faultOf(request)
    if (wrong) return refuse(400, 'invalid_request_error', wrong)
    if (request.model === 'none') return refuse(404, 'not_found_error', 'model: none')
    const fault = hooks.nextFault()
    const status = statusOfFault(fault)
    // Repeats key and words on purpose: a driver must not pass them on.
    const message = `${status} for ${KEY}: ${saidTo(request)}`
    if (status === 401) return refuse(401, 'authentication_error', message)
    if (status === 429) return refuse(429, 'rate_limit_error', message, { 'retry-after': settings.retryAfter ?? '20' })
    if (status !== null) return refuse(status, 'api_error', message)
    const answer = fault === 'empty' ? {} : settings.answer(request)
    await sendEvents(response, [...eventsOf(request, answer, settings)].map(onWire), fault, 3)
    return true
  },
})

const onWire = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
let answers = 0

/** One word per delta, tool calls in fragments of five letters, with a ping in between as in the original. */
function* eventsOf(
  { model, max_tokens }: MessagesRequest,
  { say = '', calls = [] }: ModelAnswer,
  s: AnthropicSettings,
) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: `msg_${++answers}`, type: 'message', role: 'assistant', model, content: [], usage }
  yield { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } }
  yield { type: 'ping' }
  let index = 0
  function* block(content_block: object, deltas: object[]) {
    yield { type: 'content_block_start', index, content_block }
    for (const delta of deltas) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index: index++ }
  }
  if (s.thinks)
    yield* block({ type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'Hm, ' },
      { type: 'thinking_delta', thinking: 'let me see.' },
      { type: 'signature_delta', signature: 'signed by us' },
    ])
  const words = wordsOf(say)
  const isCut = words.length > max_tokens
  if (words.length > 0)
    yield* block(
      { type: 'text', text: '' },
      words.slice(0, max_tokens).map((text) => ({ type: 'text_delta', text })),
    )
  for (const [i, { name, args }] of calls.entries())
    yield* block(
      { type: 'tool_use', id: `toolu_${answers}_${i}`, name, input: {} },
      ['', ...piecesOfFive(JSON.stringify(args))].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    )
  const stop_reason = calls.length > 0 ? 'tool_use' : isCut ? 'max_tokens' : 'end_turn'
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }
  yield { type: 'message_stop' }
}

export const startAnthropic = (settings: AnthropicSettings) => startVendor(routes(settings))
