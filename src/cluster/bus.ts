// Requests from node to node: each has an id and a deadline by the database's clock, and is answered once. While the other node works on a
// request, it sends a heartbeat every two seconds: a request may take long, and a dead node is still noticed quickly.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppError, fromRemoteError, type RemoteError, toRemoteError } from '../base/errors/errors.ts'
import { newId } from '../base/ids.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Channel } from './channel.ts'
import { replayGuard } from './replay-guard.ts'
import type { MessageSeal } from './sealed-messages.ts'

/** A node that is silent for this long is unreachable; an older request is not run. */
export const SILENCE_MS = 5000
/** Before REPEAT_MS, so that a running request is not taken for a lost one. */
const FIRST_WORKING_MS = 500
const WORKING_MS = 2000
/** A request without any response is sent again over the other channels: the first may have lost it silently. */
const REPEAT_MS = 1500
/** Between two attempts to send a result. */
const RESEND_MS = 200
/** A transfer rings for 30 seconds, then introduces the caller. */
const MAX_REQUEST_MS = 300_000
/** Concurrent requests from other nodes. */
const MAX_RUNNING = 1000

/** A method type: each handler declares the type of its own body. */
export type BusHandler = { handle(body: unknown): Promise<unknown> }['handle']

type Message = { id: string; from: string } & (
  | { type: 'request'; name: string; body: unknown; untilMs: number; isRepeated?: boolean }
  | { type: 'working' }
  | { type: 'done'; body: unknown }
  | { type: 'failed'; error: RemoteError }
)

export type BusDrop = 'sealed' | 'late' | 'repeated' | 'busy'

export type BusParts = {
  processId: string
  seal: MessageSeal
  /** The database's clock. */
  nowMs(): number
  /** A message was not accepted. */
  onDrop(why: BusDrop): void
  onError(error: unknown): void
  silenceMs?: number
}

/** The answer to one request: rejects after MAX_REQUEST_MS, or when the other node is silent for `silenceMs`. */
function awaitAnswer(silenceMs: number, unreachable: () => AppError) {
  const answered = Promise.withResolvers<unknown>()
  const giveUp = () => answered.reject(unreachable())
  const limit = setTimeout(giveUp, MAX_REQUEST_MS)
  let silence = setTimeout(giveUp, silenceMs)
  let repeating: NodeJS.Timeout | undefined
  let isOver = false
  return {
    result: answered.promise,
    giveUp,
    unlessHeard(ms: number, task: () => void): void {
      if (!isOver) repeating = setTimeout(task, ms)
    },
    working(): void {
      clearTimeout(repeating)
      clearTimeout(silence)
      silence = setTimeout(giveUp, silenceMs)
    },
    settle(message: Message): void {
      if (message.type === 'done') answered.resolve(message.body)
      else if (message.type === 'failed') answered.reject(fromRemoteError(message.error))
    },
    stop(): void {
      isOver = true
      for (const timer of [limit, silence, repeating]) clearTimeout(timer)
    },
  }
}

export function createBus({ processId, seal, nowMs, onDrop, onError, silenceMs = SILENCE_MS }: BusParts) {
  const channels: Channel[] = []
  const handlers = new Map<string, BusHandler>()
  const pending = new Map<string, ReturnType<typeof awaitAnswer>>()
  const guard = replayGuard({ nowMs, maxAgeMs: silenceMs })
  let running = 0

  /** Returns the first channel that delivered the message. */
  async function carry(to: string, text: string, by: readonly Channel[] = channels): Promise<Channel> {
    let problem: unknown = new Error('no channel between nodes')
    for (const channel of by)
      try {
        if (await channel.publish(to, text)) return channel
      } catch (error) {
        problem = error
      }
    throw problem
  }
  const send = async (to: string, message: Message) => carry(to, seal.seal(message, to))

  /** Retries a result while a connection is reopened: without it, nobody knows whether a transfer took place. */
  async function deliver(to: string, message: Message): Promise<void> {
    const text = sealedResult(message, to)
    for (const untilMs = monotonicMs() + silenceMs; ; await sleep(RESEND_MS, undefined, { ref: false }))
      try {
        return void (await carry(to, text))
      } catch (error) {
        if (channels.length === 0 || monotonicMs() > untilMs) return onError(error)
      }
  }

  /** A result that is too large becomes an error for the requesting node, which must not repeat the request. */
  function sealedResult(message: Message, to: string): string {
    try {
      return seal.seal(message, to)
    } catch (error) {
      onError(error)
      return seal.seal({ id: message.id, from: processId, type: 'failed', error: toRemoteError(error) }, to)
    }
  }

  async function run(name: string, body: unknown): Promise<unknown> {
    const handler = handlers.get(name)
    if (!handler) throw new Error(`no handler for ${name}`)
    return handler(body)
  }

  async function answer({ id, from, name, body }: Message & { type: 'request' }): Promise<void> {
    running++
    const own = { id, from: processId }
    const beat = () => void send(from, { ...own, type: 'working' }).catch(onError)
    const first = setTimeout(beat, FIRST_WORKING_MS)
    const working = setInterval(beat, WORKING_MS)
    try {
      await deliver(from, await resultOf(own, () => run(name, body)))
    } finally {
      clearTimeout(first)
      clearInterval(working)
      running--
    }
  }

  async function resultOf(own: { id: string; from: string }, work: () => Promise<unknown>): Promise<Message> {
    try {
      return { ...own, type: 'done', body: await work() }
    } catch (error) {
      if (toRemoteError(error).code === 'internal_error') onError(error)
      return { ...own, type: 'failed', error: toRemoteError(error) }
    }
  }

  function receive(text: string): void {
    const message = seal.open(text, processId) as Message | undefined
    if (!message) onDrop('sealed')
    else if (message.type === 'request') accept(message)
    else if (message.type === 'working') pending.get(message.id)?.working()
    else pending.get(message.id)?.settle(message)
  }

  function accept(request: Message & { type: 'request' }): void {
    const refusal = running >= MAX_RUNNING ? 'busy' : guard.check(request.id, request.untilMs)
    if (refusal === 'repeated' && request.isRepeated) return
    if (refusal) onDrop(refusal)
    else void answer(request)
  }

  return {
    receive,
    /** In the order in which they are tried. */
    use: (channel: Channel) => void channels.push(channel),
    handle: (name: string, handler: BusHandler) => void handlers.set(name, handler),

    /** The answer of a process; throws its error, or `unreachable()` when it does not answer. */
    async request(to: string, { name, body, unreachable }: BusRequest): Promise<unknown> {
      const id = newId('req')
      const message: Message = { id, from: processId, type: 'request', name, body, untilMs: nowMs() + silenceMs }
      const text = seal.seal(message, to) // throws when it is too large
      const answer = awaitAnswer(silenceMs, unreachable)
      const repeat = (carrier: Channel) => {
        const others = channels.filter((channel) => channel !== carrier)
        if (others.length > 0) carry(to, seal.seal({ ...message, isRepeated: true }, to), others).catch(onError)
      }
      pending.set(id, answer)
      carry(to, text).then(
        (carrier) => answer.unlessHeard(REPEAT_MS, () => repeat(carrier)),
        (error) => {
          onError(error)
          answer.giveUp()
        },
      )
      try {
        return await answer.result
      } finally {
        answer.stop()
        pending.delete(id)
      }
    },

    async close(): Promise<void> {
      for (const channel of channels.splice(0)) await channel.close()
    },
  }
}

export type BusRequest = {
  name: string
  body: unknown
  /** The error for a process that does not answer. */
  unreachable(): AppError
}
