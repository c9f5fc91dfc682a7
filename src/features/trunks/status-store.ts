// What the phone observes about trunks: their status, and the addresses they claim and prove. Their records are not
// changed by it.
import { type AddressProof, type AddressProofs, withProof } from '../../base/network/address-proofs.ts'
import { now } from '../../base/time/clock.ts'
import { countPhoneChange } from '../../db/change-counter.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter } from '../../db/outbox.ts'
import type { TrunkRow } from '../../db/tables.ts'
import { isRegistered } from './rows.ts'

export function trunkStatuses(db: Db) {
  const writeEvent = eventWriter(db)
  return {
    /** Stores when the trunk claimed which addresses. */
    async claimed(userId: string, id: string, claims: object): Promise<void> {
      const own = db.updateTable('trunks').where('userId', '=', userId).where('id', '=', id)
      await own.set({ addressClaims: JSON.stringify(claims) }).execute()
    },

    /** The address is proved to belong to the trunk. Other nodes see this too. */
    async proved(userId: string, id: string, address: string, by: AddressProof['by']): Promise<void> {
      await db.inTransaction(async (trx) => {
        const stored = await lockRow(trx, 'trunks', { userId, id })
        if (!stored) return
        const before = JSON.parse(stored.addressProofs) as AddressProofs
        const proofs = withProof(before, address, by, now())
        if (proofs !== before) await saveProofs(trx, { userId, id }, proofs)
      })
    },

    /** Removes the proofs of an address from all trunks; for operators only. */
    async releaseAddress(address: string): Promise<{ userId: string; trunkId: string }[]> {
      return db.inTransaction(async (trx) => {
        const rows = await trx
          .selectFrom('trunks')
          .select(['userId', 'id'])
          .where('addressProofs', '!=', '{}')
          .execute()
        const released: { userId: string; trunkId: string }[] = []
        for (const { userId, id } of rows) {
          const stored = await lockRow(trx, 'trunks', { userId, id })
          const { [address]: proof, ...others } = JSON.parse(stored?.addressProofs ?? '{}') as AddressProofs
          if (!proof) continue
          await saveProofs(trx, { userId, id }, others)
          released.push({ userId, trunkId: id })
        }
        return released
      })
    },

    /** Stores the peer's status as the phone observed it. */
    async found(
      userId: string,
      id: string,
      state: { status: TrunkRow['status']; detail: string | null; isSeen: boolean },
    ): Promise<void> {
      const set = { status: state.status, statusDetail: state.detail, ...(state.isSeen ? { lastSeenAt: now() } : {}) }
      await db.inTransaction(async (trx) => {
        const before = await lockRow(trx, 'trunks', { userId, id })
        if (!before || before.host === null) return
        const own = trx.updateTable('trunks').set(set).where('userId', '=', userId).where('id', '=', id)
        const after = await own.returningAll().executeTakeFirstOrThrow()
        if (trunkStatus(before) === trunkStatus(after)) return
        // Other nodes trust the carrier's calls only while we are registered there.
        if (isRegistered(before) !== isRegistered(after)) await countPhoneChange(trx)
        const { name, statusDetail, lastSeenAt } = after
        const trunk = { id, name, status: trunkStatus(after), statusDetail, lastSeenAt }
        const data = { trunkId: id, previousStatus: before.status, trunk }
        await writeEvent(trx, { userId, type: 'trunk.status_changed', data })
      })
    },
  }
}

async function saveProofs(trx: Trx, { userId, id }: { userId: string; id: string }, proofs: AddressProofs) {
  const own = trx.updateTable('trunks').where('userId', '=', userId).where('id', '=', id)
  await own.set({ addressProofs: JSON.stringify(proofs) }).execute()
  await countPhoneChange(trx)
}

export const trunkStatus = (row: Pick<TrunkRow, 'status' | 'isActive'>): string =>
  row.isActive ? row.status : 'disabled'
