// Purges removed agents and users, which removedAt hides from every reader, with all their rows. Works in batches, in
// any process, and resumes after a restart until nothing is left.
import { sql } from 'kysely'
import { inBatches } from './batches.ts'
import { deleteListRows, eraseRemovedCampaigns } from './campaign-erasure.ts'
import type { Db } from './database.ts'
import { batchRemovals } from './removal.ts'
import type { Tables } from './tables.ts'

type Owner = { column: 'agentId' | 'userId'; id: string }

/**
 * Large tables of a user whose rows are not deleted with a call or conversation. Small ones are deleted with the user's
 * row, by foreign key.
 */
const large = [
  ...(['events', 'auditRows', 'webhookDeliveries', 'rehearsals', 'deviceTexts', 'suppressions'] as const),
  ...(['campaignAttempts', 'campaignContacts'] as const),
]

export function purger(db: Db, node: string, signal?: AbortSignal) {
  const removals = batchRemovals(db, node, signal)
  async function talks({ column, id }: Owner): Promise<void> {
    await removals.calls((trx) => trx.selectFrom('calls').select('id').where(column, '=', id))
    await removals.conversations((trx) => trx.selectFrom('conversations').select('id').where(column, '=', id))
  }

  /** Rows of a table matching a condition; `key` identifies a row. */
  const rows = (table: keyof Tables, key: string, isMeant: ReturnType<typeof sql<boolean>>) =>
    inBatches(async (limit) => {
      const some = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${isMeant} limit ${limit}`
      const { rows } =
        await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${some}) returning 1`.execute(db)
      return rows.length
    }, signal)

  async function agent(id: string): Promise<void> {
    await talks({ column: 'agentId', id })
    await rows('rehearsals', 'id', sql<boolean>`${sql.ref('agentId')} = ${id}`)
    if (signal?.aborted) return
    // Rows added meanwhile are deleted by foreign key.
    await db.deleteFrom('agents').where('id', '=', id).where('removedAt', 'is not', null).execute()
  }

  async function user(id: string): Promise<void> {
    await talks({ column: 'userId', id })
    const own = sql<boolean>`${sql.ref('userId')} = ${id}`
    await deleteListRows(db, own, signal)
    for (const table of large) await rows(table, 'id', own)
    const of = (table: 'spreadsheets' | 'knowledgeDocuments') => sql`select id from ${sql.table(table)} where ${own}`
    await rows('spreadsheetRows', 'id', sql<boolean>`${sql.ref('spreadsheetId')} in (${of('spreadsheets')})`)
    // A document has at most a few thousand passages, which are deleted with it.
    await rows('knowledgeDocuments', 'id', own)
    if (signal?.aborted) return
    await db.deleteFrom('users').where('id', '=', id).where('removedAt', 'is not', null).execute()
  }

  return {
    user,
    /** Purges everything that is hidden. */
    async work(): Promise<void> {
      await eraseRemovedCampaigns(db, signal)
      const hidden = (table: 'agents' | 'users') =>
        db.selectFrom(table).select('id').where('removedAt', 'is not', null).execute()
      for (const { id } of await hidden('users')) await user(id)
      for (const { id } of await hidden('agents')) if (!signal?.aborted) await agent(id)
    },
  }
}
