// Stores the answer hook's decision about a call, with the agent and variables it chose, and writes the event.
import { found } from '../../base/errors/errors.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter } from '../../db/outbox.ts'
import { ownedRow } from '../../db/owned.ts'
import { type CallRow, fromJson, toJson } from '../../db/tables.ts'
import type { HookOutcome } from '../answer-hooks/schema.ts'
import { callEvent, isLive } from './call-record.ts'

export type CallDecision = {
  /** Null for the agent of the number. */
  agentId: string | null
  variables: Readonly<Record<string, string>>
  outcome: HookOutcome
}

type Variables = Readonly<Record<string, string>>

export function callHookOutcomes(db: Db) {
  const row = ownedRow(db, 'calls')
  const writeEvent = eventWriter(db)

  async function change(trx: Trx, call: CallRow, { agentId, variables }: Omit<CallDecision, 'outcome'>) {
    const all = { ...fromJson<Variables>(call.variables), ...variables }
    const set = {
      ...(Object.keys(variables).length === 0 ? {} : { variables: toJson(all) }),
      ...(agentId === null ? {} : { agentId }),
    }
    if (Object.keys(set).length === 0) return call
    const own = trx.updateTable('calls').set(set).where('id', '=', call.id)
    return own.returningAll().executeTakeFirstOrThrow()
  }

  const save = (trx: Trx, callId: string, outcome: HookOutcome) => {
    const text = JSON.stringify(outcome)
    return trx
      .insertInto('callHooks')
      .values({ callId, outcome: text })
      .onConflict((c) => c.column('callId').doUpdateSet({ outcome: text }))
      .execute()
  }

  /** False if the call has ended: then only the outcome is stored, and a late one is dropped. */
  const store = (id: string, { outcome, ...decision }: CallDecision, isLate: boolean): Promise<boolean> =>
    db.inTransaction(async (trx) => {
      const before = await lockRow(trx, 'calls', { id })
      if (!before) return false
      const isUsable = isLive(before)
      if (isLate && !isUsable) return false
      const call = isUsable ? await change(trx, before, decision) : before
      await save(trx, id, outcome)
      await writeEvent(trx, callEvent(call, 'call.hook', { hook: outcome }))
      return isUsable
    })

  return {
    decided: (id: string, decision: CallDecision): Promise<boolean> => store(id, decision, false),

    /** The answer came during the conversation, which keeps its agent. */
    late: (id: string, variables: Variables, outcome: HookOutcome): Promise<boolean> =>
      store(id, { agentId: null, variables, outcome }, true),

    async of(userId: string, id: string): Promise<HookOutcome | null> {
      const call = found('Call', await row(userId, id))
      const stored = db.selectFrom('callHooks').select('outcome').where('callId', '=', call.id)
      return fromJson((await stored.executeTakeFirst())?.outcome ?? null)
    },
  }
}
