// Cancels campaigns in the transaction that removes their agent, trunk or device.
import { sql } from 'kysely'
import type { CampaignReason } from '../../base/domain/campaigns.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { forUpdate } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { setCampaignStatus } from './status-store.ts'

export type Removed = { userId: string; id: string }
/** Called in the transaction that removes a record. */
export type OnRemoved = (trx: Trx, removed: Removed) => Promise<void>

type Column = 'agentId' | 'trunkId' | 'deviceId'
const reasons: Readonly<Record<Column, CampaignReason>> = {
  agentId: 'agent_removed',
  trunkId: 'trunk_removed',
  deviceId: 'device_removed',
}
const open = ['draft', 'scheduled', 'running', 'paused'] as const

const cancel = (trx: Trx, writeEvent: WriteEvent, campaign: CampaignRow, column: Column) =>
  setCampaignStatus(trx, writeEvent, { campaign, to: 'canceled', reason: reasons[column] })

/** Cancels unfinished campaigns that name a removed record. */
export function cancelCampaignsWith(db: Db, column: Column): OnRemoved {
  const writeEvent = eventWriter(db)
  return async (trx, { userId, id }) => {
    const named = trx.selectFrom('campaigns').selectAll().where('userId', '=', userId).where(column, '=', id)
    const campaigns = await forUpdate(trx, named.where('status', 'in', open).orderBy('id')).execute()
    for (const campaign of campaigns) await cancel(trx, writeEvent, campaign, column)
  }
}

const gone: Readonly<Record<Column, ReturnType<typeof sql<boolean>>>> = {
  agentId: sql<boolean>`not exists (select 1 from agents where agents.id = ${sql.ref('campaigns.agentId')} and ${sql.ref('agents.removedAt')} is null)`,
  trunkId: sql<boolean>`${sql.ref('trunkId')} is not null and not exists (select 1 from trunks where trunks.id = ${sql.ref('campaigns.trunkId')} and ${sql.ref('trunks.userId')} = ${sql.ref('campaigns.userId')})`,
  deviceId: sql<boolean>`${sql.ref('deviceId')} is not null and not exists (select 1 from devices where devices.id = ${sql.ref('campaigns.deviceId')})`,
}

/** Also catches records removed in other ways, such as by an older version's command on the same database. */
export async function cancelOrphans(db: Db): Promise<void> {
  const writeEvent = eventWriter(db)
  for (const column of ['agentId', 'trunkId', 'deviceId'] as const) {
    const found = db.selectFrom('campaigns').select('id').where('status', 'in', open).where(gone[column])
    for (const { id } of await found.execute())
      await db.inTransaction(async (trx) => {
        const one = trx.selectFrom('campaigns').selectAll().where('id', '=', id).where('status', 'in', open)
        const campaign = await forUpdate(trx, one.where(gone[column])).executeTakeFirst()
        if (campaign) await cancel(trx, writeEvent, campaign, column)
      })
  }
}

/** For operators, over all users: the number of attempts that need a person's decision. */
export async function countInDoubt(db: Db): Promise<number> {
  const query = db.selectFrom('campaignAttempts').select(({ fn }) => fn.countAll<number | string>().as('count'))
  const { count } = await query.where('status', '=', 'in_doubt').executeTakeFirstOrThrow()
  return Number(count)
}
