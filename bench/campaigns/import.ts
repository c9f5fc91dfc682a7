// Import of a list of 100,000 contacts as CSV and as XLSX into the real server: seconds, memory of the server and of the process that
// reads the file, event-loop delay and the time of another request meanwhile; and the results as CSV. --rows=N: another length.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentStore } from '../../src/api/agents/store.ts'
import { keyFinder } from '../../src/api/keys/finder.ts'
import { keyStore } from '../../src/api/keys/store.ts'
import { userStore } from '../../src/api/users/store.ts'
import { openDatabase } from '../../src/db/database.ts'
import { CSV, XLSX } from '../../src/tables/sheet-files.ts'
import { writeXlsx } from '../../src/tables/xlsx.ts'
import { startPostgres } from '../../test/servers.ts'
import type { LoopDelay } from '../api/loop-delay.ts'
import { residentMb } from '../api/proc.ts'
import { newPlace, type Place, type Server, startReal } from '../api/servers.ts'

const rows = Number(process.argv.find((arg) => arg.startsWith('--rows='))?.slice(7) ?? 100_000)
const print = (line: string) => process.stdout.write(`${line}\n`)
const p99 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

const columns = ['nome', 'telefone', 'cidade', 'valor', 'observação']
const rowOf = (i: number) => [
  ...[`Pessoa ${i} da Silva`, `(11) 9${String(80_000_000 + i).replace(/(\d{4})$/, '-$1')}`],
  ...[`Cidade ${i % 500}`, `${i % 977},50`, `Cliente desde ${2000 + (i % 26)}`],
]

async function keyAndAgent({ database: config }: Place) {
  const database = await openDatabase(config, () => {})
  const { db } = database
  const { id } = await userStore(db).create('bench')
  const { key } = await keyStore(db, keyFinder(db, false)).create(id, { name: 'bench', rateLimit: 100_000 })
  const agent = await agentStore(db).create(id, { name: 'Ana', systemPrompt: 'You are kind.' })
  await database.close()
  return { key, agentId: agent.id }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Samples memory and the time of a small request until `stop` is called. */
function watch({ pid, port }: Server, key: string) {
  const peak = { server: 0, child: 0 }
  const requestMs: number[] = []
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      peak.server = Math.max(peak.server, residentMb(pid))
      for (const child of childrenOf(pid)) {
        try {
          peak.child = Math.max(peak.child, residentMb(child))
        } catch {
          // it ended between two reads
        }
      }
      const start = performance.now()
      await (
        await fetch(`http://127.0.0.1:${port}/api/agents?limit=1`, { headers: { 'x-api-key': key } })
      ).arrayBuffer()
      requestMs.push(performance.now() - start)
      await sleep(20)
    }
  })()
  return async () => {
    isOver = true
    await looking
    return { ...peak, requestP99Ms: p99(requestMs), requestMaxMs: Math.max(...requestMs) }
  }
}

async function loopDelay(server: Server, wish: 'begin' | 'end'): Promise<LoopDelay> {
  server.child.send(wish)
  return (await once(server.child, 'message'))[0] as LoopDelay
}

async function measure(place: Place, what: string, file: { type: string; bytes: Buffer }): Promise<void> {
  const { key, agentId } = await keyAndAgent(place)
  const server = await startReal(place, ['--import', join(import.meta.dirname, '../api/loop-delay.ts')])
  const api = async (path: string, init: RequestInit = {}) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', ...(init.headers as object) }
    const answer = await fetch(`http://127.0.0.1:${server.port}/api${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const campaign = await api('/campaigns', { method: 'POST', body: JSON.stringify({ name: 'bench', agentId }) })
  const { id } = (await campaign.json()) as { id: string }
  await sleep(2000)
  const beforeMb = residentMb(server.pid)
  const stop = watch(server, key)
  await loopDelay(server, 'begin')
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  const begun = await api(`/campaigns/${id}/contacts`, {
    ...{ method: 'POST', headers: { 'content-type': file.type }, body: new Uint8Array(file.bytes) },
  })
  const answered = seconds()
  const importId = ((await begun.json()) as { id: string }).id
  for (;;) {
    const done = (await (await api(`/campaigns/${id}/imports/${importId}`)).json()) as Record<string, unknown>
    if (done.status === 'completed') {
      if (done.accepted !== rows) throw new Error(JSON.stringify(done))
      break
    }
    if (done.status === 'failed') throw new Error(String(done.error))
    await sleep(100)
  }
  const took = seconds()
  const delay = await loopDelay(server, 'end')
  const { server: serverMb, child, requestP99Ms, requestMaxMs } = await stop()
  print(
    `${what}: ${rows} rows, ${(file.bytes.length / 1e6).toFixed(1)} MB: accepted after ${answered} s, done after ${took} s; ` +
      `server ${beforeMb.toFixed(0)} MB before, ${serverMb.toFixed(0)} MB at most; reading process ${readerText(child)}; ` +
      `event-loop delay p99 ${delay.p99Ms.toFixed(1)} ms, max ${delay.maxMs.toFixed(0)} ms; ` +
      `another request p99 ${requestP99Ms.toFixed(0)} ms, max ${requestMaxMs.toFixed(0)} ms`,
  )
  const from = performance.now()
  const stopResults = watch(server, key)
  const results = await (await api(`/campaigns/${id}/results`)).arrayBuffer()
  const resultSeconds = ((performance.now() - from) / 1000).toFixed(1)
  const seen = await stopResults()
  print(
    `${what}: results as CSV, ${(results.byteLength / 1e6).toFixed(1)} MB in ${resultSeconds} s, server ${seen.server.toFixed(0)} MB at most`,
  )
  await server.stop()
}

const readerText = (mb: number) => (Number.isNaN(mb) ? 'not seen' : `${mb.toFixed(0)} MB at most`)

const load = execFileSync('cat', ['/proc/loadavg'], { encoding: 'utf8' }).split(' ')[0]
print(`load of the machine before: ${load}`)
const csv = Buffer.from(
  [columns, ...Array.from({ length: rows }, (_, i) => rowOf(i))].map((r) => r.join(';')).join('\n'),
)
const xlsx = await writeXlsx(
  columns,
  Array.from({ length: rows }, (_, i) => rowOf(i)),
)
const postgres = process.argv.includes('--postgres') ? await startPostgres() : null
const name = postgres ? 'PostgreSQL' : 'SQLite'
await measure(await newPlace(postgres?.url ?? null, 'import_csv'), `${name}, CSV`, { type: CSV, bytes: csv })
await measure(await newPlace(postgres?.url ?? null, 'import_xlsx'), `${name}, XLSX`, { type: XLSX, bytes: xlsx })
await postgres?.stop()
