// Hot queries are built and compiled once: building one anew costs more than SQLite takes to answer it.
import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** A way past the query layer for reads that are compiled already; undefined: go through it. */
export type DirectRead = (text: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]> | undefined

const directReads = new WeakMap<object, DirectRead>()

/** Each kind of database offers its own, where it has one. */
export const offerDirectReads = (db: Kysely<Tables>, read: DirectRead) => void directReads.set(db, read)

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** `build` gets a stand-in for each argument; the result runs the compiled select with the real ones. */
export function prepared<A extends Record<string, string | number | null>, R>(
  db: Kysely<Tables>,
  build: (slot: <K extends keyof A & string>(name: K) => A[K]) => Compilable<R>,
): (args: A) => Promise<R[]> {
  let compiled: CompiledQuery<R> | undefined
  return async (args) => {
    compiled ??= build((name) => new Slot(name) as never).compile()
    const parameters = compiled.parameters.map((p) => (p instanceof Slot ? args[p.name] : p))
    const direct = directReads.get(db)?.(compiled.sql, parameters)
    if (direct) return (await direct) as R[]
    return (await db.executeQuery<R>({ ...compiled, parameters })).rows
  }
}
