// Inserts text messages of devices into the database as the gateway would, with their events.

import { newId } from '../src/base/ids.ts'
import { now } from '../src/base/time/clock.ts'
import type { Db } from '../src/db/database.ts'
import { eventWriter } from '../src/db/outbox.ts'
import type { DeviceTextRow } from '../src/db/tables.ts'

/** By default an inbound text that was answered. The queue never picks it up because it is not stored as waiting. */
export async function putText(
  db: Db,
  text: Pick<DeviceTextRow, 'userId' | 'deviceId' | 'peer' | 'text'> & Partial<DeviceTextRow>,
): Promise<DeviceTextRow> {
  const id = newId('txt')
  const row: DeviceTextRow = {
    id,
    direction: 'in',
    key: id,
    own: null,
    conversationId: null,
    status: 'answered',
    tries: 0,
    dueAt: '2999-01-01T00:00:00.000Z',
    externalId: null,
    error: null,
    createdAt: now(),
    endedAt: null,
    ...text,
  }
  const { userId, deviceId, peer: from, own: to, text: content, createdAt } = row
  await db.inTransaction(async (trx) => {
    await trx.insertInto('deviceTexts').values(row).execute()
    const data = { deviceId, text: { id: row.id, from, to, content, createdAt } }
    await eventWriter(db)(trx, { userId, type: 'device.text_received', agentId: null, data })
  })
  return row
}
