// `ramal device link`: the QR code that links a device, in the terminal, until a phone has scanned it.
import { setTimeout as sleep } from 'node:timers/promises'
import { conversationStore } from '../api/conversations/store.ts'
import { nowMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { KeyRing } from '../base/secrets.ts'
import { linkWarning } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { DeviceRow } from '../db/tables.ts'
import { qrTerminal } from '../gateway/qr.ts'
import { memoryRateLimiter } from '../http/rate-limit.ts'
import { deviceService } from '../services/devices/service.ts'

export type DeviceLinkParts = {
  config: Config
  database: Database
  secrets: KeyRing
  masterKey: string
  log: Log
  say: (text: string) => void
  hasColours: boolean
}

const LOOK_MS = 500

/** True when it got connected. `name` is a device's id, short id or token; without it the user's device, made where there is none. */
export async function linkFromCommand(
  { config, database, secrets, masterKey, log, say, hasColours }: DeviceLinkParts,
  { name, userId }: { name: string | undefined; userId: string | undefined },
): Promise<boolean> {
  const { db } = database
  const context = { config, db, secrets, masterKey, limiter: memoryRateLimiter(), listening: { address: null }, log }
  await using devices = deviceService(context, { conversations: conversationStore(db), spendText: async () => {} })

  async function deviceRow(): Promise<DeviceRow | undefined> {
    const named = (column: 'id' | 'deviceId' | 'token') =>
      db
        .selectFrom('devices')
        .selectAll()
        .where(column, '=', name ?? '')
        .executeTakeFirst()
    if (name !== undefined) return (await named('id')) ?? (await named('deviceId')) ?? (await named('token'))
    const owner = userId ?? (await onlyUser(database))
    const { deviceUuid } = await devices.actions.provision(owner)
    return devices.states.row(deviceUuid)
  }

  const row = await deviceRow()
  if (!row || (userId !== undefined && row.userId !== userId)) throw new Error(`there is no device ${name}`)
  const { text, expiresAt } = await devices.linkCode(row)
  say(await qrTerminal(text, hasColours))
  say(`${row.name ?? row.deviceId}: scan this with Linphone (assistant, fetch remote configuration), or open there:`)
  say(text)
  const warning = row.driver === 'embedded' ? linkWarning(config) : null
  if (warning) say(warning)
  else if (config.http.publicUrl === null)
    say('PUBLIC_URL is not set: this address is good only for phones in the same network, and is not encrypted.')
  say(`It works once, until ${expiresAt}. Waiting for the phone …`)
  return await connected(devices.states, row, Date.parse(expiresAt), say)
}

type States = ReturnType<typeof deviceService>['states']

async function connected(states: States, before: DeviceRow, untilMs: number, say: (text: string) => void) {
  for (;;) {
    const row = await states.row(before.id)
    if (!row) throw new Error('the device was removed')
    if (row.status === 'connected' && (before.status !== 'connected' || row.statusAt > before.statusAt)) {
      say('connected')
      return true
    }
    if (nowMs() > untilMs) {
      say('The code has expired; run this again for a new one.')
      return false
    }
    await sleep(LOOK_MS)
  }
}

async function onlyUser({ db }: Database): Promise<string> {
  const [user, other] = await db.selectFrom('users').select('id').where('removedAt', 'is', null).limit(2).execute()
  if (!user || other) throw new Error('which device? name it, or its owner by --user USER')
  return user.id
}
