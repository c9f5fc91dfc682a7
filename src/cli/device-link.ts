// `ramal device link`: shows the QR code that links a phone, and waits until the phone is connected.
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyRing } from '../base/crypto/secrets.ts'
import { createLog, type Log } from '../base/process/log.ts'
import { qrTerminal } from '../base/qr.ts'
import { nowMs } from '../base/time/clock.ts'
import { linkWarning } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { DeviceRow } from '../db/tables.ts'
import { conversationStore } from '../features/conversations/store.ts'
import { deviceService } from '../features/devices/service.ts'
import { userStore } from '../features/users/store.ts'
import { memoryRateLimiter } from '../http/rate-limit.ts'
import type { Command } from './command.ts'

export const deviceLink: Command = {
  usage: 'device link [DEVICE] [--user USER]',
  summary: 'Show a QR code that sets up a phone, and wait until it is connected',
  async run({ config, database, subject, options, secrets, masterKeys, print }) {
    const userId = options.user && (await userStore(database.db).get(options.user)).id
    const [masterKey = ''] = masterKeys()
    const log = createLog('warn', process.stderr)
    const hasColors = process.stdout.isTTY === true
    const parts = { config, database, secrets: secrets(), masterKey, log, print, hasColors }
    return linkDevice(parts, { name: subject, userId })
  },
}

type LinkParts = {
  config: Config
  database: Database
  secrets: KeyRing
  masterKey: string
  log: Log
  print: (line: string) => void
  hasColors: boolean
}

const POLL_MS = 500

/** True when the phone connected. `name` is a device's id, short id or token; without it, the user's device is used or provisioned. */
async function linkDevice(
  { config, database, secrets, masterKey, log, print, hasColors }: LinkParts,
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
  print(await qrTerminal(text, hasColors))
  print(`${row.name ?? row.deviceId}: scan this with Linphone (assistant, fetch remote configuration), or open there:`)
  print(text)
  const warning = row.driver === 'embedded' ? linkWarning(config) : null
  if (warning) print(warning)
  else if (config.http.publicUrl === null)
    print('PUBLIC_URL is not set: this address works only for phones in the same network, and is not encrypted.')
  print(`It works once, until ${expiresAt}. Waiting for the phone…`)
  return await connected(devices.states, row, Date.parse(expiresAt), print)
}

type States = ReturnType<typeof deviceService>['states']

async function connected(states: States, before: DeviceRow, untilMs: number, print: (line: string) => void) {
  for (;;) {
    const row = await states.row(before.id)
    if (!row) throw new Error('the device was removed')
    if (row.status === 'connected' && (before.status !== 'connected' || row.statusAt > before.statusAt)) {
      print('connected')
      return true
    }
    if (nowMs() > untilMs) {
      print('The code has expired; run this again for a new one.')
      return false
    }
    await sleep(POLL_MS)
  }
}

async function onlyUser({ db }: Database): Promise<string> {
  const [user, other] = await db.selectFrom('users').select('id').where('removedAt', 'is', null).limit(2).execute()
  if (!user || other) throw new Error('there are several users: name the device, or its owner with --user USER')
  return user.id
}
