// A fake model with the OpenAI-compatible protocol: 200 ms to its first token, replies by keyword.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallerTurn, Dialogue } from './dialogue.ts'
import { type Intent, intentOf, usualReply } from './intents.ts'

export const FIRST_TOKEN_MS = 200
const NEXT_TOKEN_MS = 15
const COLLECT = 'collect'
/** Response to post-call analysis, whose request names no lane. */
const ANALYSIS = '{"summary":"A call of the benchmark."}'

export type ModelRequest = {
  readonly atMs: number
  /** What the caller said since the agent last spoke. */
  readonly heard: string
  readonly intent: Intent
  readonly answer: string
  /** The digits that `collect` handed over. */
  readonly collected: string | null
  /** The platform aborted the request. */
  isAborted: boolean
}
export type ModelCall = { readonly dialogue: Dialogue; turn: CallerTurn | null; readonly requests: ModelRequest[] }

type Message = { role: string; content: string | null }
type ChatRequest = { messages: Message[]; stream?: boolean; tools?: { function: { name: string } }[] }

/** Marks the lane in the agent's prompt, because several calls share one model. */
export const laneMark = (lane: number): string => `[${lane}]`

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
export const replyOf = (dialogue: Dialogue, intent: Intent, turn: CallerTurn | null): string => {
  const isMeant = turn?.asks === intent || (intent === 'unknown' && turn?.reply !== undefined)
  const text = (isMeant ? turn?.reply : undefined) ?? usualReply(intent, dialogue.language)
  return capital(`${dialogue.name}, ${text}`)
}

function heardIn(messages: readonly Message[]): string {
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant')
  const last = spoken.findLastIndex(({ role }) => role === 'assistant')
  return spoken.slice(last + 1).map(({ content }) => content ?? '').join(' ') // biome-ignore format: one line
}

/** The value that the last message hands over. */
function collectedIn(messages: readonly Message[]): string | null {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return null
  try {
    const { value } = JSON.parse(last.content ?? '') as { value?: unknown }
    return typeof value === 'string' ? value.replace(/\D/g, '') : ''
  } catch {
    return ''
  }
}

const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'stand-in' }
const chunk = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`

async function callCollect(response: ServerResponse, kind: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  await sleep(FIRST_TOKEN_MS)
  const call = { index: 0, id: `call_${kind}`, type: 'function' }
  const tool_calls = [{ ...call, function: { name: COLLECT, arguments: JSON.stringify({ kind }) } }]
  response.end(
    `${chunk({ role: 'assistant', content: null, tool_calls }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`,
  )
}

export async function openModel() {
  const lanes = new Map<number, ModelCall>()

  async function stream(response: ServerResponse, answer: string, request?: ModelRequest): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    await sleep(FIRST_TOKEN_MS)
    for (const token of answer.match(/\s*\S+/g) ?? []) {
      if (request) request.isAborted = response.destroyed
      if (response.destroyed) return
      response.write(chunk({ role: 'assistant', content: token }, null))
      await sleep(NEXT_TOKEN_MS)
    }
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of message) pieces.push(piece as Buffer)
    const atMs = performance.now()
    const asked = JSON.parse(Buffer.concat(pieces).toString()) as ChatRequest
    const system = asked.messages.find(({ role }) => role === 'system')?.content ?? ''
    const call = lanes.get(Number(/\[(\d+)\]/.exec(system)?.[1]))
    if (!call) return stream(response, ANALYSIS)
    const collected = collectedIn(asked.messages)
    const heard = heardIn(asked.messages)
    const intent = collected === null ? intentOf(heard, call.dialogue.language) : 'number'
    const text = replyOf(call.dialogue, intent, call.turn)
    const request: ModelRequest = { atMs, heard, intent, answer: text, collected, isAborted: false }
    call.requests.push(request)
    const kind = collected === null && intent === call.turn?.asks ? call.turn.collects : undefined
    const isOffered = asked.tools?.some((tool) => tool.function.name === COLLECT) ?? false
    if (kind !== undefined && isOffered) return callCollect(response, kind)
    await stream(response, text, request)
  }

  const server = createServer((message, response) => {
    response.on('error', () => {})
    answer(message, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** From now on, requests of this lane belong to this call. */
    begin(lane: number, dialogue: Dialogue): ModelCall {
      const call: ModelCall = { dialogue, turn: null, requests: [] }
      lanes.set(lane, call)
      return call
    },
    close: () => server.close(),
  }
}
export type Model = Awaited<ReturnType<typeof openModel>>
