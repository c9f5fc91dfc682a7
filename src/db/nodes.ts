// The nodes that serve this database: each renews a lease on its row every few seconds, by the database clock, with its
// address and load.
import { sql } from 'kysely'
import { newId } from '../base/ids.ts'
import type { NodeRow } from './cluster-rows.ts'
import type { Db } from './db.ts'
import { schemaVersion } from './migrate.ts'
import { bit } from './tables.ts'
import { dbTime } from './time.ts'

export const NODE_LEASE_MS = 10_000
export const NODE_RENEW_MS = 3000
/** How long the row of a dead node stays listed. */
const FORGET_MS = 86_400_000

/** What a node reports about itself. */
export type NodeReport = Pick<NodeRow, 'calls' | 'maxCalls' | 'busy' | 'address'> & { isDraining: boolean }
export type Node = Omit<NodeRow, 'isDraining'> & { isDraining: boolean; isAlive: boolean }

/** `processId` is unique per process; the latest process with a name owns its row. */
export function nodeRows(db: Db, { name, release }: { name: string; release: string }) {
  const processId = newId('prc')
  const startedAt = dbTime(db)
  const identity = { name, processId, release, schema: schemaVersion }
  const columnsOf = ({ isDraining, ...report }: NodeReport) => ({
    ...identity,
    ...report,
    isDraining: bit(isDraining),
    leaseUntil: dbTime(db, NODE_LEASE_MS),
  })
  return {
    processId,

    /** Takes the row of this name. Returns the name's other process if its lease has not expired. */
    async enter(report: NodeReport): Promise<string | null> {
      const before = await db
        .selectFrom('nodes')
        .select('processId')
        .where('name', '=', name)
        .where('leaseUntil', '>', dbTime(db))
        .executeTakeFirst()
      const columns = { ...columnsOf(report), startedAt }
      await db
        .insertInto('nodes')
        .values(columns)
        .onConflict((c) => c.column('name').doUpdateSet(columns))
        .execute()
      return before?.processId ?? null
    },

    /** False if another process has taken the row of this name. A missing row is written again. */
    async renew(report: NodeReport): Promise<boolean> {
      const columns = columnsOf(report)
      const renewed = await db
        .insertInto('nodes')
        .values({ ...columns, startedAt })
        .onConflict((c) => c.column('name').doUpdateSet(columns).where('nodes.processId', '=', processId))
        .returning('name')
        .executeTakeFirst()
      return renewed !== undefined
    },

    async leave(): Promise<void> {
      await db.deleteFrom('nodes').where('name', '=', name).where('processId', '=', processId).execute()
    },

    list: () => listNodes(db),

    /** A live node with its address. */
    async find(nodeName: string): Promise<Node | undefined> {
      return (await listNodes(db)).find((node) => node.name === nodeName && node.isAlive)
    },

    removeOld: () => db.deleteFrom('nodes').where('leaseUntil', '<', dbTime(db, -FORGET_MS)).execute(),
  }
}

export async function listNodes(db: Db): Promise<Node[]> {
  const rows = await db
    .selectFrom('nodes')
    .selectAll()
    .select(sql<number>`case when ${sql.ref('leaseUntil')} > ${dbTime(db)} then 1 else 0 end`.as('isAlive'))
    .orderBy('name')
    .execute()
  return rows.map((row) => ({ ...row, isDraining: row.isDraining === 1, isAlive: Number(row.isAlive) === 1 }))
}

/** Entries in which releases without node rows wrote their heartbeats, as times in milliseconds. */
export const isProcessEntry = sql<boolean>`name like 'process:%'`
const OLD_GONE_MS = 15_000

/** Throws while any node serves the database. */
export async function requireStopped(db: Db): Promise<void> {
  const running = (await listNodes(db)).filter(({ isAlive }) => isAlive).map(({ name }) => name)
  const entries = await db.selectFrom('meta').select('value').where(isProcessEntry).execute()
  const { rows } = await sql<{ at: string }>`select ${dbTime(db)} as at`.execute(db)
  const at = Date.parse(rows[0]?.at ?? '')
  if (entries.some(({ value }) => at - Number(value) < OLD_GONE_MS)) running.push('a node of the previous release')
  if (running.length === 0) return
  throw new Error(
    `Ramal is running on this database (${running.join(', ')}): stop it first. After a crash, wait ${OLD_GONE_MS / 1000} seconds`,
  )
}
