// How a conversation ends, and whether anybody is to look back on it.
import { now } from '../../base/clock.ts'
import type { Trx } from '../../db/database.ts'
import type { ConversationRow } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import type { AgentSettings } from '../agents/settings.ts'

/** That of a call: what its agent wants to know of it is read when its turn comes. */
export const endedCallColumns = (trx: Trx, endedAt: string) =>
  ({ status: 'ended', endedAt, analysisStatus: 'pending', analysisDueAt: dbTime(trx) }) as const

/** Of a written conversation only what its agent asks for is found out; of a call a summary unless the agent wants none. */
export function endedChatColumns(settings: AgentSettings | null): Partial<ConversationRow> {
  const { summary, success, fields } = settings?.analysis ?? {}
  return summary || success || fields
    ? { analysisStatus: 'pending', analysisDueAt: now() }
    : { analysisStatus: 'skipped' }
}
