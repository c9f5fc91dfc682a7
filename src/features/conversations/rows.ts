// The columns of a conversation that ends, with whether it is to be analysed.
import { now } from '../../base/clock.ts'
import type { Trx } from '../../db/database.ts'
import type { ConversationRow } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import type { AgentSettings } from '../agents/settings-schema.ts'

/** Of a call: always queued; the agent's analysis settings are read when it is claimed. */
export const endedCallColumns = (trx: Trx, endedAt: string) =>
  ({ status: 'ended', endedAt, analysisStatus: 'pending', analysisDueAt: dbTime(trx) }) as const

/** Of a chat: analysed only where the agent's settings ask for it. */
export function endedChatColumns(settings: AgentSettings | null): Partial<ConversationRow> {
  const { summary, success, fields } = settings?.analysis ?? {}
  return summary || success || fields
    ? { analysisStatus: 'pending', analysisDueAt: now() }
    : { analysisStatus: 'skipped' }
}
