// Phone registrations as rows, shared by all nodes and kept across restarts.
import { sql } from 'kysely'
import { nowMs } from '../../base/time/clock.ts'
import { nextBindingVersion } from '../../db/change-counter.ts'
import type { DeviceBindingRow } from '../../db/cluster-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { DeviceRow } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import type { BindingStore, StoredBinding } from '../../phone/ports.ts'
import type { Binding } from '../../sip/registration/registrar.ts'
import type { PhoneNode } from './trunk-leases.ts'

/** Longer than any registration: after this, no node holds a removed binding in memory. */
const KEEP_REMOVED_MS = 7_200_000
/** Above this number per device, removed bindings are kept only until every node has had time to read them. */
const MAX_REMOVED = 100
const READ_WITHIN_MS = 60_000
const FORGET_AT_ONCE = 500

type ReadRow = DeviceBindingRow & { at: string }

/** `passwordOf` decrypts a device's SIP password. */
export function bindingStore(
  { db, node }: { db: Db; node: PhoneNode },
  passwordOf: (device: DeviceRow) => string,
): BindingStore {
  const read = (from: Db | Trx) => from.selectFrom('deviceBindings').selectAll().select(dbTime(db).as('at'))
  const stored = (row: ReadRow): StoredBinding => ({
    deviceId: row.deviceId,
    credential: row.credential,
    binding: toBinding(row, node.processId),
  })

  return {
    async bindingChanges(version) {
      const rows = await read(db).where('version', '>', version).orderBy('version').execute()
      return { version: rows.at(-1)?.version ?? version, changes: rows.map(stored) }
    },

    changeBindings: ({ deviceId, password, credential }, judge) =>
      db.inTransaction(async (trx) => {
        const device = await lockRow(trx, 'devices', { id: deviceId })
        if (!device || passwordOf(device) !== password) return
        const live = await read(trx).where('deviceId', '=', deviceId).where('expiresAt', '>', dbTime(db)).execute()
        const before = live.filter((row) => row.credential === credential).map((row) => toBinding(row, node.processId))
        const after = judge(before)
        if (!after) return
        const written = after.filter((binding) => !before.includes(binding))
        const contacts = new Set(after.map(({ contact }) => contact))
        const removed = live.filter(({ contact }) => !contacts.has(contact)).map(({ contact }) => contact)
        if (written.length + removed.length === 0) return
        const version = await nextBindingVersion(trx)
        if (removed.length > 0) {
          const all = { expiresAt: dbTime(db), version }
          const query = trx.updateTable('deviceBindings').set(all).where('deviceId', '=', deviceId)
          await query.where('contact', 'in', removed).execute()
          await forgetOldest(trx, deviceId)
        }
        for (const binding of written) {
          const row = { ...toRow(db, binding, node), deviceId, credential, version }
          await trx
            .insertInto('deviceBindings')
            .values(row)
            .onConflict((c) => c.columns(['deviceId', 'contact']).doUpdateSet(row))
            .execute()
        }
      }),

    removeLostBindings: ({ ofThisNode = false } = {}) =>
      db.inTransaction(async (trx) => {
        await trx.deleteFrom('deviceBindings').where('expiresAt', '<', dbTime(db, -KEEP_REMOVED_MS)).execute()
        const alive = trx.selectFrom('nodes').select('processId').where('leaseUntil', '>', dbTime(db))
        const lost = await trx
          .selectFrom('deviceBindings')
          .select(['deviceId', 'contact'])
          .where('expiresAt', '>', dbTime(db))
          .where('transport', '!=', 'udp')
          .where('path', '=', '[]')
          .where('processId', '!=', node.processId)
          .where('processId', 'not in', alive)
          .$if(ofThisNode, (query) => query.where('nodeName', '=', node.name))
          .execute()
        if (lost.length === 0) return
        const version = await nextBindingVersion(trx)
        for (const { deviceId, contact } of lost)
          await trx
            .updateTable('deviceBindings')
            .set({ expiresAt: dbTime(db), version })
            .where('deviceId', '=', deviceId)
            .where('contact', '=', contact)
            .where('processId', 'not in', alive)
            .execute()
      }),

    async isRegistered(deviceId, credential) {
      const row = db.selectFrom('deviceBindings').select(sql<number>`1`.as('one')).where('deviceId', '=', deviceId)
      const live = row.where('expiresAt', '>', dbTime(db)).where('credential', '=', credential)
      return (await live.executeTakeFirst()) !== undefined
    },
  }
}

/** A phone that keeps changing its contact would leave endless rows, which every node reads at startup. */
async function forgetOldest(trx: Trx, deviceId: string): Promise<void> {
  const old = trx
    .selectFrom('deviceBindings')
    .where('deviceId', '=', deviceId)
    .where('expiresAt', '<', dbTime(trx, -READ_WITHIN_MS))
  const oldest = await old
    .select('contact')
    .orderBy('version', 'desc')
    .offset(MAX_REMOVED)
    .limit(FORGET_AT_ONCE)
    .execute()
  if (oldest.length === 0) return
  const contacts = oldest.map(({ contact }) => contact)
  await trx.deleteFrom('deviceBindings').where('deviceId', '=', deviceId).where('contact', 'in', contacts).execute()
}

/** Converts times of the database clock to the local clock. */
function toBinding(row: ReadRow, processId: string): Binding {
  const { contact, target, callId, cseq, userAgent, transport } = row
  const local = (time: string) => Date.parse(time) - Date.parse(row.at) + nowMs()
  return {
    contact,
    target,
    callId,
    cseq: Number(cseq),
    userAgent,
    params: new Map(JSON.parse(row.params) as [string, string | null][]),
    path: JSON.parse(row.path) as string[],
    registeredAt: local(row.registeredAt),
    expiresAt: local(row.expiresAt),
    // Any of our sockets that reaches it.
    flow: {
      transport,
      remote: { address: row.remoteAddress, port: row.remotePort },
      local: { address: '', port: 0 },
    },
    ...(row.processId === processId ? {} : { origin: row.nodeName }),
  }
}

function toRow(db: Db, binding: Binding, { name, processId }: PhoneNode) {
  const { contact, target, params, callId, cseq, path, userAgent, flow, registeredAt, expiresAt } = binding
  return {
    contact,
    target,
    callId,
    cseq,
    userAgent,
    processId,
    params: JSON.stringify([...params]),
    path: JSON.stringify(path),
    transport: flow.transport,
    remoteAddress: flow.remote.address,
    remotePort: flow.remote.port,
    nodeName: name,
    registeredAt: dbTime(db, registeredAt - nowMs()),
    expiresAt: dbTime(db, expiresAt - nowMs()),
  }
}
