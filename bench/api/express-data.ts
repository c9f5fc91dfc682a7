// The Express server's database queries: hand-written prepared statements, on node:sqlite and on pg.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { newId } from '../../src/base/ids.ts'
import type { AgentRow, ApiKeyRow, ConversationRow } from '../../src/db/tables.ts'

type MaybePromise<T> = T | Promise<T>
type Counted = { messageCount: number; lastMessageAt: string; agentId: string }
type Message = { id: string; type: string; content: string; timestamp: string }

export type ExpressData = {
  keyByHash(hash: string): MaybePromise<ApiKeyRow | undefined>
  agent(userId: string, id: string): MaybePromise<AgentRow | undefined>
  /** All conversations, newest first. */
  conversations(userId: string): MaybePromise<ConversationRow[]>
  addMessage(userId: string, conversationId: string, type: string, content: string): MaybePromise<Message | undefined>
}

const eventColumns = '"id", "userId", "type", "callId", "conversationId", "agentId", "data", "createdAt", "sequence"'
const counter =
  'insert into "eventCounters" ("userId", "last") values (?, 1) on conflict ("userId") do update set "last" = "eventCounters"."last" + 1 returning "last"'

/** Uses the durability of the real server: WAL, and a commit is on disk before it returns. */
export function openSqliteData(path: string, writesEvents: boolean): ExpressData {
  const file = new DatabaseSync(path)
  file.exec(
    'pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory',
  )
  const key = file.prepare('select * from "apiKeys" where "hash" = ?')
  const agent = file.prepare('select * from "agents" where "userId" = ? and "id" = ?')
  const list = file.prepare('select * from "conversations" where "userId" = ? order by "startedAt" desc, "id" desc')
  const count = file.prepare(
    `update "conversations" set "messageCount" = "messageCount" + 1, "lastMessageAt" = max(coalesce("lastMessageAt", ''), ?)
     where "userId" = ? and "id" = ? and "status" = 'active' returning "messageCount", "lastMessageAt", "agentId"`,
  )
  const nextEvent = file.prepare(counter)
  const insertEvent = file.prepare(
    `insert into "events" (${eventColumns}) values (?, ?, 'conversation.message', (select "id" from "calls" where "conversationId" = ? limit 1), ?, ?, ?, ?, ?)`,
  )
  const insert = file.prepare(
    'insert into "messages" ("id", "conversationId", "number", "type", "content", "timestamp") values (?, ?, ?, ?, ?, ?)',
  )
  return {
    keyByHash: (hash) => key.get(hash) as ApiKeyRow | undefined,
    agent: (userId, id) => agent.get(userId, id) as AgentRow | undefined,
    conversations: (userId) => list.all(userId) as unknown as ConversationRow[],
    addMessage(userId, conversationId, type, content) {
      file.exec('begin immediate')
      try {
        const counted = count.get(new Date().toISOString(), userId, conversationId)
        if (counted) {
          const { messageCount, lastMessageAt, agentId } = counted as unknown as Counted
          const message = { id: newId('msg'), type, content, timestamp: lastMessageAt }
          insert.run(message.id, conversationId, messageCount, type, content, lastMessageAt)
          if (writesEvents) {
            const { last } = nextEvent.get(userId) as { last: number }
            const data = JSON.stringify({ message })
            const at = new Date().toISOString()
            insertEvent.run(newId('evt'), userId, conversationId, conversationId, agentId, data, at, last)
          }
          file.exec('commit')
          return message
        }
        file.exec('rollback')
        return undefined
      } catch (error) {
        if (file.isTransaction) file.exec('rollback')
        throw error
      }
    },
  }
}

/** Opens as many connections as the real server does. */
export function openPostgresData(url: string, writesEvents: boolean): ExpressData {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const rows = async <R>(name: string, text: string, values: unknown[]) =>
    (await pool.query({ name, text, values })).rows as R[]
  return {
    keyByHash: async (hash) => (await rows<ApiKeyRow>('key', 'select * from "apiKeys" where "hash" = $1', [hash]))[0],
    agent: async (userId, id) =>
      (await rows<AgentRow>('agent', 'select * from "agents" where "userId" = $1 and "id" = $2', [userId, id]))[0],
    conversations: (userId) =>
      rows('list', 'select * from "conversations" where "userId" = $1 order by "startedAt" desc, "id" desc', [userId]),
    async addMessage(userId, conversationId, type, content) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const { rows: counted } = await client.query({
          name: 'count',
          text: `update "conversations" set "messageCount" = "messageCount" + 1, "lastMessageAt" = greatest("lastMessageAt", $1)
            where "userId" = $2 and "id" = $3 and "status" = 'active' returning "messageCount", "lastMessageAt", "agentId"`,
          values: [new Date().toISOString(), userId, conversationId],
        })
        const [row] = counted as Counted[]
        if (!row) {
          await client.query('rollback')
          return undefined
        }
        const message = { id: newId('msg'), type, content, timestamp: row.lastMessageAt }
        await client.query({
          name: 'insert',
          text: 'insert into "messages" ("id", "conversationId", "number", "type", "content", "timestamp") values ($1, $2, $3, $4, $5, $6)',
          values: [message.id, conversationId, row.messageCount, type, content, row.lastMessageAt],
        })
        if (writesEvents) {
          await client.query({
            name: 'event',
            text: `with counted as (${counter.replace('?', '$2')}) insert into "events" (${eventColumns})
              select $1, $2, 'conversation.message', (select "id" from "calls" where "conversationId" = $3 limit 1), $3, $4, $5, $6, "last" from counted`,
            values: [
              ...[newId('evt'), userId, conversationId, row.agentId],
              ...[JSON.stringify({ message }), new Date().toISOString()],
            ],
          })
        }
        await client.query('commit')
        return message
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      } finally {
        client.release()
      }
    },
  }
}
