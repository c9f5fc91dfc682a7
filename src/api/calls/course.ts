// The course of a call as the phone writes it: begun or refused, ringing, answered, recorded, and the SIP messages it took.
// A call that has ended takes no more of it, except where its recording lies and its messages.
import { now, nowMs, toIso } from '../../base/clock.ts'
import { found } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from '../../db/database.ts'
import { ownedRow } from '../../db/owned.ts'
import { type CallRow, type ConversationRow, liveStatuses, notAnalysed } from '../../db/tables.ts'
import type { SipEntry } from '../trunks/schema.ts'
import { type CallEnd, LEASE_MS } from './store.ts'

export type CallCourse = ReturnType<typeof callCourse>

export type InboundCallRow = {
  userId: string
  agentId: string | null
  fromNumber: string | null
  toNumber: string
  trunkId: string | null
  deviceId: string | null
  channel?: CallRow['channel']
}

export type Attempt = Pick<CallRow, 'trunkId' | 'deviceId' | 'fromNumber' | 'channel'>

export function callCourse(db: Db) {
  const row = ownedRow(db, 'calls')
  const live = (id: string) => db.updateTable('calls').where('id', '=', id).where('status', 'in', liveStatuses)
  return {
    async begin(call: InboundCallRow): Promise<CallRow> {
      const begun = inbound(call)
      await db.insertInto('calls').values(begun).execute()
      return begun
    },

    /** A call that was turned away, so that its owner can see why. */
    async refused(call: InboundCallRow, end: CallEnd): Promise<CallRow> {
      const ended = { ...inbound(call), ringingAt: null, ...end, endedAt: now() }
      await db.insertInto('calls').values(ended).execute()
      return ended
    },

    /** By which way the call goes out now. */
    async placed(id: string, attempt: Attempt): Promise<void> {
      await live(id).set(attempt).execute()
    },

    async ringing(id: string): Promise<void> {
      await live(id).set({ status: 'ringing', ringingAt: now() }).where('status', '=', 'initiating').execute()
    },

    /** With the conversation that its transcript becomes; undefined when the call had ended before. */
    answered: (id: string): Promise<{ conversationId: string } | undefined> =>
      db.transaction().execute(async (trx) => {
        const answeredAt = now()
        const call = await trx
          .updateTable('calls')
          .set({ status: 'in_progress', answeredAt })
          .where('id', '=', id)
          .where('status', 'in', ['initiating', 'ringing'])
          .returning(['userId', 'agentId'])
          .executeTakeFirst()
        if (!call?.agentId) return undefined
        const conversation: ConversationRow = {
          id: newId('cnv'),
          userId: call.userId,
          agentId: call.agentId,
          title: null,
          status: 'active',
          startedAt: answeredAt,
          endedAt: null,
          messageCount: 0,
          lastMessageAt: null,
          ...notAnalysed,
        }
        await trx.insertInto('conversations').values(conversation).execute()
        await trx.updateTable('calls').set({ conversationId: conversation.id }).where('id', '=', id).execute()
        return { conversationId: conversation.id }
      }),

    async answeredBy(id: string, answeredBy: NonNullable<CallRow['answeredBy']>): Promise<void> {
      await db.updateTable('calls').set({ answeredBy }).where('id', '=', id).execute()
    },

    async recorded(id: string, recording: string): Promise<void> {
      await db.updateTable('calls').set({ recording }).where('id', '=', id).execute()
    },

    async transferring(id: string): Promise<void> {
      await live(id).set({ status: 'transferring' }).where('status', '=', 'in_progress').execute()
    },

    async resumed(id: string): Promise<void> {
      await live(id).set({ status: 'in_progress' }).where('status', '=', 'transferring').execute()
    },

    async saveLadder(callId: string, entries: readonly SipEntry[]): Promise<void> {
      const text = JSON.stringify(entries)
      // A call may have been removed the moment it ended.
      const call = await db.selectFrom('calls').select('id').where('id', '=', callId).executeTakeFirst()
      if (!call) return
      await db
        .insertInto('callLadders')
        .values({ callId, entries: text })
        .onConflict((c) => c.column('callId').doUpdateSet({ entries: text }))
        .execute()
    },

    async ladder(userId: string, id: string): Promise<SipEntry[]> {
      const call = found('Call', await row(userId, id))
      const kept = await db.selectFrom('callLadders').select('entries').where('callId', '=', call.id).executeTakeFirst()
      return kept ? (JSON.parse(kept.entries) as SipEntry[]) : []
    },
  }
}

function inbound(call: InboundCallRow): CallRow {
  const startedMs = nowMs()
  const startedAt = toIso(startedMs)
  return {
    id: newId('cal'),
    ...call,
    conversationId: null,
    direction: 'inbound',
    status: 'ringing',
    endReason: null,
    endDetail: null,
    sipCode: null,
    hangupBy: null,
    answeredBy: null,
    deviceTokens: null,
    channel: call.channel ?? 'sip',
    variables: null,
    metadata: null,
    recording: null,
    leaseUntil: toIso(startedMs + LEASE_MS),
    startedAt,
    ringingAt: startedAt,
    answeredAt: null,
    endedAt: null,
  }
}
