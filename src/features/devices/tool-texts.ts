// Texts that tools send from a device: immediately, and only once per key.
import type { AppError } from '../../base/errors/errors.ts'
import type { Db } from '../../db/database.ts'
import type { DeviceRow } from '../../db/tables.ts'
import type { GatewayService } from './gateways.ts'
import { SELF } from './linphone/driver.ts'
import type { DeviceTexts } from './text-queue.ts'

type ToolText = {
  userId: string
  /** An id, a short id or a token. Null with only `channel` set: the user's first device of that network. */
  deviceId: string | null
  channel: 'sms' | 'whatsapp' | null
  /** Null for the device's own phone, if this is its call. */
  to: string | null
  callId: string | null
  text: string
  from: string | null
  key: string
}
/** Counts a text of this device; returns the error if the budget is used up. */
export type TextBudget = (device: DeviceRow) => Promise<AppError | undefined>
type ToolTextResult = { ok: boolean; detail: string; isDoubtful?: boolean; overBudget?: AppError }
type ToolTextParts = { db: Db; texts: DeviceTexts; service: GatewayService; spend: TextBudget }

const SEND_LEASE_MS = 120_000

export function toolTexts({ db, texts, service, spend }: ToolTextParts) {
  /** The phone calling from this device has no number and needs none. */
  async function ownPhone({ userId, callId }: ToolText, device: DeviceRow): Promise<string | null> {
    if (callId === null || device.driver !== 'embedded') return null
    const calls = db.selectFrom('calls').select('id').where('userId', '=', userId).where('id', '=', callId)
    return (await calls.where('deviceId', '=', device.id).executeTakeFirst()) ? SELF : null
  }

  async function deviceFor({ userId, deviceId, channel }: ToolText): Promise<DeviceRow | undefined> {
    const own = db.selectFrom('devices').selectAll().where('userId', '=', userId)
    const named = (name: string) =>
      own.where((where) => where.or((['id', 'deviceId', 'token'] as const).map((column) => where(column, '=', name))))
    const all = deviceId === null ? own : named(deviceId)
    if (channel !== 'whatsapp') return deviceId === null ? undefined : all.executeTakeFirst()
    const rows = await all.where('driver', '!=', 'embedded').orderBy('createdAt').execute()
    return rows.find(({ status }) => status === 'connected') ?? rows[0]
  }

  /** Returns the outcome. A key is sent only once. */
  return async (asked: ToolText): Promise<ToolTextResult> => {
    const device = await deviceFor(asked)
    if (!device) return { ok: false, detail: 'there is no such device' }
    const problem = whyNotSent(device)
    if (problem) return { ok: false, detail: problem }
    const { userId, text, from, key } = asked
    const to = asked.to ?? (await ownPhone(asked, device))
    if (to === null)
      return { ok: false, detail: 'the number of the one in the call is not known, and the call is of another device' }
    const overBudget = await spend(device)
    if (overBudget) return { ok: false, detail: overBudget.message, overBudget }
    const row = { userId, deviceId: device.id, key, peer: to, own: from, text }
    const begun = await texts.begin(row, SEND_LEASE_MS)
    if (!begun) return { ok: false, detail: 'it was sent before', isDoubtful: true }
    const sent = await service.sendText(device, to, text, begun.id, from)
    const status = sent.ok ? 'sent' : sent.isDoubtful ? 'in_doubt' : 'failed'
    await texts.finish(begun, { status, ...(sent.ok ? { externalId: sent.externalId } : { error: sent.error }) })
    if (sent.ok) return { ok: true, detail: 'delivered' }
    return { ok: false, detail: sent.error, ...(sent.isDoubtful ? { isDoubtful: true } : {}) }
  }
}

/** Embedded phones are reachable by their registration; devices of other networks must be connected. */
export function whyNotSent({ status, driver }: DeviceRow): string | undefined {
  if (status === 'disabled') return 'the device is disabled'
  return driver === 'embedded' || status === 'connected' ? undefined : 'the device is not connected'
}
