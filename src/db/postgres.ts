// PostgreSQL through `pg`, and which of its errors mean that the server is unreachable (503) rather than a bug (500).
import { createRequire } from 'node:module'
import { PostgresDialect } from 'kysely'
import type pg from 'pg'
import { runUnowned } from '../base/errors/error-containment.ts'
import { Db } from './db.ts'

/**
 * For a hanging server: requests get 503. Shorter for statements, because one reported as failed must not succeed
 * later.
 */
const LIMITS = { queryMs: 10_000, statementMs: 9000 }
/** Creating an index on a large table takes minutes, and so does waiting for another node that is creating it. */
export const UNLIMITED = { queryMs: 0, statementMs: 0 }

/** To open a connection, or wait for a free one. On a busy machine either may take seconds, which is not an outage. */
const CONNECT_MS = 5000

/** `onLost`: an idle connection broke. Without a listener, that error would end the process. */
export function openPostgres(url: string, onLost: (error: Error) => void, { queryMs, statementMs } = LIMITS): Db {
  const { Pool } = createRequire(import.meta.url)('pg') as typeof pg // only here, because SQLite starts without it
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: queryMs,
    application_name: 'ramal',
    onConnect: async (client) => void (await client.query(`set statement_timeout = ${statementMs}`)),
  })
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost)) // a connection that breaks while in use
  // Named statements are parsed and planned once per connection.
  const names = new Map<string, string>()
  // Connections are shared, so they get no fault owner.
  const shared = { connect: () => runUnowned(() => pool.connect()), end: () => pool.end(), options: pool.options }
  return new Db(new PostgresDialect({ pool: shared }), {
    runNow: async (text, values) => {
      const name = names.get(text) ?? `hot${names.size}`
      names.set(text, name)
      return (await runUnowned(() => pool.query({ name, text, values: values as unknown[] }))).rows
    },
  })
}

const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])
const awayMessages =
  /connection terminated|connection timeout|timeout exceeded|query read timeout|not queryable|client was closed/i

/** The subset of `isPostgresAway` where something took too long, possibly this statement or this process. */
export const isPostgresLate = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === '57014' || /timeout/i.test(error.message))

export function isPostgresAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isPostgresAway)
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  // SQLSTATE class 08: connection; 57P0x: shutting down or starting; 57014: our time limit;
  // 53200, 53300: out of memory or connections; 3D000: no such database
  if (typeof code === 'string' && !code.startsWith('ERR_'))
    return awayCodes.has(code) || /^(08...|57P0.|57014|53200|53300|3D000)$/.test(code)
  return awayMessages.test(error.message)
}
