// Operations on conversation rows for other features: convert one to a record, and end it.
import { now } from '../../base/time/clock.ts'
import type { Trx } from '../../db/database.ts'
import { type ConversationRow, fromJson } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import type { AgentSettings } from '../agents/settings-schema.ts'
import type { Conversation } from './schema.ts'

/** For a call: analysis is always queued; the agent's analysis settings are read when it is claimed. */
export const endedCallColumns = (trx: Trx, endedAt: string) =>
  ({ status: 'ended', endedAt, analysisStatus: 'pending', analysisDueAt: dbTime(trx) }) as const

/** For a chat: analyzed only if the agent's settings ask for it. */
export function endedChatColumns(settings: AgentSettings | null): Partial<ConversationRow> {
  const { summary, success, fields } = settings?.analysis ?? {}
  return summary || success || fields
    ? { analysisStatus: 'pending', analysisDueAt: now() }
    : { analysisStatus: 'skipped' }
}

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    agentId: row.agentId,
    title: row.title,
    status: row.status,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    variables: fromJson(row.variables),
    analysis: fromJson(row.analysis),
    analysisStatus: row.analysisStatus,
  }
}
