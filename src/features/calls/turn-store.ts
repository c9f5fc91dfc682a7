// The turns of a call: transcript and latency of each stage. Written at the end of the call, read by its owner.
import { found } from '../../base/errors/errors.ts'
import type { Db } from '../../db/database.ts'
import { ownedRow } from '../../db/owned.ts'
import type { Turn } from './schema.ts'

export function callTurns(db: Db) {
  const row = ownedRow(db, 'calls')
  return {
    async save(callId: string, turns: readonly Turn[]): Promise<void> {
      const text = JSON.stringify(turns)
      // The call may have been removed right after it ended.
      const call = await db.selectFrom('calls').select('id').where('id', '=', callId).executeTakeFirst()
      if (!call) return
      await db
        .insertInto('callTurns')
        .values({ callId, turns: text })
        .onConflict((c) => c.column('callId').doUpdateSet({ turns: text }))
        .execute()
    },

    async of(userId: string, id: string): Promise<Turn[]> {
      const call = found('Call', await row(userId, id))
      const kept = await db.selectFrom('callTurns').select('turns').where('callId', '=', call.id).executeTakeFirst()
      return kept ? (JSON.parse(kept.turns) as Partial<Turn>[]).map(complete) : []
    },
  }
}

/** Turns stored by an older version lack some fields. */
const complete = (turn: Partial<Turn>): Turn =>
  ({ ...places, providers, ...turn, latency: { ...stages, ...turn.latency } }) as Turn

const places = { callerFromMs: null, callerToMs: null, agentFromMs: null, agentToMs: null }
const providers = { stt: null, llm: null, tts: null }
const stages = { vadMs: null, toolMs: null, pacingMs: null }
