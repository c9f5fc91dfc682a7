// A campaign call as the voice agent sees it: opt-out, wrong person, call-back and voicemail, on top of the stores.
import { now, nowMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { fromJson } from '../../db/tables.ts'
import type { Question, RuleDecision } from '../../rule-packs/decision.ts'
import { nextAttempt } from '../../rule-packs/next-attempt.ts'
import { calleeOf } from '../../rule-packs/number.ts'
import type { RulePack } from '../../rule-packs/pack.ts'
import type { CampaignCall, FindCampaignCall } from '../agents/port.ts'
import type { CallbackStore } from '../callbacks/store.ts'
import type { SuppressionStore } from '../suppressions/store.ts'
import type { Disclosure, Schedule } from './schema.ts'

export type CampaignCallParts = {
  db: Db
  callbacks: Pick<CallbackStore, 'requestIn'>
  suppressions: Pick<SuppressionStore, 'suppress'>
  packOf: (userId: string, rulesId: string) => Promise<{ pack: RulePack } | { problem: string }>
  /** Defaults to the rule pack's decision. */
  nextAttempt?: (question: Question) => RuleDecision
}

/** Rules look back at most a month. */
const ATTEMPTS_MS = 31 * 86_400_000
const MAX_ATTEMPTS = 1000
const nameColumn = /nome|name|nombre/i

export function campaignCalls(parts: CampaignCallParts): FindCampaignCall {
  return async (userId, callId) => {
    const row = await rowOf(parts.db, userId, callId)
    return row ? campaignCall(parts, { userId, callId, row }) : null
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof rowOf>>>

const rowOf = (db: Db, userId: string, callId: string) =>
  db
    .selectFrom('calls')
    .innerJoin('campaignAttempts', 'campaignAttempts.id', 'calls.attemptId')
    .innerJoin('campaignContacts', 'campaignContacts.id', 'campaignAttempts.contactId')
    .innerJoin('campaigns', 'campaigns.id', 'campaignContacts.campaignId')
    .select([
      'campaigns.id as campaignId',
      'campaigns.name',
      'campaigns.disclosure',
      'campaigns.schedule',
      'campaigns.rulesId',
      'campaignContacts.id as contactId',
      'campaignContacts.numberHash',
      'campaignContacts.variables',
      'campaignContacts.hasVoicemail',
      'calls.toNumber',
    ])
    .where('calls.userId', '=', userId)
    .where('calls.id', '=', callId)
    .where('campaignAttempts.userId', '=', userId)
    .where('campaigns.userId', '=', userId)
    .executeTakeFirst()

/** The times at which this number was recently dialed. */
async function attemptsMs(db: Db, userId: string, numberHash: string): Promise<number[]> {
  const rows = await db
    .selectFrom('campaignAttempts')
    .select('dialedAt')
    .where('userId', '=', userId)
    .where('numberHash', '=', numberHash)
    .where('dialedAt', '>=', new Date(nowMs() - ATTEMPTS_MS).toISOString())
    .orderBy('dialedAt', 'desc')
    .limit(MAX_ATTEMPTS)
    .execute()
  return rows.flatMap(({ dialedAt }) => (dialedAt === null ? [] : [Date.parse(dialedAt)]))
}

function campaignCall(
  { db, callbacks, suppressions, packOf, nextAttempt: next = nextAttempt }: CampaignCallParts,
  { userId, callId, row }: { userId: string; callId: string; row: Row },
): CampaignCall {
  const { campaignId, contactId, numberHash, toNumber: phoneNumber } = row
  const variables = fromJson<Record<string, string>>(row.variables) ?? {}
  const { windows = null, endAt = null } = fromJson<Partial<Schedule>>(row.schedule) ?? {}
  const disclosure = fromJson<Disclosure>(row.disclosure) ?? { isOn: true }
  const names = Object.entries(variables).flatMap(([name, value]) => (nameColumn.test(name) ? [value] : []))
  const callee = calleeOf(phoneNumber)

  const suppress = (reason: 'opt_out' | 'wrong_person', note: string) =>
    db.inTransaction(async (trx) => {
      await suppressions.suppress(trx, { userId, number: phoneNumber, reason, campaignId, callId, note: note || null })
    })

  async function permittedMs(atMs: number): Promise<number | null> {
    const found = await packOf(userId, row.rulesId)
    if ('problem' in found) return null
    const decision = next({
      pack: found.pack,
      callee,
      windows,
      fromMs: atMs,
      attemptsMs: await attemptsMs(db, userId, numberHash),
      untilMs: endAt === null ? null : Date.parse(endAt),
    })
    return 'atMs' in decision ? decision.atMs : null
  }

  return {
    campaign: { id: campaignId, name: row.name, disclosure },
    contact: {
      id: contactId,
      phoneNumber,
      names,
      variables,
      hasVoicemail: row.hasVoicemail === 1,
      timeZone: callee.zones[0] ?? null,
    },
    optOut: (said) => suppress('opt_out', said),
    wrongPerson: (said) => suppress('wrong_person', said),
    permittedMs,
    async scheduleCallback({ conversationId, atMs, note }) {
      const dueMs = await permittedMs(atMs)
      if (dueMs === null) return null
      const asked = {
        conversationId,
        callId,
        reason: 'requested' as const,
        phoneNumber,
        matter: note,
        name: names[0] ?? null,
        dueAt: new Date(dueMs).toISOString(),
      }
      const stored = await db.inTransaction((trx) => callbacks.requestIn(trx, userId, asked))
      return stored && { atMs: dueMs }
    },
    async voicemailLeft() {
      await db
        .updateTable('campaignContacts')
        .set({ hasVoicemail: 1, updatedAt: now() })
        .where('userId', '=', userId)
        .where('id', '=', contactId)
        .execute()
    },
  }
}
