// Campaign records of the owner, with the number of contacts in each status.

import type { KeyRing } from '../../base/crypto/secrets.ts'
import { newSecret } from '../../base/crypto/webhook-signature.ts'
import { appError, found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now, nowAfter, toIso } from '../../base/time/clock.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import { audit } from '../../db/audit.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { countOwned, ownedRow, type PageRequest, requireOwned } from '../../db/owned.ts'
import { ownedList } from '../../db/owned-list.ts'
import { byColumn, byName } from '../../db/sorting.ts'
import { markWritten } from '../../db/write-once.ts'
import { type CountedCampaign, contactCounts, noContacts, withCounts } from './count-store.ts'
import {
  type Campaign,
  type CampaignPatch,
  type CampaignQuery,
  defaultPacing,
  defaultRetries,
  type NewCampaign,
  type SavedCampaign,
  type Schedule,
} from './schema.ts'

export type CampaignStore = ReturnType<typeof campaignStore>

/**
 * Checks the changed fields of a campaign against agents, trunks, devices and rules; throws an error that names the
 * field.
 */
export type CheckCampaign = (
  on: Db | Trx,
  campaign: CampaignRow,
  fields: readonly (keyof CampaignPatch)[],
) => Promise<void>

const MAX_PER_USER = 1000
/** These affect what a contact was promised, so they are fixed while the campaign runs. */
const locked = {
  agentId: 'agentId',
  trunkId: 'trunkId',
  deviceId: 'deviceId',
  callerId: 'callerId',
  defaultCountry: 'defaultCountry',
  rulesId: 'rulesId',
  disclosure: 'disclosure',
  predialUrl: 'predial',
} as const satisfies Partial<Record<keyof CampaignRow, keyof CampaignPatch>>

export function campaignStore(db: Db, secrets: KeyRing, check: CheckCampaign) {
  const row = ownedRow(db, 'campaigns')
  const writeEvent = eventWriter(db)
  const list = ownedList(db, 'campaigns', {
    sorts: { name: byName('name'), createdAt: byColumn('createdAt'), updatedAt: byColumn('updatedAt') },
    searched: ['name'],
  })

  return {
    at: (campaign: CountedCampaign, sort?: Parameters<typeof list.at>[1]) => list.at(campaign, sort),
    toRecord: toCampaign,

    async page(userId: string, { q, status, agentId }: CampaignQuery, page: PageRequest): Promise<CountedCampaign[]> {
      const where: Partial<CampaignRow> = { ...(status ? { status } : {}), ...(agentId ? { agentId } : {}) }
      return withCounts(db, await list.page(userId, { q, where }, page))
    },

    row: async (userId: string, id: string): Promise<CampaignRow> => found('Campaign', await row(userId, id)),

    async get(userId: string, id: string): Promise<Campaign> {
      const campaign = found('Campaign', await row(userId, id))
      return toCampaign({ ...campaign, counts: await contactCounts(db, campaign) })
    },

    async create(userId: string, input: NewCampaign): Promise<SavedCampaign> {
      const empty = emptyCampaign(userId, input)
      const { set, secret } = changes(secrets, empty, input)
      const stored: CampaignRow = { ...empty, ...set }
      await db.inTransaction(async (trx) => {
        await lockRow(trx, 'users', { id: userId })
        await requireOwned(trx, 'agents', userId, stored.agentId, 'Agent')
        await check(trx, stored, allFields)
        if ((await countOwned(trx, 'campaigns', userId)) >= MAX_PER_USER)
          throw appError('campaign_limit', { limit: MAX_PER_USER })
        await markWritten(trx)
        await trx.insertInto('campaigns').values(stored).execute()
        await audit(trx, { kind: 'campaign', after: stored })
        await told(writeEvent, trx, 'campaign.created', stored)
      })
      return withVersion({ ...toCampaign({ ...stored, counts: noContacts }), predialSecret: secret })
    },

    update: (userId: string, target: Target, patch: CampaignPatch): Promise<SavedCampaign> =>
      db.inTransaction((trx) => update(trx, { secrets, check, writeEvent }, { userId, target, patch })),

    /** Hides the campaign at once; its contacts, rows and attempts are erased in batches (db/campaign-erasure.ts). */
    remove(userId: string, { id, ifMatch }: Target): Promise<Campaign> {
      return db.inTransaction(async (trx) => {
        const campaign = await lockCampaign(trx, userId, id)
        requireVersion(campaign.rowVersion, ifMatch)
        if (campaign.status === 'running' || campaign.status === 'scheduled')
          throw appError('campaign_status', { status: campaign.status })
        const counts = await contactCounts(trx, campaign)
        if (counts.calling > 0) throw appError('campaign_calls_live')
        const endedAt = campaign.endedAt ?? now()
        await trx
          .updateTable('campaigns')
          // A campaign that never ended becomes canceled, so that it no longer uses its rules.
          .set({ removedAt: now(), endedAt, ...(campaign.endedAt === null ? { status: 'canceled' as const } : {}) })
          .where('userId', '=', userId)
          .where('id', '=', id)
          .execute()
        await audit(trx, { kind: 'campaign', before: campaign })
        return toCampaign({ ...campaign, counts })
      })
    },

    /** The secret that signs requests of the pre-dial webhook. */
    predialSecret: ({ id, userId, predialSecretSealed }: CampaignRow): string | null =>
      predialSecretSealed && secrets.open(predialSecretSealed, place(id, userId)),
  }
}

type UpdateParts = { secrets: KeyRing; check: CheckCampaign; writeEvent: WriteEvent }
type Update = { userId: string; target: Target; patch: CampaignPatch }

async function update(
  trx: Trx,
  { secrets, check, writeEvent }: UpdateParts,
  { userId, target: { id, ifMatch }, patch }: Update,
): Promise<SavedCampaign> {
  const current = await lockCampaign(trx, userId, id)
  requireVersion(current.rowVersion, ifMatch)
  const fields = Object.keys(patch) as (keyof CampaignPatch)[]
  const saved = async (campaign: CampaignRow, predialSecret: string | null) => {
    const record = toCampaign({ ...campaign, counts: await contactCounts(trx, campaign) })
    return withVersion({ ...record, predialSecret }, campaign.rowVersion)
  }
  if (fields.length === 0) return saved(current, null)
  if (current.status === 'completed' || current.status === 'canceled')
    throw appError('campaign_status', { status: current.status })
  const { set, secret } = changes(secrets, current, patch)
  const fixed = Object.entries(locked).find(
    ([column]) => column in set && set[column as keyof CampaignRow] !== current[column as keyof CampaignRow],
  )
  if (fixed && current.status === 'running') throw appError('campaign_locked', { field: fixed[1] })
  await requireOwned(trx, 'agents', userId, patch.agentId, 'Agent')
  await check(trx, { ...current, ...set }, fields)
  const stored = await trx
    .updateTable('campaigns')
    .set({ ...set, updatedAt: nowAfter(current.updatedAt), rowVersion: increment('rowVersion') })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const record = await saved(stored, secret)
  await audit(trx, { kind: 'campaign', before: current, after: stored })
  await told(writeEvent, trx, 'campaign.updated', stored)
  return record
}

const told = async (
  writeEvent: WriteEvent,
  trx: Trx,
  type: 'campaign.created' | 'campaign.updated',
  { id, name, agentId, status, userId }: CampaignRow,
) =>
  writeEvent(trx, {
    userId,
    type,
    agentId,
    data: { campaign: { id, name, agentId, status } },
  })

const place = (id: string, userId: string) => ({ table: 'campaigns', row: id, column: 'predialSecretSealed', userId })

/** The columns changed by `given`, and a secret if the webhook is new. */
function changes(
  secrets: KeyRing,
  before: CampaignRow,
  given: CampaignPatch,
): { set: Partial<CampaignRow>; secret: string | null } {
  const { schedule, pacing, retries, disclosure, predial, ...plain } = given
  const set: Partial<CampaignRow> = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  if (plain.defaultCountry === null) set.defaultCountry = 'BR'
  if (plain.rulesId === null) set.rulesId = 'br-strict'
  if (schedule !== undefined) set.schedule = JSON.stringify(plainSchedule(schedule ?? {}))
  if (pacing !== undefined) set.pacing = JSON.stringify(pacing ?? defaultPacing)
  if (retries !== undefined) set.retries = JSON.stringify(retries ?? defaultRetries)
  if (disclosure !== undefined) set.disclosure = JSON.stringify(disclosure ?? { isOn: true })
  if (predial === undefined || (predial?.url ?? null) === before.predialUrl) return { set, secret: null }
  // A changed address never inherits the secret.
  const secret = predial === null ? null : newSecret()
  set.predialUrl = predial?.url ?? null
  set.predialSecretSealed = secret === null ? null : secrets.seal(secret, place(before.id, before.userId))
  return { set, secret }
}

function emptyCampaign(userId: string, { agentId, name }: NewCampaign): CampaignRow {
  const createdAt = now()
  return {
    id: newId('cmp'),
    userId,
    agentId,
    name,
    status: 'draft',
    statusReason: null,
    statusDetail: null,
    trunkId: null,
    deviceId: null,
    callerId: null,
    defaultCountry: 'BR',
    schedule: '{}',
    pacing: JSON.stringify(defaultPacing),
    retries: JSON.stringify(defaultRetries),
    rulesId: 'br-strict',
    disclosure: JSON.stringify({ isOn: true }),
    predialUrl: null,
    predialSecretSealed: null,
    columns: '[]',
    phoneColumn: null,
    createdAt,
    updatedAt: createdAt,
    startedAt: null,
    endedAt: null,
    removedAt: null,
    rowVersion: 1,
    resumedAt: null,
  }
}

const allFields: readonly (keyof CampaignPatch)[] = [
  ...Object.values(locked),
  ...(['name', 'schedule', 'pacing', 'retries'] as const),
]

/** Locks the campaign until the transaction ends; 404 if the user has none with this id. */
export async function lockCampaign(trx: Trx, userId: string, id: string): Promise<CampaignRow> {
  const campaign = await lockRow(trx, 'campaigns', { userId, id })
  return found('Campaign', campaign?.removedAt === null ? campaign : undefined)
}

/** Times in UTC, so that they compare as text. */
function plainSchedule({ startAt, endAt, windows }: Schedule): Schedule {
  const utc = (text: string | null | undefined) => (text ? toIso(Date.parse(text)) : null)
  return { startAt: utc(startAt), endAt: utc(endAt), windows: windows ?? null }
}

export function toCampaign(stored: CountedCampaign): Campaign {
  const {
    userId,
    counts,
    schedule,
    pacing,
    retries,
    disclosure,
    predialUrl,
    predialSecretSealed,
    columns,
    rowVersion,
    resumedAt,
    removedAt,
    ...row
  } = stored
  return withVersion(
    {
      ...row,
      schedule: JSON.parse(schedule),
      pacing: JSON.parse(pacing),
      retries: JSON.parse(retries),
      disclosure: JSON.parse(disclosure),
      predial: predialUrl === null ? null : { url: predialUrl },
      columns: JSON.parse(columns),
      contacts: counts,
    },
    rowVersion,
  )
}
