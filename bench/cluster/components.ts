// The cost of the other parts of a cluster: CPU of PostgreSQL, Redis and Kamailio, transactions, write-ahead log,
// commands.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import pg from 'pg'

export type Work = {
  postgresSeconds: number
  transactions: number
  walBytes: number
  redisSeconds: number
  redisCommands: number
  proxySeconds: number
}

export type ComponentParts = {
  databaseUrl: string
  redisUrl: string
  pids: Record<'postgres' | 'redis' | 'proxy', number>
}

/** Reads the totals; the difference of two readings is the work between them. */
export async function openComponents({ databaseUrl, redisUrl, pids }: ComponentParts) {
  const database = new pg.Client(databaseUrl)
  await database.connect()
  const redis = new Redis(redisUrl)
  return {
    async read(): Promise<Work> {
      const { rows } = await database.query(
        `select xact_commit::float8 as transactions, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal
         from pg_stat_database where datname = current_database()`,
      )
      const commands = /total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1]
      return {
        postgresSeconds: treeSeconds(pids.postgres),
        transactions: rows[0].transactions,
        walBytes: rows[0].wal,
        redisSeconds: treeSeconds(pids.redis),
        redisCommands: Number(commands),
        proxySeconds: treeSeconds(pids.proxy),
      }
    },
    async close(): Promise<void> {
      redis.disconnect()
      await database.end()
    },
  }
}

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** User and system time of a process and its descendants, including those that have exited. */
function treeSeconds(root: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8')
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
        return [{ pid: Number(name), parent: Number(fields[1]), ticks }]
      } catch {
        return [] // the process has exited meanwhile
      }
    })
  const inTree = new Set([root])
  for (const { pid, parent } of stats.toSorted((a, b) => a.pid - b.pid)) if (inTree.has(parent)) inTree.add(pid)
  return stats.reduce((sum, { pid, ticks }) => (inTree.has(pid) ? sum + ticks : sum), 0) / TICKS
}
