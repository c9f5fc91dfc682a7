// The whole platform as a separate process that reports its resources. Only the SIP timers are shorter than the RFC's,
// so that a measurement need not wait half a minute for completed transactions.
import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { buildApp } from '../../src/app.ts'
import { createLog } from '../../src/base/process/log.ts'
import { readConfig } from '../../src/config/load.ts'
import type { Look } from './looks.ts'
import { timers } from './sip-timers.ts'

export type Started = { url: string; key: string }

const AT_REST_MS = 400
/** Counts timers that do not keep the process alive too, which Node does not report. */
const Timeout = setTimeout(() => {}, 0).constructor

const config = readConfig(process.env)
const app = await buildApp(config, createLog(config.logLevel), { timers })
const url = await app.listen()
const { db } = app.database

const count = async (table: 'calls' | 'messages' | 'callTurns'): Promise<number> =>
  Number(
    (
      await db
        .selectFrom(table)
        .select((q) => q.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

async function rowsNow(): Promise<Look['rows']> {
  const open = db.selectFrom('calls').where('endedAt', 'is', null)
  const { count: unended } = await open.select((q) => q.fn.countAll().as('count')).executeTakeFirstOrThrow()
  const [calls, messages, turns] = [await count('calls'), await count('messages'), await count('callTurns')]
  return { calls, unended: Number(unended), messages, turns }
}

function descriptors(): { sockets: number; files: number } {
  const names = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return [] // the descriptor of the folder itself
    }
  })
  return { sockets: names.filter((name) => name.startsWith('socket:')).length, files: names.length }
}

async function mediaMs(): Promise<number> {
  const begin = performance.now()
  const leg = await app.phone?.media.open()
  await leg?.stats()
  await leg?.close()
  return performance.now() - begin
}

async function look(calls: number): Promise<Look> {
  const rows = await rowsNow()
  const [live, legs] = [app.phone?.live.total ?? 0, app.phone?.media.load().legs ?? 0]
  const tookMs = await mediaMs()
  const before = process.cpuUsage()
  await sleep(AT_REST_MS)
  const { user, system } = process.cpuUsage(before)
  globalThis.gc?.()
  await sleep(20)
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return {
    calls,
    heapMb: heapUsed / 1e6,
    buffersMb: external / 1e6,
    residentMb: rss / 1e6,
    ...descriptors(),
    timers: Number(queryObjects(Timeout)),
    signals: Number(queryObjects(AbortSignal)),
    threads: readdirSync('/proc/self/task').length,
    live,
    legs,
    mediaMs: tookMs,
    atRest: (user + system) / 1000 / AT_REST_MS,
    rows,
  }
}

process.on('message', async ({ calls }: { calls: number }) => process.send?.(await look(calls)))
// The parent process is gone, so exit.
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
process.send?.({ url, key: app.firstKey ?? config.bootstrapKey ?? '' } satisfies Started)
