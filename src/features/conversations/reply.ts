// The agent's reply to a message: whole with the stored message, or streamed as server-sent events.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { AppError, appError } from '../../base/errors/errors.ts'
import { storable } from '../../base/text/storable.ts'
import type { AgentPatch } from '../agents/schema.ts'
import type { Message, NewMessage, SentMessage } from './schema.ts'
import type { ConversationStore } from './store.ts'

/** The agent that replies in a conversation. */
export type Answerer = {
  name: string
  isModel: boolean
  /** Streams the reply to this message. Ends without an error when the signal aborts. */
  words(message: Message, signal: AbortSignal): AsyncIterable<string>
}

/**
 * Throws if the conversation does not exist or its agent does not reply. `draft`: unsaved changes that the agent
 * replies with.
 */
export type FindAnswerer = (userId: string, conversationId: string, draft?: AgentPatch) => Promise<Answerer>

type Asked = {
  userId: string
  conversationId: string
  message: NewMessage
  /** For requests that may be retried: the message is stored only once, and its tools do not run again. */
  messageId?: string
  view?: ReplyView
  draft?: AgentPatch | undefined
}

/** What the client sees of stored messages and of a failure mid-reply; website visitors see less than the owner. */
export type ReplyView = { sent: (sent: SentMessage) => unknown; error: (error: unknown) => unknown }
const ownersView: ReplyView = { sent: (sent) => sent, error: (error) => error }

export type ReplyParts = {
  conversations: ConversationStore
  answererOf: FindAnswerer
  /** Formats an error as an HTTP error body. */
  errorBody: (status: number, message: string) => object
}

export type SendAndReply = typeof sendAndReply

/** Stores the message, then the reply. If there is no reply, the message is kept and the request fails. */
export async function sendAndReply(
  { conversations, answererOf, errorBody }: ReplyParts,
  { userId, conversationId, message, messageId, draft, view = ownersView }: Asked,
  reply: FastifyReply,
) {
  if (message.type === 'agent') throw appError('reply_to_agent')
  const isStream = wantsEvents(reply.request.headers.accept)
  const answerer = await answererOf(userId, conversationId, draft)
  const stored = await conversations.send(userId, conversationId, message, messageId)
  const leaving = new AbortController()
  // A non-streamed reply is stored even if the client disconnects. The listener is on the response, because the request
  // closes once its body was read.
  if (isStream) reply.raw.once('close', () => reply.raw.writableFinished || leaving.abort())
  const words = answerer.words(stored, leaving.signal)[Symbol.asyncIterator]()
  const told = (error: unknown) => {
    const { status, message } = error instanceof AppError ? error : appError('internal_error')
    return errorBody(status, message)
  }
  const keep = async (content: string): Promise<SentMessage> => ({
    ...stored,
    reply: await conversations.send(userId, conversationId, { type: 'agent', content: storable(content) }),
    repliedBy: { name: answerer.name, isModel: answerer.isModel },
  })

  const first = await firstWord(words) // an error before this is a regular error response
  reply.code(201)
  if (leaving.signal.aborted) return reply.send(view.sent(stored)) // the client has disconnected
  if (first === undefined) throw appError('agent_no_answer')
  if (isStream)
    return reply
      .type('text/event-stream; charset=utf-8')
      .send(Readable.from(events({ first, words, keep, view, told }), { objectMode: false }))
  let content = first
  for (let next = await words.next(); !next.done; next = await words.next()) content += next.value
  return reply.send(view.sent(await keep(content)))
}

async function firstWord(words: AsyncIterator<string>): Promise<string | undefined> {
  let text = ''
  for (let next = await words.next(); !next.done; next = await words.next()) {
    text += next.value
    if (storable(text) !== '') return text
  }
  return undefined
}

type Streamed = {
  first: string
  words: AsyncIterator<string>
  keep: (content: string) => Promise<SentMessage>
  view: ReplyView
  /** What the client is told about an error. */
  told: (error: unknown) => object
}

/** If generation fails or the client disconnects, the partial reply is stored. */
async function* events({ first, words, keep, view, told }: Streamed): AsyncGenerator<string> {
  let content = ''
  let isKept = false
  let failure: unknown
  try {
    try {
      for (let text = first; ; ) {
        content += text
        yield event('words', { text })
        const next = await words.next()
        if (next.done) break
        text = next.value
      }
    } catch (error) {
      failure = error
    }
    isKept = true
    yield event('message', view.sent(await keep(content)))
    if (failure) yield event('error', told(view.error(failure)))
  } catch (error) {
    yield event('error', told(view.error(error)))
  } finally {
    await words.return?.()
    if (!isKept) await keep(content).catch(() => {}) // the conversation may have ended meanwhile
  }
}

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** True if Accept names text/event-stream; a wildcard does not count. */
export const wantsEvents = (accept: string | undefined): boolean =>
  (accept ?? '').split(',').some((range) => /^\s*text\/event-stream\s*(;|$)/i.test(range))
