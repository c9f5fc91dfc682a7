// The same work in Express 5, hand-written and without anything that would slow it down (no log, no metrics, no ETag):
// API key lookup by hash, scopes, rate limit per minute, a prepared query that filters by owner, JSON.
import { hash, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import type { AgentRow, ApiKeyRow, ConversationRow } from '../../src/db/tables.ts'
import { type ExpressData, openPostgresData, openSqliteData } from './express-data.ts'

type Req = {
  headers: Record<string, string | undefined>
  params: Record<string, string>
  body?: { type?: unknown; content?: unknown }
  userId: string
}
type Res = { set(headers: Record<string, string>): Res; status(code: number): Res; json(value: unknown): void }
type Handler = (req: Req, res: Res, next: () => void) => unknown
type App = {
  disable(setting: string): void
  get(path: string, ...handlers: Handler[]): void
  post(path: string, ...handlers: Handler[]): void
  listen(port: number, host: string, done: () => void): { address(): unknown; keepAliveTimeout: number }
}
// Express ships no types.
const express = createRequire(import.meta.url)('express') as { (): App; json(options: { limit: string }): Handler }

const { values } = parseArgs({
  options: {
    sqlite: { type: 'string' },
    postgres: { type: 'string' },
    'remember-keys': { type: 'boolean', default: false },
    'write-events': { type: 'boolean', default: false },
  },
})
const writesEvents = values['write-events']
const data: ExpressData = values.postgres
  ? openPostgresData(values.postgres, writesEvents)
  : openSqliteData(values.sqlite ?? '', writesEvents)

const REMEMBER_MS = 250
const remembered = new Map<string, { key: ApiKeyRow; until: number }>()

async function findKey(secret: string): Promise<ApiKeyRow | undefined> {
  const digest = hash('sha256', secret)
  if (!values['remember-keys']) return data.keyByHash(digest)
  const entry = remembered.get(digest)
  if (entry && entry.until > performance.now()) return entry.key
  const key = await data.keyByHash(digest)
  if (key) remembered.set(digest, { key, until: performance.now() + REMEMBER_MS })
  return key
}

const counts = new Map<string, { minute: number; count: number }>()

function countedInMinute(keyId: string): number {
  const minute = Math.floor(Date.now() / 60_000)
  const entry = counts.get(keyId)
  if (entry?.minute === minute) return ++entry.count
  counts.set(keyId, { minute, count: 1 })
  return 1
}

const refuse = (res: Res, statusCode: number, message: string) =>
  res.status(statusCode).json({ statusCode, error: String(statusCode), message })

const withScope =
  (scope: string): Handler =>
  async (req, res, next) => {
    const secret = req.headers['x-api-key']
    const key = secret ? await findKey(secret) : undefined
    if (key?.isActive !== 1 || (key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now()))
      return refuse(res, 401, 'Invalid API key')
    const count = countedInMinute(key.id)
    const seconds = 60 - (Math.floor(Date.now() / 1000) % 60)
    res.set({
      'x-request-id': req.headers['x-request-id'] ?? randomUUID(),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'ratelimit-policy': `"default";q=${key.rateLimit};w=60`,
      ratelimit: `"default";r=${Math.max(0, key.rateLimit - count)};t=${seconds}`,
    })
    if (count > key.rateLimit) return refuse(res, 429, 'Over the limit')
    const scopes = key.scopes === null ? null : (JSON.parse(key.scopes) as string[])
    if (scopes && !scopes.includes(scope)) return refuse(res, 403, 'This key does not have the scope')
    req.userId = key.userId
    next()
  }

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text))

const toAgent = ({ userId, removedAt, rowVersion, ...row }: AgentRow) => ({
  ...row,
  isActive: row.isActive === 1,
  llmConfig: parsed(row.llmConfig),
  provider_aConfig: parsed(row.provider_aConfig),
  settings: parsed(row.settings),
})
const toConversation = (row: ConversationRow) => {
  const { userId, messageCount, lastMessageAt, analysisTries, analysisDueAt, ...conversation } = row
  return { ...conversation, analysis: parsed(row.analysis) }
}

const app = express()
app.disable('etag')
app.disable('x-powered-by')

app.get('/api/agents/:id', withScope('agents'), async (req, res) => {
  const row = await data.agent(req.userId, req.params.id ?? '')
  if (!row) return refuse(res, 404, 'Agent not found')
  res.json(toAgent(row))
})

app.get('/api/conversations', withScope('conversations'), async (req, res) => {
  res.json((await data.conversations(req.userId)).map(toConversation))
})

const types = new Set<unknown>(['user', 'agent', 'system'])

app.post(
  '/api/conversations/message/send/:conversationId',
  withScope('conversations'),
  express.json({ limit: '1mb' }),
  async (req, res) => {
    const { type, content } = req.body ?? {}
    if (!types.has(type) || typeof content !== 'string' || content.trim() === '' || content.length > 32_000)
      return refuse(res, 400, 'The message is not valid')
    const message = await data.addMessage(req.userId, req.params.conversationId ?? '', type as string, content)
    if (!message) return refuse(res, 404, 'Conversation not found')
    res.status(201).json(message)
  },
)

process.on('disconnect', () => process.exit(0))
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
server.keepAliveTimeout = 72_000
