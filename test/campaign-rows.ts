// Inserts campaigns, contacts and attempts into the database as the code that writes them would.
import { newId } from '../src/base/ids.ts'
import type { CampaignAttemptRow, CampaignContactRow, CampaignRow } from '../src/db/campaign-rows.ts'
import type { Db } from '../src/db/database.ts'
import type { HashNumber } from '../src/db/number-hash.ts'

/** A running campaign without time limits. */
export async function putCampaign(
  db: Db,
  campaign: Pick<CampaignRow, 'userId' | 'agentId'> & Partial<CampaignRow>,
): Promise<CampaignRow> {
  const createdAt = new Date().toISOString()
  const row: CampaignRow = {
    id: newId('cmp'),
    name: 'Confirmação',
    status: 'running',
    statusReason: null,
    statusDetail: null,
    trunkId: null,
    deviceId: null,
    callerId: null,
    defaultCountry: 'BR',
    rulesId: 'international',
    schedule: JSON.stringify({ startAt: null, endAt: null, windows: null }),
    pacing: JSON.stringify({ maxConcurrentCalls: 5, callsPerSecond: 1 }),
    retries: JSON.stringify({ maxAttempts: 3, rules: [], otherTimeOfDay: false }),
    disclosure: JSON.stringify({ isOn: true, text: null }),
    predialUrl: null,
    predialSecretSealed: null,
    columns: '[]',
    phoneColumn: null,
    createdAt,
    updatedAt: createdAt,
    startedAt: createdAt,
    endedAt: null,
    removedAt: null,
    ...campaign,
  }
  await db.insertInto('campaigns').values(row).execute()
  return row
}

export async function putContact(
  db: Db,
  {
    hashNumber,
    ...contact
  }: Pick<CampaignContactRow, 'userId' | 'campaignId' | 'phoneNumber'> &
    Partial<CampaignContactRow> & { hashNumber: HashNumber },
): Promise<CampaignContactRow> {
  const createdAt = new Date().toISOString()
  const row: CampaignContactRow = {
    id: newId('cct'),
    numberHash: hashNumber(contact.phoneNumber),
    variables: '{}',
    status: 'waiting',
    outcome: null,
    tries: 0,
    dueAt: createdAt,
    dueReason: null,
    hasVoicemail: 0,
    createdAt,
    updatedAt: createdAt,
    ...contact,
  }
  await db.insertInto('campaignContacts').values(row).execute()
  return row
}

/** An attempt with an existing call. */
export async function putAttempt(
  db: Db,
  contact: CampaignContactRow,
  attempt: Partial<CampaignAttemptRow> = {},
): Promise<CampaignAttemptRow> {
  const createdAt = new Date().toISOString()
  const { id: contactId, userId, campaignId, phoneNumber, numberHash } = contact
  const row: CampaignAttemptRow = {
    id: newId('cat'),
    userId,
    campaignId,
    contactId,
    phoneNumber,
    numberHash,
    tryNumber: 1,
    status: 'dialing',
    outcome: null,
    detail: null,
    callerId: null,
    callId: null,
    decision: '{}',
    nodeId: null,
    leaseUntil: createdAt,
    talkSeconds: null,
    createdAt,
    dialedAt: createdAt,
    endedAt: null,
    ...attempt,
  }
  await db.insertInto('campaignAttempts').values(row).execute()
  return row
}
