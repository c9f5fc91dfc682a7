// The agent's reply to a message: whole with the stored message, or streamed as server-sent events.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../base/errors.ts'
import { errorBody } from '../../http/error-handler.ts'
import type { Message, NewMessage, SentMessage } from './schema.ts'
import type { ConversationStore } from './store.ts'

/** The agent that replies in a conversation. */
export type Answerer = {
  name: string
  isModel: boolean
  /** The reply to this message as it is generated. Ends without an error when the signal fires. */
  words(message: Message, signal: AbortSignal): AsyncIterable<string>
}

/** Throws when the conversation does not exist or its agent does not reply. */
export type FindAnswerer = (userId: string, conversationId: string) => Promise<Answerer>

type Asked = {
  userId: string
  conversationId: string
  message: NewMessage
  isStream: boolean
  /** For a request that may be retried: the message is stored once, and its tools do not run again. */
  messageId?: string
}

/** Stores the message, then the reply; if there is none the message stays, and the request fails. */
export async function sendAndReply(
  { conversations, answererOf }: { conversations: ConversationStore; answererOf: FindAnswerer },
  { userId, conversationId, message, isStream, messageId }: Asked,
  reply: FastifyReply,
) {
  if (message.type === 'agent')
    throw new AppError('invalid', 'reply goes with a message of type user or system: an agent does not answer itself')
  const answerer = await answererOf(userId, conversationId)
  const stored = await conversations.send(userId, conversationId, message, messageId)
  const leaving = new AbortController()
  // A whole reply is stored even if the client disconnects. On the response, not the request, which closes once its body was read.
  if (isStream) reply.raw.once('close', () => reply.raw.writableFinished || leaving.abort())
  const words = answerer.words(stored, leaving.signal)[Symbol.asyncIterator]()
  const keep = async (content: string): Promise<SentMessage> => ({
    ...stored,
    reply: await conversations.send(userId, conversationId, { type: 'agent', content: storable(content) }),
    repliedBy: { name: answerer.name, isModel: answerer.isModel },
  })

  const first = await firstWord(words) // a failure before this is a regular error response
  reply.code(201)
  if (leaving.signal.aborted) return reply.send(stored) // the client has disconnected
  if (first === undefined) throw new AppError('upstream', 'The agent gave no answer')
  if (isStream)
    return reply
      .type('text/event-stream; charset=utf-8')
      .send(Readable.from(events(first, words, keep), { objectMode: false }))
  let content = first
  for (let next = await words.next(); !next.done; next = await words.next()) content += next.value
  return reply.send(await keep(content))
}

/** Without characters that no database accepts: a model may return anything. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed().trim()

async function firstWord(words: AsyncIterator<string>): Promise<string | undefined> {
  let text = ''
  for (let next = await words.next(); !next.done; next = await words.next()) {
    text += next.value
    if (storable(text) !== '') return text
  }
  return undefined
}

/** The partial reply before a failure or a disconnect is stored. */
async function* events(
  first: string,
  words: AsyncIterator<string>,
  keep: (content: string) => Promise<SentMessage>,
): AsyncGenerator<string> {
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
    yield event('message', await keep(content))
    if (failure) yield event('error', told(failure))
  } catch (error) {
    yield event('error', told(error))
  } finally {
    await words.return?.()
    if (!isKept) await keep(content).catch(() => {}) // the conversation may have ended meanwhile
  }
}

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const told = (error: unknown) =>
  error instanceof AppError
    ? errorBody(error.status, error.message)
    : errorBody(500, 'Something went wrong on our side')

/** True when Accept names text/event-stream: a wildcard does not count. */
export const wantsEvents = (accept: string | undefined): boolean =>
  (accept ?? '').split(',').some((range) => /^\s*text\/event-stream\s*(;|$)/i.test(range))
