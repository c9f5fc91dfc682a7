// Latency for other users while an agent with a very large number of calls is deleted:
// node bench/api/removal.ts [CALLS] [MESSAGES_EACH]
// Uses SQLite in its own folder, or PostgreSQL with DATABASE_URL set to an empty database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/load.ts'
import { type Figure, largest, ms } from '../report/figures.ts'

const [calls = 100_000, messages = 10] = process.argv.slice(2).map(Number)
const dataDir = mkdtempSync(join(tmpdir(), 'ramal-bench-'))
const { DATABASE_URL } = process.env
const env = {
  DATA_DIR: dataDir,
  PORT: '0',
  SIP_PORT: '0',
  EMBEDDED_VOICE: 'off',
  ...(DATABASE_URL ? { DATABASE_URL } : {}),
}
const app = await buildApp(readConfig(env), pino({ level: 'silent' }))
const address = await app.listen()
const { db } = app.database
const headers = { 'x-api-key': app.firstKey ?? '', 'content-type': 'application/json' }
const say = (text: string) => void process.stdout.write(`${text}\n`)

const body = JSON.stringify({ name: 'a', systemPrompt: 'x' })
const { id: agentId } = (await (await fetch(`${address}/api/agents`, { method: 'POST', headers, body })).json()) as {
  id: string
}
const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
const at = new Date().toISOString()
const count = (n: number) =>
  sql`with recursive c(n) as (select 1 union all select n + 1 from c where n < ${sql.lit(n)}) `
const key = (prefix: string, n = sql`n`) => sql`${sql.lit(prefix)} || cast(${n} as text)`
const ref = (...names: string[]) => sql.join(names.map((name) => sql.ref(name)))
await sql`insert into conversations (${ref('id', 'userId', 'agentId', 'status', 'startedAt', 'messageCount', 'analysisTries')})
  ${count(calls)} select ${key('cnv_')}, ${userId}, ${agentId}, 'ended', ${at}, ${sql.lit(messages)}, 0 from c`.execute(
  db,
)
await sql`insert into calls (${ref('id', 'userId', 'agentId', 'conversationId', 'direction', 'status', 'toNumber', 'channel', 'leaseUntil', 'startedAt', 'recording')})
  ${count(calls)} select ${key('cal_')}, ${userId}, ${agentId}, ${key('cnv_')}, 'inbound', 'completed', '1', 'sip', ${at}, ${at}, ${key('cal_')} || '.wav' from c`.execute(
  db,
)
for (let i = 1; i <= messages; i++)
  await sql`insert into messages (${ref('id', 'conversationId', 'number', 'type', 'content', 'timestamp')})
    ${count(calls)} select ${key(`msg_${i}_`)}, ${key('cnv_')}, ${sql.lit(i)}, 'user', 'Something that was said, of the usual length.', ${at} from c`.execute(
    db,
  )
say(`${calls} calls, ${calls * messages} messages`)

/** The longest latency of a request that queries no database, and of one that does. */
let isWatching = true
const longest: Record<'healthz' | 'agents', Figure> = { healthz: null, agents: null }
async function watch(name: keyof typeof longest, path: string): Promise<void> {
  while (isWatching) {
    const startedMs = performance.now()
    const answer = await fetch(`${address}${path}`, { headers })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    longest[name] = largest([longest[name], performance.now() - startedMs])
    await sleep(5)
  }
}
const watching = [watch('healthz', '/healthz'), watch('agents', '/api/agents?limit=1')]
await sleep(2000)
say(`before: longest wait /healthz ${ms(longest.healthz)}, /api/agents ${ms(longest.agents)}`)
longest.healthz = longest.agents = null
const startedMs = performance.now()
await fetch(`${address}/api/agents/${agentId}`, { method: 'DELETE', headers: { 'x-api-key': headers['x-api-key'] } })
say(`DELETE answered after ${Math.round(performance.now() - startedMs)} ms`)
const isLeft = async () =>
  (await db.selectFrom('agents').select('id').where('id', '=', agentId).executeTakeFirst()) !== undefined
while (await isLeft()) await sleep(200)
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
say(`purged after ${seconds} s; longest wait /healthz ${ms(longest.healthz)}, /api/agents ${ms(longest.agents)}`)
isWatching = false
await Promise.all(watching)
await app.close()
rmSync(dataDir, { recursive: true })
