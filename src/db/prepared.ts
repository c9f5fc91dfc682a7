// Hot queries are built and compiled once: building one anew costs more than SQLite takes to answer it.
import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** `build` gets a stand-in for each argument; the result runs the compiled query with the real ones. */
export function prepared<A extends Record<string, string | number | null>, R>(
  db: Db,
  build: (slot: <K extends keyof A & string>(name: K) => A[K]) => Compilable<R>,
): (args: A) => Promise<R[]> {
  let compiled: CompiledQuery<R> | undefined
  return async (args) => {
    compiled ??= build((name) => new Slot(name) as never).compile()
    const parameters = compiled.parameters.map((p) => (p instanceof Slot ? args[p.name] : p))
    return (await db.executeQuery<R>({ ...compiled, parameters })).rows
  }
}
