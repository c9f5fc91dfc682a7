// Removes all finished calls, conversations, call-back requests, campaign contacts and texts with a phone number (right
// to erasure). A keyed hash remains for suppressions and contacts.
import { setImmediate as breathe } from 'node:timers/promises'
import { AppError, appError } from '../../base/errors/errors.ts'
import { digitsOf } from '../../base/phone-numbers/phone-number.ts'
import { DAY_MS, nowMs, toIso } from '../../base/time/clock.ts'
import { audit } from '../../db/audit.ts'
import { contactsOfNumber, forgetContacts } from '../../db/campaign-erasure.ts'
import type { Db } from '../../db/database.ts'
import { removeEventsNaming } from '../../db/event-removal.ts'
import { type Cursor, olderThan } from '../../db/owned.ts'
import { agentNotRemoved, inChunks, removeCallbacks, removeConversationData, removeTexts } from '../../db/removal.ts'
import type { CallRow, ConversationRow, DeviceTextRow } from '../../db/tables.ts'
import { forgetSuppressions } from '../suppressions/rows.ts'
import { isLive } from './call-record.ts'
import type { Forgotten } from './removal-schema.ts'
import { lockedConversation, removal } from './removal-store.ts'

export type Forget = ReturnType<typeof forgetNumber>

const SLICE = 500
/** Numbers that share this many final digits are reported as similar. */
const ALIKE_DIGITS = 8
/** A text conversation is considered over after this much silence, even if it was never ended. */
const SILENT_MS = DAY_MS
/** Events that name a contact's number. */
const campaignEvents = ['campaign.contact.completed', 'campaign.attempt.in_doubt']
const unfinished: readonly string[] = ['waiting', 'answering', 'sending'] satisfies DeviceTextRow['status'][]

type FoundCall = Pick<CallRow, 'id' | 'startedAt' | 'direction' | 'fromNumber' | 'toNumber' | 'status'> &
  Pick<CallRow, 'conversationId' | 'recording'>
type Matching = { isSame(text: string | null): boolean; isAlike(text: string | null): boolean }

export function forgetNumber(db: Db, node: string) {
  const remove = removal(db, node)

  return async (userId: string, asked: { number: string; dryRun: boolean }): Promise<Forgotten> => {
    const digits = digitsOf(asked.number)
    if (digits === null) throw appError('number_invalid')
    const matching: Matching = {
      isSame: (text) => text !== null && digitsOf(text) === digits,
      isAlike: (text) => alikeOf(text === null ? null : digitsOf(text), digits),
    }
    const { calls, alike } = await callsOf(db, userId, matching)
    const { texts, alike: alikePeers } = await textsOf(db, userId, matching)
    const { callbacks, alike: alikeCallbacks } = await callbacksOf(db, userId, matching)
    const contacts = await contactsOfNumber(db, userId, `+${digits}`)
    const callsOver = calls.filter((call) => !isLive(call))
    const byText = [...new Set(texts.flatMap(({ conversationId }) => conversationId ?? []))]
    const inWriting = await conversationsOver(db, userId, byText)
    const busy = byText.filter((id) => !inWriting.includes(id))
    // An active conversation keeps its texts, because the next reply uses them.
    const textsOver = texts.filter(
      ({ status, conversationId }) => !unfinished.includes(status) && !busy.includes(conversationId ?? ''),
    )
    if (!asked.dryRun) {
      for (const { id } of callsOver) await gone(remove.call(userId, id))
      for (const id of inWriting)
        await db.inTransaction(async (trx) => {
          const stored = await lockedConversation(trx, userId, id)
          if (stored && isOver(stored)) await removeConversationData(trx, node, [], [id])
        })
      for (const some of inChunks(callbacks)) await db.inTransaction((trx) => removeCallbacks(trx, userId, some))
      for (const some of inChunks(contacts.map(({ id }) => id)))
        await db.inTransaction((trx) => forgetContacts(trx, userId, some))
      await removeEventsNaming(db, { userId, types: campaignEvents, number: `+${digits}` })
      for (const some of inChunks(textsOver)) await db.inTransaction((trx) => removeTexts(trx, userId, some))
    }
    const suppressions = await forgetSuppressions(db, { userId, number: `+${digits}`, dryRun: asked.dryRun })
    if (!asked.dryRun) await audit(db, { kind: 'conversation', action: 'caller_forgotten', userId, id: null })
    const talks = new Set([...callsOver.flatMap(({ conversationId }) => conversationId ?? []), ...inWriting])
    return {
      number: `+${digits}`,
      dryRun: asked.dryRun,
      calls: callsOver.length,
      recordings: callsOver.filter(({ recording }) => recording !== null).length,
      conversations: talks.size,
      texts: textsOver.length,
      callbacks: callbacks.length,
      suppressions,
      contacts: contacts.length,
      underWay: calls.length - callsOver.length + busy.length,
      similar: [...new Set([...alike, ...alikePeers, ...alikeCallbacks])].sort(),
    }
  }
}

async function callsOf(db: Db, userId: string, { isSame, isAlike }: Matching) {
  const calls: FoundCall[] = []
  const alike = new Set<string>()
  for (let after: Cursor | undefined; ; ) {
    let query = db.selectFrom('calls').where('userId', '=', userId).where(agentNotRemoved())
    if (after) query = query.where(olderThan('startedAt', after.at, after.id))
    const rows: FoundCall[] = await query
      .select(['id', 'startedAt', 'direction', 'fromNumber', 'toNumber', 'status', 'conversationId', 'recording'])
      .orderBy('startedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(SLICE)
      .execute()
    for (const row of rows) {
      const number = remoteNumber(row)
      if (isSame(number)) calls.push(row)
      else if (number !== null && isAlike(number)) alike.add(number)
    }
    const last = rows[SLICE - 1]
    if (!last) return { calls, alike }
    after = { at: last.startedAt, id: last.id }
    await breathe()
  }
}

async function textsOf(db: Db, userId: string, { isSame, isAlike }: Matching) {
  const own = db.selectFrom('deviceTexts').where('userId', '=', userId)
  const peers = (await own.select('peer').distinct().execute()).map(({ peer }) => peer)
  const texts: DeviceTextRow[] = []
  for (const some of inChunks(peers.filter(isSame)))
    texts.push(...(await own.selectAll().where('peer', 'in', some).execute()))
  return { texts, alike: peers.filter((peer) => !isSame(peer) && isAlike(peer)) }
}

/** Call-back requests left by callers from another number. */
async function callbacksOf(db: Db, userId: string, { isSame, isAlike }: Matching) {
  const rows = await db
    .selectFrom('callbacks')
    .select(['id', 'conversationId', 'phoneNumber'])
    .where('userId', '=', userId)
    .where('phoneNumber', 'is not', null)
    .execute()
  const alike = rows.flatMap(({ phoneNumber }) => (phoneNumber !== null && isAlike(phoneNumber) ? [phoneNumber] : []))
  return { callbacks: rows.filter(({ phoneNumber }) => isSame(phoneNumber)), alike }
}

/** Calls that have ended. */
async function conversationsOver(db: Db, userId: string, ids: readonly string[]): Promise<string[]> {
  const over: string[] = []
  for (const some of inChunks(ids)) {
    const rows = await db
      .selectFrom('conversations')
      .select(['id', 'status', 'startedAt', 'lastMessageAt'])
      .where('userId', '=', userId)
      .where('id', 'in', some)
      .where(agentNotRemoved())
      .execute()
    over.push(...rows.filter(isOver).map(({ id }) => id))
  }
  return over
}

/** The remote party: caller of an inbound call, callee of an outbound one. */
const remoteNumber = ({ direction, fromNumber, toNumber }: FoundCall) =>
  direction === 'inbound' ? fromNumber : toNumber

const isOver = ({
  status,
  startedAt,
  lastMessageAt,
}: Pick<ConversationRow, 'status' | 'startedAt' | 'lastMessageAt'>) =>
  status !== 'active' || (lastMessageAt ?? startedAt) < toIso(nowMs() - SILENT_MS)

function alikeOf(stored: string | null, digits: string): boolean {
  if (stored === null || stored === digits || digits.length < ALIKE_DIGITS || stored.length < ALIKE_DIGITS) return false
  return stored.slice(-ALIKE_DIGITS) === digits.slice(-ALIKE_DIGITS)
}

/** Ignores a call that was already removed. */
async function gone(removed: Promise<unknown>): Promise<void> {
  await removed.catch((error: unknown) => {
    if (!(error instanceof AppError && error.kind === 'not_found')) throw error
  })
}
