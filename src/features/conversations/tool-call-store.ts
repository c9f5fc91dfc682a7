// Tool calls: written before anything is sent, so that retries never run one twice and a crash leaves a trace. The
// conversation's row serves as the lock: of two identical concurrent calls, the second sees the first.
import { sql } from 'kysely'
import { found } from '../../base/errors/errors.ts'
import { newId } from '../../base/ids.ts'
import { DAY_MS, now, nowMs, toIso } from '../../base/time/clock.ts'
import type { Db, Trx } from '../../db/database.ts'
import { leasedQueue } from '../../db/leased-queue.ts'
import { lockRow } from '../../db/lock-row.ts'
import { eventWriter, type WriteEvent } from '../../db/outbox.ts'
import type { PageRequest } from '../../db/owned.ts'
import { bit, fromJson, type ToolCallRow, toJson } from '../../db/tables.ts'
import { dbTime, readDbClock } from '../../db/time.ts'
import type { ToolCallRecord } from './tool-call-schema.ts'

export type ToolCallStore = ReturnType<typeof toolCallStore>

export type NewToolCall = Pick<
  ToolCallRow,
  'userId' | 'conversationId' | 'callId' | 'toolId' | 'name' | 'arguments' | 'dedupeKey' | 'argumentsKey'
> & { hasEffect: boolean; leaseMs: number }

export type ToolCallEnd = Pick<ToolCallRow, 'result' | 'error'> & {
  status: 'done' | 'failed' | 'in_doubt'
  durationMs: number
  variables: Readonly<Record<string, string>> | null
}

const INTERRUPTED = 'The service stopped while this tool was running.'

export function toolCallStore(db: Db) {
  const write = eventWriter(db)
  // Not a queue: the process that created a tool call runs it, no worker claims it, and its result counts even if the
  // lease has expired.
  const leases = leasedQueue(db, {
    table: 'toolCalls',
    dueAt: 'leaseUntil',
    status: { column: 'status', waiting: 'in_doubt', claimed: 'running', claimable: [] },
    leaseMs: 0,
  })

  /** Writes an event for each changed row. */
  const endAll = (change: (trx: Trx) => Promise<ToolCallRow[]>): Promise<void> =>
    db.inTransaction(async (trx) => {
      for (const row of await change(trx)) await announce(write, trx, row)
    })

  return {
    begin: (call: NewToolCall, caps: { runs: number; effects: number }) =>
      db.inTransaction(async (trx) => {
        await lock(trx, call)
        const known = await sameCall(trx, call)
        if (known) return { state: 'known' as const, call: await stateOf(trx, known) }
        const error = await overCaps(trx, call, caps)
        const row = newRow(call, error)
        await trx
          .insertInto('toolCalls')
          .values({ ...row, leaseUntil: dbTime(trx, call.leaseMs) })
          .execute()
        await announce(write, trx, row)
        return error === null ? { state: 'begun' as const, id: row.id } : { state: 'refused' as const, error }
      }),

    async get(conversationId: string, id: string) {
      const row = await db
        .selectFrom('toolCalls')
        .selectAll()
        .where('conversationId', '=', conversationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && stateOf(db, row)
    },

    async takeOver(id: string, leaseMs: number): Promise<boolean> {
      const taken = await db
        .updateTable('toolCalls')
        .set((row) => ({
          status: 'running' as const,
          error: null,
          endedAt: null,
          durationMs: null,
          leaseUntil: dbTime(db, leaseMs),
          attempts: row('attempts', '+', 1),
        }))
        .where('id', '=', id)
        .where((row) =>
          row.or([
            row('status', '=', 'in_doubt'),
            row.and([row('status', '=', 'running'), row('leaseUntil', '<', dbTime(db))]),
          ]),
        )
        .returning('id')
        .executeTakeFirst()
      return taken !== undefined
    },

    finish: (id: string, { variables, ...end }: ToolCallEnd): Promise<void> =>
      endAll((trx) =>
        trx
          .updateTable('toolCalls')
          .set({ ...end, variables: toJson(variables), endedAt: now() })
          .where('id', '=', id)
          .where('status', 'in', ['running', 'in_doubt'])
          .returningAll()
          .execute(),
      ),

    refuse: (call: NewToolCall, error: string): Promise<void> =>
      endAll((trx) =>
        trx
          .insertInto('toolCalls')
          .values({ ...newRow(call, error), leaseUntil: dbTime(trx) })
          .returningAll()
          .execute(),
      ),

    /** After a crash: in doubt if the tool has side effects, otherwise failed. */
    async closeLeft(): Promise<void> {
      const expired = db
        .selectFrom('toolCalls')
        .select(['id', 'hasEffect'])
        .where('status', '=', 'running')
        .where('leaseUntil', '<', dbTime(db))
      for (const { id, hasEffect } of await expired.execute())
        await endAll((trx) => {
          const status = hasEffect === 1 ? 'in_doubt' : 'failed'
          return leases.expire({ status, error: INTERRUPTED, endedAt: now() }, sql<boolean>`id = ${id}`, trx)
        })
    },

    /** The newest calls before a point in time, oldest first: context for the next reply. */
    async doneBefore(conversationId: string, before: string, limit: number): Promise<ToolCallRow[]> {
      const rows = await db
        .selectFrom('toolCalls')
        .selectAll()
        .where('conversationId', '=', conversationId)
        .where('status', '!=', 'refused')
        .where('startedAt', '<', before)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.reverse()
    },

    /** A page, oldest first. */
    page(of: 'conversationId' | 'callId', userId: string, id: string, { limit, after }: PageRequest) {
      const rows = db.selectFrom('toolCalls').selectAll().where('userId', '=', userId).where(of, '=', id)
      const rest = after ? rows.where('id', '>', after.id) : rows
      return rest.orderBy('id').limit(limit).execute()
    },
  }
}

/** Writes tool.called, tool.completed or tool.failed. */
async function announce(write: WriteEvent, trx: Trx, row: Omit<ToolCallRow, 'leaseUntil'>): Promise<void> {
  const { userId, conversationId, callId } = row
  const agent = trx.selectFrom('conversations').select('agentId').where('id', '=', conversationId)
  const agentId = (await agent.executeTakeFirst())?.agentId ?? null
  const ended = row.status === 'done' ? 'tool.completed' : 'tool.failed'
  await write(trx, {
    userId,
    conversationId,
    callId,
    agentId,
    type: row.status === 'running' ? 'tool.called' : ended,
    data: { toolCall: toToolCall(row) },
  })
}

/** Throws if the conversation does not belong to this user. */
async function lock(trx: Trx, { userId, conversationId }: NewToolCall): Promise<void> {
  found('Conversation', await lockRow(trx, 'conversations', { userId, id: conversationId }))
}

/** A call of the same request, or one with the same arguments that is running or in doubt. */
async function sameCall(trx: Trx, call: NewToolCall): Promise<ToolCallRow | undefined> {
  const rows = await trx
    .selectFrom('toolCalls')
    .selectAll()
    .where('conversationId', '=', call.conversationId)
    .where((row) =>
      row.or([
        row('dedupeKey', '=', call.dedupeKey),
        row.and([
          row('argumentsKey', '=', call.argumentsKey),
          row('hasEffect', '=', 1),
          row('status', 'in', ['running', 'in_doubt']),
        ]),
      ]),
    )
    .orderBy('id', 'desc')
    .execute()
  return rows.find(({ dedupeKey }) => dedupeKey === call.dedupeKey) ?? rows[0]
}

/** Counted over 24 hours, so that a conversation lasting months is not locked out for good. */
async function overCaps(trx: Trx, call: NewToolCall, caps: { runs: number; effects: number }): Promise<string | null> {
  const { runs, effects } = await trx
    .selectFrom('toolCalls')
    .select((row) => [row.fn.countAll<number>().as('runs'), row.fn.sum<number | null>('hasEffect').as('effects')])
    .where('conversationId', '=', call.conversationId)
    .where('status', '!=', 'refused')
    .where('startedAt', '>', toIso(nowMs() - DAY_MS))
    .executeTakeFirstOrThrow()
  if (Number(runs) >= caps.runs)
    return `No more tools may be used in this conversation today: ${caps.runs} within 24 hours is the limit. Go on without.`
  if (call.hasEffect && Number(effects ?? 0) >= caps.effects)
    return `No more tools that change something may be used in this conversation today: ${caps.effects} within 24 hours is the limit. Go on without.`
  return null
}

function newRow({ hasEffect, leaseMs, ...call }: NewToolCall, refusal: string | null): Omit<ToolCallRow, 'leaseUntil'> {
  const startedAt = now()
  return {
    ...call,
    id: newId('tcl'),
    hasEffect: bit(hasEffect),
    status: refusal === null ? 'running' : 'refused',
    result: null,
    error: refusal,
    variables: null,
    attempts: refusal === null ? 1 : 0,
    startedAt,
    endedAt: refusal === null ? null : startedAt,
    durationMs: refusal === null ? null : 0,
  }
}

const stateOf = async (db: Db | Trx, { id, status, result, error, variables, leaseUntil }: ToolCallRow) => ({
  id,
  status,
  result,
  error,
  variables: fromJson<Record<string, string>>(variables),
  isOrphaned: status === 'running' && leaseUntil < toIso(await readDbClock(db)),
})

export const toToolCall = (row: Omit<ToolCallRow, 'leaseUntil'>): ToolCallRecord => ({
  id: row.id,
  toolId: row.toolId,
  name: row.name,
  arguments: fromJson(row.arguments),
  status: row.status,
  result: row.result,
  error: row.error,
  durationMs: row.durationMs,
  startedAt: row.startedAt,
  endedAt: row.endedAt,
})
