// Provisioning links: one valid link per device, usable once.

import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { DeviceRow, ProvisioningLinkRow } from '../../db/tables.ts'

export function provisioningLinks(db: Db) {
  return {
    newId: () => newId('lnk'),

    /** The valid link, if any. */
    of: (deviceId: string): Promise<ProvisioningLinkRow | undefined> =>
      db
        .selectFrom('provisioningLinks')
        .selectAll()
        .where('deviceId', '=', deviceId)
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', now())
        .orderBy('id', 'desc')
        .executeTakeFirst(),

    /** Replaces all other links of the device. */
    async add(link: { id: string; userId: string; deviceId: string; hash: string; expiresAt: string }): Promise<void> {
      await db.inTransaction(async (trx) => {
        await trx.deleteFrom('provisioningLinks').where('deviceId', '=', link.deviceId).execute()
        await trx
          .insertInto('provisioningLinks')
          .values({ ...link, usedAt: null, createdAt: now() })
          .execute()
      })
    },

    /** Uses up an unused, unexpired link and returns its device; undefined otherwise. */
    async take(hash: string): Promise<DeviceRow | undefined> {
      const taken = await db
        .updateTable('provisioningLinks')
        .set({ usedAt: now() })
        .where('hash', '=', hash)
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', now())
        .returning('deviceId')
        .executeTakeFirst()
      if (!taken) return undefined
      return db
        .selectFrom('devices')
        .selectAll()
        .where('id', '=', taken.deviceId)
        .where('status', '!=', 'disabled')
        .executeTakeFirst()
    },

    async removeOf(deviceId: string): Promise<void> {
      await db.deleteFrom('provisioningLinks').where('deviceId', '=', deviceId).execute()
    },
  }
}
