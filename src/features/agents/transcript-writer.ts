// Stores a call's transcript in its conversation, in the order it was spoken.

import type { RetryingWrite } from '../../base/concurrency/retrying-writes.ts'
import { countFault } from '../../base/errors/faults.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/process/log.ts'
import type { AnsweredCall } from '../../phone/ports.ts'
import type { AnsweredBy } from '../../voice/amd/classifier.ts'
import type { SpeechTiming, UtteranceEvent } from '../../voice/history.ts'
import type { SessionEvent } from '../../voice/session.ts'
import type { Turn } from '../calls/schema.ts'
import type { ConversationStore, SpokenMessage } from '../conversations/store.ts'
import type { WallTime } from './turn-metrics.ts'

export type TranscriptWriterParts = {
  conversations: Pick<ConversationStore, 'said'>
  saveTurns: (callId: string, turns: readonly Turn[]) => Promise<void>
  /** Stores the AMD result of an outbound call. */
  saveAnsweredBy: (callId: string, by: AnsweredBy) => Promise<void>
  /** Stores in order, retrying while the database is unavailable. */
  write: RetryingWrite
  log: Log
}

const MAX_CONTEXT = 20_000
const speakers = { user: 'Caller', agent: 'Agent', system: 'Note' } as const

export function transcriptWriter(
  { conversations, saveTurns, saveAnsweredBy, write, log }: TranscriptWriterParts,
  { userId, conversationId, callId }: AnsweredCall,
  wallTime: WallTime,
) {
  const lines: string[] = []

  const store = (failure: string, task: () => Promise<unknown>) =>
    void write(callId, task).catch((err) => log.warn({ err, callId }, failure))

  function add(message: SpokenMessage, timing: SpeechTiming | null = null): void {
    const at = wallTime(timing)
    lines.push(`${speakers[message.type]}: ${message.content}`)
    const id = newId('msg') // generated once, so that a retry of a write that did commit is not stored twice
    store('failed to store transcript message', () => conversations.said(userId, conversationId, message, at, id))
  }

  return {
    onEvent(event: SessionEvent): void {
      if (event.type === 'error') {
        log.warn({ err: event.error, callId, stage: event.stage }, 'conversation stage failed')
        if (event.stage === 'vad') countFault('vad')
      }
      if (event.type === 'amd-result') store('failed to store AMD result', () => saveAnsweredBy(callId, event.by))
      if (event.type === 'utterance') add(spokenMessage(event), event.timing)
    },
    note: (text: string) => add({ type: 'system', content: text }),
    /** The transcript so far, for the next agent's prompt. */
    text: () => lines.join('\n').slice(-MAX_CONTEXT),
    saveTurns: (turns: readonly Turn[]) => store('failed to store call turns', () => saveTurns(callId, turns)),
  }
}

function spokenMessage({ who, text: content, isOperator }: UtteranceEvent): SpokenMessage {
  if (who === 'caller') return { type: 'user', content }
  return { type: 'agent', content, ...(isOperator ? { author: 'operator' as const } : {}) }
}
