// Import of a contact list as CSV and as XLSX into the real server: duration, memory of the server and of the process
// that reads the file, event-loop delay, latency of another request meanwhile; and the export of the results as CSV.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CSV, XLSX } from '../../src/csv-xlsx/sheet-files.ts'
import { writeXlsx } from '../../src/csv-xlsx/xlsx.ts'
import { openDatabase } from '../../src/db/database.ts'
import { agentStore } from '../../src/features/agents/store.ts'
import { keyFinder } from '../../src/features/keys/finder-store.ts'
import { keyStore } from '../../src/features/keys/store.ts'
import { userStore } from '../../src/features/users/store.ts'
import type { LoopDelay } from '../api/loop-delay.ts'
import { residentMb } from '../api/proc.ts'
import { newPlace, type Place, type Server, startReal } from '../api/servers.ts'
import { ask } from '../report/child.ts'
import { type Figure, largest, percentile } from '../report/figures.ts'

const LIMIT_SECONDS = 300
const columns = ['nome', 'telefone', 'cidade', 'valor', 'observação']
const rowOf = (i: number) => [
  ...[`Pessoa ${i} da Silva`, `(11) 9${String(80_000_000 + i).replace(/(\d{4})$/, '-$1')}`],
  ...[`Cidade ${i % 500}`, `${i % 977},50`, `Cliente desde ${2000 + (i % 26)}`],
]

async function keyAndAgent({ database: config }: Place) {
  const database = await openDatabase(config, () => {})
  const { db } = database
  const { id } = await userStore(db).create('bench')
  const keys = keyStore(db, keyFinder(db, false))
  const { key } = await keys.create({ userId: id, personId: id }, { name: 'bench', rateLimit: 100_000 })
  const agent = await agentStore(db).create(id, { name: 'Ana', systemPrompt: 'You are kind.' })
  await database.close()
  return { key, agentId: agent.id }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Samples memory and the latency of a small request until `stop` is called. */
function watch({ pid, port }: Server, key: string) {
  const peak: { serverMb: Figure; readerMb: Figure } = { serverMb: null, readerMb: null }
  const requestMs: number[] = []
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      peak.serverMb = largest([peak.serverMb, residentMb(pid)])
      for (const child of childrenOf(pid)) {
        try {
          peak.readerMb = largest([peak.readerMb, residentMb(child)])
        } catch {
          // the process ended between the two reads
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
    return { ...peak, requestP99Ms: percentile(requestMs, 0.99), requestMaxMs: largest(requestMs) }
  }
}

function loopDelay(server: Server, wish: 'begin' | 'end'): Promise<LoopDelay> {
  return ask<LoopDelay>(server.child, wish)
}

export type ImportRow = {
  kind: string
  fileMb: number
  acceptedSeconds: number
  doneSeconds: number
  beforeMb: number
  serverMb: Figure
  readerMb: Figure
  loopP99Ms: Figure
  loopMaxMs: Figure
  requestP99Ms: Figure
  requestMaxMs: Figure
  resultMb: number
  resultSeconds: number
}
type File = { kind: string; type: string; bytes: Buffer; rows: number }

async function measure(place: Place, { kind, type, bytes, rows }: File): Promise<ImportRow> {
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
  const seconds = () => (performance.now() - start) / 1000
  const begun = await api(`/campaigns/${id}/contacts`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(bytes),
  })
  const acceptedSeconds = seconds()
  const importId = ((await begun.json()) as { id: string }).id
  for (;;) {
    if (seconds() > LIMIT_SECONDS) throw new Error(`the import of ${rows} rows is not over after ${LIMIT_SECONDS} s`)
    const done = (await (await api(`/campaigns/${id}/imports/${importId}`)).json()) as Record<string, unknown>
    if (done.status === 'completed') {
      if (done.accepted !== rows) throw new Error(JSON.stringify(done))
      break
    }
    if (done.status === 'failed') throw new Error(String(done.error))
    await sleep(100)
  }
  const doneSeconds = seconds()
  const delay = await loopDelay(server, 'end')
  const seen = await stop()
  const from = performance.now()
  const results = await (await api(`/campaigns/${id}/results`)).arrayBuffer()
  const resultSeconds = (performance.now() - from) / 1000
  await server.stop()
  return {
    kind,
    fileMb: bytes.length / 1e6,
    acceptedSeconds,
    doneSeconds,
    beforeMb,
    ...seen,
    loopP99Ms: delay.p99Ms,
    loopMaxMs: delay.maxMs,
    resultMb: results.byteLength / 1e6,
    resultSeconds,
  }
}

/** `postgresUrl`: null for SQLite; `name`: the name of a database that does not exist yet. */
export async function measureImports(rows: number, postgresUrl: string | null, name: string): Promise<ImportRow[]> {
  const list = Array.from({ length: rows }, (_, i) => rowOf(i))
  const csv = Buffer.from([columns, ...list].map((row) => row.join(';')).join('\n'))
  const xlsx = await writeXlsx(columns, list)
  return [
    await measure(await newPlace(postgresUrl, `${name}_csv`), { kind: 'CSV', type: CSV, bytes: csv, rows }),
    await measure(await newPlace(postgresUrl, `${name}_xlsx`), { kind: 'XLSX', type: XLSX, bytes: xlsx, rows }),
  ]
}
