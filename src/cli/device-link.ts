// `ramal device link`: shows the QR code that links a phone, and waits until the phone is connected.
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../base/process/log.ts'
import { qrTerminal } from '../base/qr.ts'
import { nowMs } from '../base/time/clock.ts'
import { linkWarning } from '../config/addresses.ts'
import type { Db } from '../db/database.ts'
import type { DeviceRow } from '../db/tables.ts'
import { conversationStore } from '../features/conversations/store.ts'
import { deviceService } from '../features/devices/service.ts'
import { userStore } from '../features/users/store.ts'
import { memoryRateLimiter } from '../http/rate-limit.ts'
import type { Command, CommandContext } from './command.ts'

export const deviceLink: Command = {
  usage: 'device link [DEVICE] [--user USER]',
  summary: 'Show a QR code that sets up a phone, and wait until it is connected',
  run: linkDevice,
}

const POLL_MS = 500

/** True when the phone connected. DEVICE is an id, short id or token; without it, the user's device is used or provisioned. */
async function linkDevice(command: CommandContext): Promise<boolean> {
  const { config, database, subject: name, options, print } = command
  const { db } = database
  const userId = options.user && (await userStore(db).get(options.user)).id
  const [masterKey = ''] = command.masterKeys()
  const log = createLog('warn', process.stderr)
  const secrets = command.secrets()
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
    const owner = userId || (await onlyUser(db))
    const { deviceUuid } = await devices.actions.provision(owner)
    return devices.states.row(deviceUuid)
  }

  const row = await deviceRow()
  if (!row || (userId && row.userId !== userId)) throw new Error(`there is no device ${name}`)
  const { text, expiresAt } = await devices.linkCode(row)
  print(await qrTerminal(text, process.stdout.isTTY === true))
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

async function onlyUser(db: Db): Promise<string> {
  const [user, other] = await db.selectFrom('users').select('id').where('removedAt', 'is', null).limit(2).execute()
  if (!user || other) throw new Error('there are several users: name the device, or its owner with --user USER')
  return user.id
}
