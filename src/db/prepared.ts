// Compiles hot queries once: building one takes longer than SQLite needs to run it.
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Db } from './db.ts'
import type { Tables } from './tables.ts'

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Args = Record<string, string | number | null>
type Build<A extends Args, R> = (slot: <K extends keyof A & string>(name: K) => A[K]) => Compilable<R>

/** `build` gets a placeholder for each argument; the result fills in the values. */
function filled<A extends Args, R>(build: Build<A, R>): (args: A) => CompiledQuery<R> {
  let compiled: CompiledQuery<R> | undefined
  return (args) => {
    compiled ??= build((name) => new Slot(name) as never).compile() // stands for a value of any type
    const { query, queryId, sql, parameters } = compiled
    return { query, queryId, sql, parameters: parameters.map((p) => (p instanceof Slot ? args[p.name] : p)) }
  }
}

/** For a select; on PostgreSQL for any statement, as its own transaction. */
export function prepared<A extends Args, R>(db: Db, build: Build<A, R>): (args: A) => Promise<R[]> {
  const queryOf = filled(build)
  return async (args) => {
    const query = queryOf(args)
    const direct = db.runNow(query.sql, query.parameters)
    return (direct as R[] | Promise<R[]> | undefined) ?? (await db.executeQuery<R>(query)).rows
  }
}

/** For a change within a transaction. */
export function preparedChange<A extends Args, R>(build: Build<A, R>): (trx: Kysely<Tables>, args: A) => Promise<R[]> {
  const queryOf = filled(build)
  return async (trx, args) => (await trx.getExecutor().executeQuery<R>(queryOf(args))).rows
}
