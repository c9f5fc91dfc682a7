// Claims per second in the attempt ledger on a database of its own: lock, pacing, suppression, rules and the row, as on
// a node.

import { newId } from '../../src/base/ids.ts'
import { now } from '../../src/base/time/clock.ts'
import type { DatabaseConfig } from '../../src/config/config.ts'
import type { CampaignContactRow, CampaignRow } from '../../src/db/campaign-rows.ts'
import { type Db, openDatabase } from '../../src/db/database.ts'
import { agentStore } from '../../src/features/agents/store.ts'
import { claimer } from '../../src/features/campaigns/claim.ts'
import { defaultRetries } from '../../src/features/campaigns/schema.ts'
import { suppressionStore } from '../../src/features/suppressions/store.ts'
import { userStore } from '../../src/features/users/store.ts'
import { dialPolicy } from '../../src/phone/dial-policy.ts'
import { nextAttempt, partOfDay } from '../../src/rule-packs/next-attempt.ts'
import { calleeOf, isServiceNumber } from '../../src/rule-packs/number.ts'
import { anyTime } from '../../test/any-time-rules.ts'

export type ClaimRate = { perSecond: number[]; claims: number; nodes: number }

/** Attempts in progress during the measurement. They are ended outside the measured time, as calls would end. */
const UNDER_WAY = 20
const SUPPRESSED = 1000

/** `nodes`: claimers, each with a connection of its own on PostgreSQL. */
export async function measureClaims(
  config: DatabaseConfig,
  { claims, repeats, nodes }: { claims: number; repeats: number; nodes: number },
): Promise<ClaimRate> {
  const databases = await Promise.all(Array.from({ length: nodes }, () => openDatabase(config, () => {})))
  try {
    const [first] = databases
    if (!first) throw new Error('no node')
    const { userId, campaignId } = await seed(first.db, claims * (repeats + 1))
    const claimOf = databases.map(({ db }, i) =>
      claimer({
        db,
        nodeId: `node-${i}`,
        share: 1,
        rules: {
          packOf: async () => ({ pack: anyTime }),
          nextAttempt,
          calleeOf,
          isService: isServiceNumber,
          partOfDay,
        },
        suppressions: suppressionStore(db, hashOf),
        dialPolicy: dialPolicy([]),
        callBudget: { leftIn: async () => null },
        userPace: { maxConcurrentCalls: 1_000_000, callsPerSecond: 1_000_000 },
      }),
    )
    const perSecond: number[] = []
    const claimed = new Set<string>()
    for (let run = 0; run <= repeats; run++) {
      let left = claims
      let tookMs = 0
      while (left > 0) {
        const batch = Math.min(UNDER_WAY, left)
        left -= batch
        const startedAt = performance.now()
        await Promise.all(
          claimOf.map(async (claim, i) => {
            for (let n = i; n < batch; n += claimOf.length) {
              const result = await claim(userId, campaignId)
              if (!('attempt' in result)) throw new Error(`nothing was claimed: ${JSON.stringify(result)}`)
              if (claimed.has(result.attempt.contactId)) throw new Error('a contact was claimed twice')
              claimed.add(result.attempt.contactId)
            }
          }),
        )
        tookMs += performance.now() - startedAt
        await endAttempts(first.db, campaignId)
      }
      // The first run is a warm-up.
      if (run > 0) perSecond.push(claims / (tookMs / 1000))
    }
    if (claimed.size !== claims * (repeats + 1)) throw new Error(`${claimed.size} contacts were claimed`)
    return { perSecond, claims, nodes }
  } finally {
    await Promise.all(databases.map((database) => database.close()))
  }
}

const hashOf = (number: string) => `hash ${number}`

async function endAttempts(db: Db, campaignId: string): Promise<void> {
  const ended = { status: 'ended' as const, outcome: 'busy' as const, endedAt: now() }
  await db
    .updateTable('campaignAttempts')
    .set(ended)
    .where('campaignId', '=', campaignId)
    .where('status', '=', 'claimed')
    .execute()
  await db
    .updateTable('campaignContacts')
    .set({ status: 'exhausted' })
    .where('campaignId', '=', campaignId)
    .where('status', '=', 'calling')
    .execute()
}

/** Creates a running campaign with this many due contacts, and a user with suppressed numbers. */
async function seed(db: Db, contacts: number): Promise<{ userId: string; campaignId: string }> {
  const { id: userId } = await userStore(db).create(`bench ${newId('usr')}`)
  const { id: agentId } = await agentStore(db).create(userId, { name: 'Ana', systemPrompt: 'x' })
  const at = now()
  const campaign: CampaignRow = {
    id: newId('cmp'),
    userId,
    agentId,
    name: 'bench',
    status: 'running',
    statusReason: null,
    statusDetail: null,
    trunkId: null,
    deviceId: null,
    callerId: null,
    defaultCountry: 'BR',
    schedule: '{}',
    pacing: JSON.stringify({ maxConcurrentCalls: 1_000_000, callsPerSecond: 1_000_000 }),
    retries: JSON.stringify(defaultRetries),
    rulesId: 'any-time',
    disclosure: '{"isOn":true}',
    predialUrl: null,
    predialSecretSealed: null,
    columns: '[]',
    phoneColumn: null,
    createdAt: at,
    updatedAt: at,
    startedAt: at,
    endedAt: null,
    removedAt: null,
    rowVersion: 1,
  }
  await db.insertInto('campaigns').values(campaign).execute()
  const row = (i: number): CampaignContactRow => {
    const phoneNumber = `+55119${80_000_000 + i}`
    return {
      id: newId('cct'),
      userId,
      campaignId: campaign.id,
      phoneNumber,
      numberHash: hashOf(phoneNumber),
      variables: '{"nome":"Maria"}',
      status: 'waiting',
      outcome: null,
      tries: 0,
      dueAt: at,
      dueReason: null,
      hasVoicemail: 0,
      createdAt: at,
      updatedAt: at,
    }
  }
  for (let i = 0; i < contacts; i += 500)
    await db
      .insertInto('campaignContacts')
      .values(Array.from({ length: Math.min(500, contacts - i) }, (_, n) => row(i + n)))
      .execute()
  const entry = (i: number) => ({
    id: newId('sup'),
    userId,
    listId: null,
    listVersion: 0,
    phoneNumber: null,
    numberHash: `other ${i}`,
    reason: 'manual' as const,
    note: null,
    campaignId: null,
    callId: null,
    createdAt: at,
  })
  await db
    .insertInto('suppressions')
    .values(Array.from({ length: SUPPRESSED }, (_, i) => entry(i)))
    .execute()
  return { userId, campaignId: campaign.id }
}
