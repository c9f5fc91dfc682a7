// Call-backs that a contact requested: one further attempt at that time, withdrawn if the request is closed first.
import type { CampaignContactRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { fromJson } from '../../db/tables.ts'
import type { CallbackStore } from '../callbacks/store.ts'

type DueContact = Pick<CampaignContactRow, 'userId' | 'dueReason'>

const callbackIdOf = ({ dueReason }: DueContact): string | null => {
  const { callbackId } = fromJson<{ callbackId?: unknown }>(dueReason) ?? {}
  return typeof callbackId === 'string' ? callbackId : null
}

/** The call-back requested in this call, if still open: when its contact is due again, and why. */
export async function dueCallback(
  on: Db | Trx,
  { userId, callId }: { userId: string; callId: string },
): Promise<{ dueAt: string; dueReason: string } | null> {
  const asked = await on
    .selectFrom('callbacks')
    .select(['id', 'dueAt'])
    .where('userId', '=', userId)
    .where('callId', '=', callId)
    .where('reason', '=', 'requested')
    .where('status', '=', 'open')
    .where('dueAt', 'is not', null)
    .executeTakeFirst()
  return asked?.dueAt ? { dueAt: asked.dueAt, dueReason: JSON.stringify({ callbackId: asked.id }) } : null
}

/** Whether the contact may be called; false if it is due for a call-back that was canceled, closed or deleted. */
export async function callbackAllows(on: Db | Trx, contact: DueContact): Promise<boolean> {
  const id = callbackIdOf(contact)
  if (id === null) return true
  const { userId } = contact
  const row = await on
    .selectFrom('callbacks')
    .select('status')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.status === 'open'
}

/** The contact was reached: marks the call-back request it was due for, if any, as done. */
export async function finishCallback(
  trx: Trx,
  contact: DueContact,
  callbacks: Pick<CallbackStore, 'closeIn'>,
): Promise<void> {
  const id = callbackIdOf(contact)
  if (id !== null) await callbacks.closeIn(trx, contact.userId, id)
}
