// A device's webhookUrl is a regular webhook: signed, retried, listed, and kept in sync with its device.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import { newSecret } from '../../base/crypto/webhook-signature.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { WebhookRow } from '../../db/event-rows.ts'
import { increment } from '../../db/increment.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { lastSequence } from './store.ts'

type Device = Pick<DeviceRow, 'id' | 'userId' | 'name' | 'deviceId' | 'webhookUrl'>

const events = JSON.stringify(['device.status_changed', 'device.text_received'])

export function deviceWebhooks(secrets: KeyRing) {
  async function add(trx: Trx, device: Device, url: string): Promise<void> {
    const { userId, id: deviceId } = device
    const id = newId('whk')
    const at = now()
    const hook: WebhookRow = {
      id,
      userId,
      url,
      events,
      deviceId,
      agentIds: null,
      description: `Device ${device.name ?? device.deviceId}`,
      isActive: 1,
      // Never shown; the owner rotates it to get a known secret.
      secretSealed: secrets.seal(newSecret(), { table: 'webhooks', row: id, column: 'secretSealed', userId }),
      oldSecretSealed: null,
      oldSecretUntil: null,
      readUpTo: await lastSequence(trx, userId),
      createdAt: at,
      updatedAt: at,
    }
    await trx
      .insertInto('webhooks')
      .values(hook)
      .onConflict((c) => c.column('deviceId').doNothing())
      .execute()
  }

  /** Creates, changes or removes the webhook to match the device. */
  async function sync(trx: Trx, device: Device): Promise<void> {
    const { id, userId, webhookUrl } = device
    if (webhookUrl === null) {
      await trx.deleteFrom('webhooks').where('userId', '=', userId).where('deviceId', '=', id).execute()
      return
    }
    const own = trx.selectFrom('webhooks').selectAll().where('userId', '=', userId).where('deviceId', '=', id)
    const existing = await own.executeTakeFirst()
    if (!existing) return add(trx, device, webhookUrl)
    if (existing.url === webhookUrl) return
    const updatedAt = nowAfter(existing.updatedAt)
    const change = { url: webhookUrl, updatedAt, rowVersion: increment('rowVersion') }
    await trx.updateTable('webhooks').set(change).where('id', '=', existing.id).execute()
  }

  return {
    follow: sync,

    /** For devices created before webhooks existed. */
    async createMissing(db: Db): Promise<void> {
      const devices = await db
        .selectFrom('devices')
        .leftJoin('webhooks', 'webhooks.deviceId', 'devices.id')
        .selectAll('devices')
        .where('devices.webhookUrl', 'is not', null)
        .where('webhooks.id', 'is', null)
        .execute()
      for (const device of devices) await db.inTransaction((trx) => sync(trx, device))
    },
  }
}
