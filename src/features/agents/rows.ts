// Operations on agent rows for other features.
import { found } from '../../base/errors/errors.ts'
import type { Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { AgentRow } from '../../db/tables.ts'

/** Locks the agent until the transaction ends, so that no one else can delete it or change its dependent rows. */
export async function lockAgent(trx: Trx, userId: string, id: string): Promise<AgentRow> {
  const agent = await lockRow(trx, 'agents', { userId, id })
  return found('Agent', agent?.removedAt === null ? agent : undefined)
}
