// Keyset pagination in any order: sort keys, and the condition for rows after a cursor.
import { type RawBuilder, sql } from 'kysely'

/** `by`: the name of one of the list's sort keys. */
export type Sort = { by: string; isDescending: boolean }

/** A sort key. Rows with the same value are sorted by id. */
export type SortKey<R> = {
  expression: RawBuilder<unknown>
  /** Converts the cursor's text to a value that compares with the expression. The text comes from the client. */
  bound(at: string): RawBuilder<unknown>
  /** A row's value as cursor text. */
  textOf(row: R): string
}
export type SortKeys<R> = Readonly<Record<string, SortKey<R>>>

type Row = Record<string, unknown>

/** For times, and other texts that sort by their bytes. */
export const byColumn = <R extends object>(column: keyof R & string): SortKey<R> => ({
  expression: sql.ref(column),
  bound: (at) => sql`cast(${at} as text)`,
  textOf: (row) => String((row as Row)[column]),
})

/**
 * For names, ignoring case. The database folds both column and cursor, because each database has its own idea of lower
 * case.
 */
export const byName = <R extends object>(column: keyof R & string): SortKey<R> => ({
  expression: sql`lower(${sql.ref(column)})`,
  bound: (at) => sql`lower(cast(${at} as text))`,
  textOf: (row) => String((row as Row)[column]),
})

const MAX_INTEGER = 2_147_483_647

/** For whole numbers; rows without one sort below all others. */
export const byNumber = <R extends object>(column: keyof R & string): SortKey<R> => ({
  expression: sql`coalesce(${sql.ref(column)}, -1)`,
  bound: (at) => {
    const number = Math.trunc(Number(at)) || 0
    return sql`cast(${Math.max(-1, Math.min(MAX_INTEGER, number))} as integer)`
  },
  textOf: (row) => String((row as Row)[column] ?? -1),
})

/** Rows after the cursor (value, id), in this order. */
export const isAfter = <R>(key: SortKey<R>, { isDescending }: Sort, after: { at: string; id: string }) =>
  sql<boolean>`(${key.expression}, ${sql.ref('id')}) ${sql.raw(isDescending ? '<' : '>')} (${key.bound(after.at)}, ${after.id})`
