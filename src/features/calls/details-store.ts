// Extra fields in the list of calls: summary, goal and response time, with one query each per page.
import type { Db } from '../../db/database.ts'
import { type CallRow, fromJson } from '../../db/tables.ts'
import { medianResponseMs } from './response-time-rows.ts'
import type { ListedCall } from './schema.ts'

/** As stored, next to the user's own fields. */
type Analysis = { summary?: unknown; success?: unknown }
export type CallDetails = Pick<ListedCall, 'summary' | 'success' | 'medianResponseMs'>
export type DetailedRow = CallRow & { details?: CallDetails }

export const callDetails =
  (db: Db) =>
  async (rows: readonly CallRow[]): Promise<DetailedRow[]> => {
    if (rows.length === 0) return []
    const conversations = rows.flatMap(({ conversationId }) => conversationId ?? [])
    const ids = rows.map(({ id }) => id)
    const [analyses, turns] = await Promise.all([
      conversations.length === 0
        ? []
        : db.selectFrom('conversations').select(['id', 'analysis']).where('id', 'in', conversations).execute(),
      db.selectFrom('callTurns').selectAll().where('callId', 'in', ids).execute(),
    ])
    const analysisOf = new Map(analyses.map(({ id, analysis }) => [id, fromJson<Analysis>(analysis)]))
    const responseOf = new Map(turns.map((kept) => [kept.callId, medianResponseMs([kept.turns])]))
    return rows.map((row) => {
      const analysis = analysisOf.get(row.conversationId ?? '')
      const details = {
        summary: typeof analysis?.summary === 'string' ? analysis.summary : null,
        success: typeof analysis?.success === 'boolean' ? analysis.success : null,
        medianResponseMs: responseOf.get(row.id) ?? null,
      }
      return Object.assign(row, { details })
    })
  }
