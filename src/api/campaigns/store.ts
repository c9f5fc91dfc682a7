// Campaigns: the owner's records, with the number of contacts in each status.
import { contactStatuses } from '../../base/campaigns.ts'
import { now, nowAfter } from '../../base/clock.ts'
import { appError, found } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { KeyRing } from '../../base/secrets.ts'
import { requireVersion, type Target, withVersion } from '../../base/versions.ts'
import type { CampaignRow } from '../../db/campaign-rows.ts'
import type { Db, Trx } from '../../db/database.ts'
import { increment } from '../../db/increment.ts'
import { lockRow } from '../../db/lock-row.ts'
import { ownedRow, type PageRequest, requireOwned } from '../../db/owned.ts'
import { ownedList } from '../../db/owned-list.ts'
import { byColumn, byName } from '../../db/sorting.ts'
import { markWritten } from '../../db/write-once.ts'
import { eventWriter } from '../events/store.ts'
import {
  type Campaign,
  type CampaignPatch,
  type CampaignQuery,
  type ContactCounts,
  defaultPacing,
  defaultRetries,
  type NewCampaign,
  type SavedCampaign,
} from './schema.ts'

export type CampaignStore = ReturnType<typeof campaignStore>
/** A row with its counts, as lists read them. */
export type CountedCampaign = CampaignRow & { counts: ContactCounts }

/** Checks of a campaign against agents, trunks, devices and rules; throws with the field's name. */
export type CheckCampaign = (userId: string, campaign: CampaignRow) => Promise<void>

const MOST_OF_A_USER = 1000
const newSecret = () => `whsec_${crypto.getRandomValues(Buffer.alloc(24)).toString('base64')}`
/** These change what a contact was promised; they are fixed while it runs. */
const locked = [
  'agentId',
  'trunkId',
  'deviceId',
  'callerId',
  'defaultCountry',
  'rulesId',
  'disclosure',
  'predial',
] as const

export function campaignStore(db: Db, secrets: KeyRing, check: CheckCampaign) {
  const row = ownedRow(db, 'campaigns')
  const writeEvent = eventWriter(db)
  const list = ownedList(db, 'campaigns', {
    sorts: { name: byName('name'), createdAt: byColumn('createdAt'), updatedAt: byColumn('updatedAt') },
    searched: ['name'],
  })
  const place = (id: string, userId: string) => ({ table: 'campaigns', row: id, column: 'predialSecretSealed', userId })

  async function counted(rows: readonly CampaignRow[], on: Db | Trx = db): Promise<CountedCampaign[]> {
    if (rows.length === 0) return []
    const groups = await on
      .selectFrom('campaignContacts')
      .select(['campaignId', 'status', ({ fn }) => fn.countAll<number | string>().as('count')])
      .where(
        'campaignId',
        'in',
        rows.map(({ id }) => id),
      )
      .groupBy(['campaignId', 'status'])
      .execute()
    return rows.map((campaign) => {
      const counts = { ...noContacts }
      for (const { campaignId, status, count } of groups)
        if (campaignId === campaign.id) {
          counts[status] = Number(count)
          counts.total += Number(count)
        }
      return { ...campaign, counts }
    })
  }

  /** The new columns of `given`, and the secret of a webhook that is new. */
  function changes(before: CampaignRow, given: CampaignPatch): { set: Partial<CampaignRow>; secret: string | null } {
    const { schedule, pacing, retries, disclosure, predial, ...plain } = given
    const set: Partial<CampaignRow> = Object.fromEntries(
      Object.entries(plain).filter(([, value]) => value !== undefined),
    )
    if (plain.defaultCountry === null) set.defaultCountry = 'BR'
    if (plain.rulesId === null) set.rulesId = 'br-strict'
    if (schedule !== undefined) set.schedule = JSON.stringify(schedule ?? {})
    if (pacing !== undefined) set.pacing = JSON.stringify(pacing ?? defaultPacing)
    if (retries !== undefined) set.retries = JSON.stringify(retries ?? defaultRetries)
    if (disclosure !== undefined) set.disclosure = JSON.stringify(disclosure ?? { isOn: true })
    if (predial === undefined || (predial?.url ?? null) === before.predialUrl) return { set, secret: null }
    // A secret never follows a changed address.
    const secret = predial === null ? null : newSecret()
    set.predialUrl = predial?.url ?? null
    set.predialSecretSealed = secret === null ? null : secrets.seal(secret, place(before.id, before.userId))
    return { set, secret }
  }

  const told = async (
    trx: Trx,
    type: 'campaign.created' | 'campaign.updated',
    { id, name, agentId, status, userId }: CampaignRow,
  ) =>
    writeEvent(trx, {
      ...{ userId, type, callId: null, conversationId: null, agentId },
      data: { campaign: { id, name, agentId, status } },
    })

  return {
    at: (campaign: CountedCampaign, sort?: Parameters<typeof list.at>[1]) => list.at(campaign, sort),
    toRecord: toCampaign,

    async page(userId: string, { q, status, agentId }: CampaignQuery, page: PageRequest): Promise<CountedCampaign[]> {
      return counted(await list.page(userId, { q, where: { status, agentId } as Partial<CampaignRow> }, page))
    },

    row: async (userId: string, id: string): Promise<CampaignRow> => found('Campaign', await row(userId, id)),

    async get(userId: string, id: string): Promise<Campaign> {
      const [campaign] = await counted([found('Campaign', await row(userId, id))])
      return toCampaign(campaign as CountedCampaign)
    },

    async create(userId: string, input: NewCampaign): Promise<SavedCampaign> {
      const createdAt = now()
      const empty: CampaignRow = {
        ...{ id: newId('cmp'), userId, agentId: input.agentId, name: input.name, status: 'draft' },
        ...{ statusReason: null, statusDetail: null, trunkId: null, deviceId: null, callerId: null },
        ...{ defaultCountry: 'BR', schedule: '{}', pacing: JSON.stringify(defaultPacing) },
        ...{
          retries: JSON.stringify(defaultRetries),
          rulesId: 'br-strict',
          disclosure: JSON.stringify({ isOn: true }),
        },
        ...{ predialUrl: null, predialSecretSealed: null, columns: '[]', phoneColumn: null },
        ...{ createdAt, updatedAt: createdAt, startedAt: null, endedAt: null, rowVersion: 1 },
      }
      const { set, secret } = changes(empty, input)
      const stored: CampaignRow = { ...empty, ...set }
      await requireOwned(db, 'agents', userId, stored.agentId, 'Agent')
      await check(userId, stored)
      await db.inTransaction(async (trx) => {
        await lockRow(trx, 'users', { id: userId })
        const { count } = await trx
          .selectFrom('campaigns')
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .where('userId', '=', userId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= MOST_OF_A_USER) throw appError('campaign_limit', { limit: MOST_OF_A_USER })
        await markWritten(trx)
        await trx.insertInto('campaigns').values(stored).execute()
        await told(trx, 'campaign.created', stored)
      })
      return { ...toCampaign({ ...stored, counts: noContacts }), predialSecret: secret }
    },

    async update(userId: string, { id, ifMatch }: Target, patch: CampaignPatch): Promise<SavedCampaign> {
      const before = found('Campaign', await row(userId, id))
      await requireOwned(db, 'agents', userId, patch.agentId, 'Agent')
      await check(userId, { ...before, ...changes(before, patch).set })
      return db.inTransaction(async (trx) => {
        const current = found('Campaign', await lockRow(trx, 'campaigns', { userId, id }))
        requireVersion(current.rowVersion, ifMatch)
        if (current.status === 'completed' || current.status === 'canceled')
          throw appError('campaign_status', { status: current.status })
        const field = locked.find((name) => patch[name] !== undefined)
        if (field && current.status === 'running') throw appError('campaign_locked', { field })
        const { set, secret } = changes(current, patch)
        const stored = await trx
          .updateTable('campaigns')
          .set({ ...set, updatedAt: nowAfter(current.updatedAt), rowVersion: increment('rowVersion') })
          .where('userId', '=', userId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        await told(trx, 'campaign.updated', stored)
        const [campaign] = await counted([stored], trx)
        return { ...toCampaign(campaign as CountedCampaign), predialSecret: secret }
      })
    },

    async remove(userId: string, { id, ifMatch }: Target): Promise<Campaign> {
      return db.inTransaction(async (trx) => {
        const campaign = found('Campaign', await lockRow(trx, 'campaigns', { userId, id }))
        requireVersion(campaign.rowVersion, ifMatch)
        if (campaign.status === 'running' || campaign.status === 'scheduled')
          throw appError('campaign_status', { status: campaign.status })
        const [removed] = await counted([campaign], trx)
        await trx.deleteFrom('campaigns').where('userId', '=', userId).where('id', '=', id).execute()
        return toCampaign(removed as CountedCampaign)
      })
    },

    /** The secret that signs requests of the pre-dial webhook. */
    predialSecret: ({ id, userId, predialSecretSealed }: CampaignRow): string | null =>
      predialSecretSealed && secrets.open(predialSecretSealed, place(id, userId)),
  }
}

const noContacts: ContactCounts = {
  total: 0,
  ...(Object.fromEntries(contactStatuses.map((status) => [status, 0])) as Omit<ContactCounts, 'total'>),
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
