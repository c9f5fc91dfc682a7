// Sessions of a widget's visitors, counted in the database across all processes: how many at a time, and per visitor.
import { sql } from 'kysely'
import { liveStatuses } from '../../base/domain/call-statuses.ts'
import { appError, notFound } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { DAY_MS, now, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Widget, WidgetUsage } from './schema.ts'
import type { OwnedWidget } from './store.ts'
import { today, widgetUsage } from './usage-store.ts'

export type WidgetSessions = ReturnType<typeof widgetSessions>
/** A session to open. `visitor` is the hash of the network; null if unknown. */
type NewSession = { id: string; kind: 'call' | 'chat'; visitor: string | null }

const KEPT_MS = 35 * DAY_MS
/** No call lasts longer (schema.ts). */
const MAX_MS = DAY_MS
/** How long a session counts before its call or conversation has been created. */
const OPENING_MS = 30_000
/** A chat without a message for this long no longer counts as a session. */
const CHAT_QUIET_MS = 300_000

/** Share of the lines that one address may use, at least one; an office shares an address. */
const SHARE_OF_LINES = 0.4
const shareOfLines = (lines: number) => Math.max(1, Math.floor(lines * SHARE_OF_LINES))

const ago = (ms: number) => toIso(nowMs() - ms)

export function widgetSessions(db: Db) {
  const usage = widgetUsage(db)

  const open = (widget: OwnedWidget, session: NewSession): Promise<void> =>
    locked(db, widget, async (trx) => {
      await requireLine(trx, widget, session.visitor)
      const row = { ...session, widgetId: widget.id, lastSaidAt: null, createdAt: now() }
      await trx.insertInto('widgetSessions').values(row).execute()
    })

  async function close(id: string): Promise<void> {
    await db.deleteFrom('widgetSessions').where('id', '=', id).execute()
  }

  return {
    /** Opens a call's session; throws 429 if the widget has no room. */
    openCall: (widget: OwnedWidget, callId: string, visitor: string | null) =>
      open(widget, { id: callId, kind: 'call', visitor }),
    /** The call did not start after all. */
    closeCall: close,
    spendCall: (widget: OwnedWidget, visitor: string | null) =>
      db.inTransaction((trx) => usage.spend(trx, widget, 'calls', visitor)),

    /** Opens a chat's session around `start`, which returns the id of its conversation. */
    async openChat(widget: OwnedWidget, visitor: string, start: () => Promise<string>): Promise<string> {
      const place = newId('wss')
      await open(widget, { id: place, kind: 'chat', visitor })
      try {
        const id = await start()
        await db.updateTable('widgetSessions').set({ id }).where('id', '=', place).execute()
        return id
      } catch (error) {
        await close(place)
        throw error
      }
    },

    /** Counts a visitor's message. The first one, or one after a long silence, needs a free line. */
    spendMessage: (widget: OwnedWidget, conversationId: string, visitor: string) =>
      locked(db, widget, async (trx) => {
        const said = { lastSaidAt: now() }
        const chat = trx.updateTable('widgetSessions').set(said).where('id', '=', conversationId)
        const { numUpdatedRows } = await chat.where('lastSaidAt', '>', ago(CHAT_QUIET_MS)).executeTakeFirst()
        if (Number(numUpdatedRows) === 0) {
          if ((await concurrent(trx, widget.id)) >= widget.limits.maxConcurrent) throw busy()
          await chat.execute()
        }
        await usage.spend(trx, widget, 'messages', visitor)
      }),

    /** Throws if no call could be opened now; counts nothing. */
    async checkCall(widget: OwnedWidget, visitor: string): Promise<void> {
      await usage.checkCall(widget, visitor)
      await requireLine(db, widget, visitor)
    },

    async usageOf({ id, limits }: Widget): Promise<WidgetUsage> {
      const used = await usage.today(id)
      return {
        day: today(),
        calls: { used: used.calls, limit: limits.callsPerDay },
        messages: { used: used.messages, limit: limits.messagesPerDay },
        concurrent: { used: await concurrent(db, id), limit: limits.maxConcurrent },
      }
    },

    idleChats: (quietMs: number, limit: number) => idleChats(db, quietMs, limit),
    sizeOf: (conversationId: string) => sizeOf(db, conversationId),

    /** Visitor data is needed for only a day. */
    async removeOld(): Promise<void> {
      await usage.removeOld(ago(KEPT_MS).slice(0, 10))
      const known = db.updateTable('widgetSessions').set({ visitor: null }).where('visitor', 'is not', null)
      await known.where('createdAt', '<', ago(MAX_MS)).execute()
      await db.deleteFrom('widgetSessions').where('createdAt', '<', ago(KEPT_MS)).execute()
    },
  }
}

/** Runs under the lock of the widget's row, so that parallel sessions cannot exceed the limit together. */
const locked = (db: Db, { id, userId }: OwnedWidget, work: (trx: Trx) => Promise<unknown>): Promise<void> =>
  db.inTransaction(async (trx) => {
    if (!(await lockRow(trx, 'widgets', { userId, id }))) throw notFound('Widget')
    await work(trx)
  })

/** Active chats without a message for `quietMs`. */
function idleChats(db: Db, quietMs: number, limit: number): Promise<{ id: string; userId: string }[]> {
  return db
    .selectFrom('widgetSessions as s')
    .innerJoin('conversations as v', 'v.id', 's.id')
    .select(['v.id', 'v.userId'])
    .where('s.kind', '=', 'chat')
    .where('v.status', '=', 'active')
    .where((e) => e(e.fn.coalesce('v.lastMessageAt', 'v.startedAt'), '<', ago(quietMs)))
    .limit(limit)
    .execute()
}

/** The number of messages in a chat, and their total size. */
async function sizeOf(db: Db, conversationId: string): Promise<{ messages: number; letters: number }> {
  const { messages, letters } = await db
    .selectFrom('messages')
    .select((e) => [e.fn.countAll().as('messages'), e.fn.sum(sql<number>`length(content)`).as('letters')])
    .where('conversationId', '=', conversationId)
    .executeTakeFirstOrThrow()
  return { messages: Number(messages), letters: Number(letters ?? 0) }
}

/** A chat takes a line once something was said in it, but counts toward its visitor's share from the start. */
async function concurrent(trx: Db | Trx, widgetId: string, visitor?: string): Promise<number> {
  const sessions = trx
    .selectFrom('widgetSessions as s')
    .leftJoin('calls as c', 'c.id', 's.id')
    .leftJoin('conversations as v', 'v.id', 's.id')
    .select((e) => e.fn.countAll().as('count'))
    .where('s.widgetId', '=', widgetId)
    .where('s.createdAt', '>', ago(MAX_MS))
    .where((e) => {
      const saidAt = visitor === undefined ? e.ref('s.lastSaidAt') : e.fn.coalesce('s.lastSaidAt', 's.createdAt')
      return e.or([
        e('c.status', 'in', liveStatuses),
        e.and([e('v.status', '=', 'active'), e(saidAt, '>', ago(CHAT_QUIET_MS))]),
        e.and([e('c.id', 'is', null), e('v.id', 'is', null), e('s.createdAt', '>', ago(OPENING_MS))]),
      ])
    })
  const own = visitor === undefined ? sessions : sessions.where('s.visitor', '=', visitor)
  return Number((await own.executeTakeFirstOrThrow()).count)
}

async function requireLine(trx: Db | Trx, { id, limits }: OwnedWidget, visitor: string | null): Promise<void> {
  if ((await concurrent(trx, id)) >= limits.maxConcurrent) throw busy()
  if (visitor !== null && (await concurrent(trx, id, visitor)) >= shareOfLines(limits.maxConcurrent)) throw busy()
}

const busy = () => appError('widget_busy', {}, { headers: { 'retry-after': '30' } })
