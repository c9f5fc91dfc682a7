// Answers to device texts: each sender has a conversation with the device's agent.
import { createHash } from 'node:crypto'
import { AppError, appError } from '../../base/errors/errors.ts'
import { storable } from '../../base/text/storable.ts'
import { DAY_MS, nowMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { DeviceTextRow } from '../../db/tables.ts'
import type { FindAnswerer } from '../conversations/port.ts'
import type { ConversationStore } from '../conversations/store.ts'
import type { DeviceStates } from './state-store.ts'
import type { DeviceTexts } from './text-queue.ts'

export type TextAnswerParts = {
  db: Db
  states: DeviceStates
  texts: DeviceTexts
  conversations: ConversationStore
  answererOf: FindAnswerer
}

const MAX_TITLE = 255
/** After this much silence, a new conversation starts. */
const IDLE_MS = DAY_MS

export function textAnswers({ db, states, texts, conversations, answererOf }: TextAnswerParts) {
  /** The active conversation with this sender, or a new one. */
  async function conversationOf(text: DeviceTextRow, agentId: string): Promise<string> {
    const { userId } = text
    if (text.conversationId !== null) return text.conversationId
    const last = await texts.lastOf(text)
    const old = last && (await conversations.get(userId, last.conversationId).catch(ignoreAppError))
    if (old?.status === 'active') {
      const isIdle = nowMs() - Date.parse(last?.at ?? '') > IDLE_MS
      if (old.agentId === agentId && !isIdle) return old.id
      await conversations.end(userId, old.id).catch(ignoreAppError)
    }
    const device = await states.row(text.deviceId)
    const title = `Texts with ${/\d{3}/.test(text.peer) ? text.peer : (device?.name ?? device?.deviceId ?? text.peer)}`
    return (await conversations.start(userId, { agentId, title: title.slice(0, MAX_TITLE) })).id
  }

  /**
   * Idempotent: message ids derive from the text's id, so a repeat after a crash adds no duplicates. Null if there is
   * no answer.
   */
  return async (text: DeviceTextRow, agentId: string, signal: AbortSignal) => {
    const { userId } = text
    const conversationId = await conversationOf(text, agentId)
    await texts.inConversation(text.id, conversationId)
    const replyId = messageId(text, 'agent')
    const before = await db.selectFrom('messages').select('content').where('id', '=', replyId).executeTakeFirst()
    if (before) return { answer: before.content, conversationId }
    try {
      const question = { type: 'user', content: text.text } as const
      const stored = await conversations.send(userId, conversationId, question, messageId(text, 'user'))
      const answerer = await answererOf(userId, conversationId)
      let content = ''
      for await (const word of answerer.words(stored, signal)) content += word
      signal.throwIfAborted()
      const answer = storable(content)
      if (answer === '') throw appError('agent_no_answer')
      await conversations.send(userId, conversationId, { type: 'agent', content: answer }, replyId)
      return { answer, conversationId }
    } catch (error) {
      // The conversation has ended meanwhile, or its agent is inactive.
      if (error instanceof AppError && error.kind === 'conflict') return null
      throw error
    }
  }
}

const messageId = ({ id }: DeviceTextRow, side: 'user' | 'agent') =>
  `msg_${createHash('sha256').update(`${side} ${id}`).digest('hex').slice(0, 26)}`

/** The conversation no longer exists, or has already ended. */
function ignoreAppError(error: unknown): undefined {
  if (error instanceof AppError) return undefined
  throw error
}
