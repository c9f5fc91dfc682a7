// Webhooks and their signing secrets. delivery-queue.ts advances their read position in the events.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import { newSecret } from '../../base/crypto/webhook-signature.ts'
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { DAY_MS, now, nowAfter, nowMs, toIso } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { WebhookRow } from '../../db/event-rows.ts'
import { increment } from '../../db/increment.ts'
import { lockRow } from '../../db/lock-row.ts'
import { countOwned, ownedPage, ownedRow, requireOwned } from '../../db/owned.ts'
import { bit, fromJson, toJson } from '../../db/tables.ts'
import { markWritten } from '../../db/write-once.ts'
import type { CreatedWebhook, NewWebhook, Webhook, WebhookPatch } from './schema.ts'

export type WebhookStore = ReturnType<typeof webhookStore>

const MAX_PER_USER = 50
/** After a rotation, the old secret also signs for this long, so that the receiver can switch. */
const OLD_SECRET_MS = DAY_MS

/** Why this URL can never be called; null if only a delivery can tell. */
export type RefusalFor = (url: string) => string | null

export function webhookStore(db: Db, secrets: KeyRing, refusalFor: RefusalFor = () => null) {
  const row = ownedRow(db, 'webhooks')
  const place = ({ id, userId }: Pick<WebhookRow, 'id' | 'userId'>, column: string) => ({
    table: 'webhooks',
    row: id,
    column,
    userId,
  })
  const seal = (hook: Pick<WebhookRow, 'id' | 'userId'>, column: string, secret: string) =>
    secrets.seal(secret, place(hook, column))
  const locked = async (trx: Trx, userId: string, id: string): Promise<WebhookRow> =>
    found('Webhook', await lockRow(trx, 'webhooks', { userId, id }))
  const write = (trx: Trx, hook: WebhookRow) =>
    trx.updateTable('webhooks').set(hook).where('userId', '=', hook.userId).where('id', '=', hook.id).execute()

  return {
    page: ownedPage(db, 'webhooks'),
    row,

    async get(userId: string, id: string): Promise<Webhook> {
      return toWebhook(found('Webhook', await row(userId, id)))
    },

    /** Secrets for signing only, newest first. */
    secretsOf(hook: WebhookRow): string[] {
      const isOldGood = hook.oldSecretSealed !== null && (hook.oldSecretUntil ?? '') > now()
      return [
        secrets.open(hook.secretSealed, place(hook, 'secretSealed')),
        ...(isOldGood ? [secrets.open(hook.oldSecretSealed as string, place(hook, 'oldSecretSealed'))] : []),
      ]
    },

    async create(userId: string, input: NewWebhook): Promise<CreatedWebhook> {
      const id = newId('whk')
      const secret = newSecret()
      const createdAt = now()
      checkUrl(input.url, refusalFor)
      return db.inTransaction(async (trx) => {
        for (const agentId of input.agentIds ?? []) await requireOwned(trx, 'agents', userId, agentId, 'Agent')
        if ((await countOwned(trx, 'webhooks', userId)) >= MAX_PER_USER)
          throw appError('webhook_limit', { limit: MAX_PER_USER })
        const hook: WebhookRow = {
          id,
          userId,
          url: input.url,
          events: JSON.stringify([...new Set(input.events ?? ['*'])]),
          agentIds: toJson(input.agentIds),
          deviceId: null,
          description: input.description ?? null,
          isActive: bit(input.isActive ?? true),
          secretSealed: seal({ id, userId }, 'secretSealed', secret),
          oldSecretSealed: null,
          oldSecretUntil: null,
          readUpTo: await lastSequence(trx, userId),
          createdAt,
          updatedAt: createdAt,
        }
        await markWritten(trx)
        await trx.insertInto('webhooks').values(hook).execute()
        await audit(trx, { kind: 'webhook', after: hook })
        return withVersion({ ...toWebhook(hook), secret })
      })
    },

    async update(userId: string, { id, ifMatch }: Target, patch: WebhookPatch): Promise<Webhook> {
      if (patch.url !== undefined) checkUrl(patch.url, refusalFor)
      return db.inTransaction(async (trx) => {
        const before = await locked(trx, userId, id)
        requireVersion(before.rowVersion, ifMatch)
        if (Object.keys(patch).length === 0) return toWebhook(before)
        if (before.deviceId !== null && (patch.url ?? before.url) !== before.url) throw followsDevice()
        for (const agentId of patch.agentIds ?? []) await requireOwned(trx, 'agents', userId, agentId, 'Agent')
        const rowVersion = (before.rowVersion ?? 1) + 1
        const after: WebhookRow = { ...before, updatedAt: nowAfter(before.updatedAt), rowVersion }
        if (patch.url !== undefined) after.url = patch.url
        if (patch.events !== undefined) after.events = JSON.stringify([...new Set(patch.events)])
        if (patch.agentIds !== undefined) after.agentIds = toJson(patch.agentIds)
        if (patch.description !== undefined) after.description = patch.description
        if (patch.isActive !== undefined) after.isActive = bit(patch.isActive)
        // Events from the time it was inactive are not sent.
        if (after.isActive && !before.isActive) after.readUpTo = await lastSequence(trx, userId)
        await write(trx, after)
        await audit(trx, { kind: 'webhook', before, after })
        return toWebhook(after)
      })
    },

    async rotateSecret(userId: string, id: string): Promise<CreatedWebhook> {
      const secret = newSecret()
      return db.inTransaction(async (trx) => {
        const before = await locked(trx, userId, id)
        const old = secrets.open(before.secretSealed, place(before, 'secretSealed'))
        const after: WebhookRow = {
          ...before,
          secretSealed: seal(before, 'secretSealed', secret),
          oldSecretSealed: seal(before, 'oldSecretSealed', old),
          oldSecretUntil: toIso(nowMs() + OLD_SECRET_MS),
          updatedAt: nowAfter(before.updatedAt),
        }
        await write(trx, after)
        await audit(trx, { kind: 'webhook', action: 'secret_rotated', userId, id })
        return { ...toWebhook(after), secret }
      })
    },

    /** The receiver answered 410 Gone. */
    async deactivate(userId: string, id: string): Promise<void> {
      await db
        .updateTable('webhooks')
        .set({ isActive: 0, updatedAt: now(), rowVersion: increment('rowVersion') })
        .where('userId', '=', userId)
        .where('id', '=', id)
        .execute()
    },

    remove(userId: string, { id, ifMatch }: Target): Promise<Webhook> {
      return db.inTransaction(async (trx) => {
        const hook = await locked(trx, userId, id)
        if (hook.deviceId !== null) throw followsDevice()
        requireVersion(hook.rowVersion, ifMatch)
        await trx.deleteFrom('webhooks').where('userId', '=', userId).where('id', '=', id).execute()
        await audit(trx, { kind: 'webhook', before: hook })
        return toWebhook(hook)
      })
    },
  }
}

/** The sequence of the user's last event. */
export async function lastSequence(trx: Trx, userId: string): Promise<number> {
  const row = await trx.selectFrom('eventCounters').select('last').where('userId', '=', userId).executeTakeFirst()
  return row?.last ?? 0
}

const followsDevice = () => appError('webhook_of_device')

function checkUrl(url: string, refusalFor: RefusalFor): void {
  if (!URL.canParse(url)) throw appError('webhook_url_invalid')
  const refusal = refusalFor(url)
  if (refusal !== null) throw appError('webhook_url_refused', { reason: refusal })
}

export function toWebhook(row: WebhookRow): Webhook {
  const { userId, secretSealed, oldSecretSealed, oldSecretUntil, readUpTo, rowVersion, ...hook } = row
  const webhook: Webhook = {
    ...hook,
    events: JSON.parse(row.events),
    agentIds: fromJson(row.agentIds),
    isActive: row.isActive === 1,
  }
  return withVersion(webhook, rowVersion)
}
