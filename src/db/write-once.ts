// Writes that a repeated Idempotency-Key must not repeat, even after a crash between the write and its stored response:
// the key is marked in the same transaction as the write.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Trx } from './db.ts'

/** The row of an Idempotency-Key whose request runs in this process. */
export type HeldKey = { keyId: string; idempotencyKey: string; holder: string }

/** Marks a row whose write is stored: only a status without a response, because the response was lost. */
const WRITTEN = 409

const current = new AsyncLocalStorage<HeldKey>()

/** Runs a request under its key. */
export const holdingKey = <T>(held: HeldKey, work: () => T): T => current.run(held, work)

/** Writes once per key: with a key, the write and the mark are one transaction. */
export function writeOnce<T>(db: Db, write: (on: Db | Trx) => Promise<T>): Promise<T> {
  if (!isHoldingKey()) return write(db)
  return db.inTransaction(async (trx) => {
    await markWritten(trx)
    return write(trx)
  })
}

/** Whether the request has an Idempotency-Key. */
export const isHoldingKey = (): boolean => current.getStore() !== undefined

/** For an existing transaction. */
export async function markWritten(trx: Trx): Promise<void> {
  const held = current.getStore()
  if (!held) return
  await trx
    .updateTable('idempotency')
    .set({ statusCode: WRITTEN })
    .where('keyId', '=', held.keyId)
    .where('idempotencyKey', '=', held.idempotencyKey)
    .where('holder', '=', held.holder)
    .where('statusCode', 'is', null)
    .execute()
}
