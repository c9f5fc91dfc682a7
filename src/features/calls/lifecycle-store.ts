// State transitions of a call as reported by the phone: begun or refused, ringing, answered, transferred, recorded, and
// its SIP messages. An ended call has no further transitions.

import { liveStatuses } from '../../base/domain/call-statuses.ts'
import type { EventType } from '../../base/domain/event-types.ts'
import type { ChainKind } from '../../base/domain/provider-kinds.ts'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { now } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import { ownedRow } from '../../db/owned.ts'
import { type CallRow, type ConversationRow, notAnalyzed } from '../../db/tables.ts'
import { dbTime } from '../../db/time.ts'
import type { NewInboundCall as NewPhoneCall } from '../../phone/ports.ts'
import { toConversation } from '../conversations/rows.ts'
import type { SipEntry } from '../trunks/schema.ts'
import { callEvent, isLive, newCallColumns } from './call-record.ts'
import type { CallEnd } from './end-store.ts'
import { isOwnedBy, LEASE_MS, UNNAMED_NODE } from './lease-store.ts'

export type CallLifecycle = ReturnType<typeof callLifecycle>

type NewInboundCall = Omit<NewPhoneCall, 'channel'> & {
  channel?: CallRow['channel']
  metadata?: Record<string, unknown> | null
}

/** The conversation of an answered call, or the reason why there is none. */
export type AnswerResult = { conversationId: string } | { problem: 'agent_gone' }

type ServedProvider = { providerId: string; name: string; model: string | null }
/** `recovered` comes without `from` and `reason`. */
export type ChainChange = {
  type: 'degraded' | 'recovered'
  kind: ChainKind
  from?: ServedProvider
  to: ServedProvider
  reason?: string
}
const providerIn = ({ providerId, name, model }: ServedProvider) => ({ providerId, name, model })

export type Attempt = Pick<CallRow, 'trunkId' | 'deviceId' | 'fromNumber' | 'channel'>

export function callLifecycle(db: Db, nodeId = UNNAMED_NODE) {
  const live = (id: string, on: Db | Trx = db) =>
    on.updateTable('calls').where('id', '=', id).where('status', 'in', liveStatuses)
  const writeEvent = eventWriter(db)

  const add = (call: CallRow, ...types: EventType[]): Promise<CallRow> =>
    db.inTransaction(async (trx) => {
      await trx
        .insertInto('calls')
        .values({ ...call, leaseUntil: dbTime(trx, LEASE_MS) })
        .execute()
      for (const type of types) await writeEvent(trx, callEvent(call, type))
      return call
    })

  /** Changes the state and writes the event, if the call is in state `from`. */
  const transition = (id: string, from: CallRow['status'], to: Partial<CallRow>, type: EventType): Promise<void> =>
    db.inTransaction(async (trx) => {
      const call = await live(id, trx).set(to).where('status', '=', from).returningAll().executeTakeFirst()
      if (call) await writeEvent(trx, callEvent(call, type))
    })

  return {
    begin: (call: NewInboundCall): Promise<CallRow> => add(inbound(call, nodeId), 'call.initiated', 'call.ringing'),

    /** Stores a refused call, so that its owner can see why. */
    refused: (call: NewInboundCall, { recording: _, ...end }: CallEnd): Promise<CallRow> =>
      add({ ...inbound(call, nodeId), ringingAt: null, ...end, endedAt: now() }, 'call.failed'),

    /**
     * Stores the trunk or device used to dial the call; false if the call has ended or belongs to another node, and
     * must not be dialed.
     */
    async placed(id: string, attempt: Attempt): Promise<boolean> {
      const updated = await live(id).set(attempt).where(isOwnedBy(nodeId)).returning('id').executeTakeFirst()
      return updated !== undefined
    },

    ringing: (id: string, ringingAt = now()): Promise<void> =>
      transition(id, 'initiating', { status: 'ringing', ringingAt }, 'call.ringing'),

    /** Creates the conversation for its transcript; undefined if the call had already ended. */
    answered: (id: string, answeredAt = now()): Promise<AnswerResult | undefined> =>
      db.inTransaction((trx) => answer(trx, { id, nodeId, answeredAt, writeEvent })),

    answeredBy: (id: string, answeredBy: NonNullable<CallRow['answeredBy']>): Promise<void> =>
      db.inTransaction(async (trx) => {
        const own = trx.updateTable('calls').where('id', '=', id)
        const call = await own.set({ answeredBy }).returningAll().executeTakeFirst()
        if (call && answeredBy === 'machine') await writeEvent(trx, callEvent(call, 'call.voicemail'))
      }),

    ...liveEvents(db, writeEvent),

    /** A recording has started. Its result is stored at the end of the call, possibly before this write. */
    async recorded(id: string, { file, node }: { file: string; node: string }): Promise<void> {
      await db
        .updateTable('calls')
        .set({ recording: file, recordingNode: node, recordingStatus: 'recording' })
        .where('id', '=', id)
        .where('recordingStatus', 'is', null)
        .execute()
    },

    ...callLadders(db),

    transferring: (id: string): Promise<void> =>
      transition(id, 'in_progress', { status: 'transferring' }, 'call.transfer_started'),

    resumed: (id: string, isConnected = false): Promise<void> =>
      transition(
        id,
        'transferring',
        { status: 'in_progress' },
        isConnected ? 'call.transfer_completed' : 'call.transfer_failed',
      ),
  }
}

/** Events of a live call that do not change its state. */
function liveEvents(db: Db, writeEvent: WriteEvent) {
  const write = (id: string, type: EventType, more: object): Promise<void> =>
    db.inTransaction(async (trx) => {
      const call = await lockRow(trx, 'calls', { id })
      if (call && isLive(call)) await writeEvent(trx, callEvent(call, type, more))
    })
  return {
    /** A DTMF digit from the caller. */
    digit: (id: string, digit: string): Promise<void> => write(id, 'call.dtmf', { digit }),

    /** The call switched providers. Contains neither keys nor speech. */
    chainChanged(id: string, { type, kind, from, to, reason }: ChainChange): Promise<void> {
      const more = from ? { from: providerIn(from), reason } : {}
      return write(id, `call.${type}`, { kind, ...more, to: providerIn(to) })
    },
  }
}

async function answer(
  trx: Trx,
  { id, nodeId, answeredAt, writeEvent }: { id: string; nodeId: string; answeredAt: string; writeEvent: WriteEvent },
): Promise<AnswerResult | undefined> {
  const call = await lockRow(trx, 'calls', { id })
  if (!call || !['initiating', 'ringing'].includes(call.status)) return undefined
  if (call.nodeId !== nodeId && call.nodeId !== null) return undefined
  if (!call.agentId) return { problem: 'agent_gone' }
  await trx.updateTable('calls').set({ status: 'in_progress', answeredAt }).where('id', '=', id).execute()
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
    variables: null,
    ...notAnalyzed,
  }
  await trx.insertInto('conversations').values(conversation).execute()
  const answered = await trx
    .updateTable('calls')
    .set({ conversationId: conversation.id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeEvent(trx, callEvent(answered, 'call.answered'))
  const started = { conversation: toConversation(conversation) }
  await writeEvent(trx, { ...callEvent(answered, 'conversation.started'), data: started })
  return { conversationId: conversation.id }
}

/** The SIP messages of calls. */
function callLadders(db: Db) {
  const row = ownedRow(db, 'calls')
  return {
    async saveLadder(callId: string, entries: readonly SipEntry[]): Promise<void> {
      const text = JSON.stringify(entries)
      // The call may have been removed right after it ended.
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
      const ladder = await db
        .selectFrom('callLadders')
        .select('entries')
        .where('callId', '=', call.id)
        .executeTakeFirst()
      return ladder ? (JSON.parse(ladder.entries) as SipEntry[]) : []
    },
  }
}

function inbound({ variables, metadata, channel = 'sip', ...call }: NewInboundCall, nodeId: string): CallRow {
  const columns = newCallColumns(nodeId, { variables, metadata })
  const { startedAt: ringingAt } = columns
  return { ...columns, direction: 'inbound', status: 'ringing', deviceTokens: null, ringingAt, channel, ...call }
}
