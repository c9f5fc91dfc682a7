// Keyset pagination in any order: what a list is sorted by, and the condition for the rows after a cursor.
import { type RawBuilder, sql } from 'kysely'

/** `by`: the name of a sort key; see each list's own keys. */
export type Sort = { by: string; isDescending: boolean }

/** A value that rows are sorted by. Rows with the same value are sorted by id. */
export type SortKey<R> = {
  expression: RawBuilder<unknown>
  /** The cursor's text as a value to compare the expression with. It comes from the client. */
  bound(at: string): RawBuilder<unknown>
  /** The value of a row, as the text of a cursor. */
  textOf(row: R): string
}
export type SortKeys<R> = Readonly<Record<string, SortKey<R>>>

type Row = Record<string, unknown>

/** Times, and other texts that sort by their bytes. */
export const byColumn = <R extends object>(column: keyof R & string): SortKey<R> => ({
  expression: sql.ref(column),
  bound: (at) => sql`cast(${at} as text)`,
  textOf: (row) => String((row as Row)[column]),
})

/** Names, without case. The database folds the column and the cursor alike: each has its own idea of lower case. */
export const byName = <R extends object>(column: keyof R & string): SortKey<R> => ({
  expression: sql`lower(${sql.ref(column)})`,
  bound: (at) => sql`lower(cast(${at} as text))`,
  textOf: (row) => String((row as Row)[column]),
})

const MAX_INTEGER = 2_147_483_647

/** Whole numbers; rows without one count as less than all others. */
export const byNumber = <R extends object>(column: keyof R & string): SortKey<R> => ({
  expression: sql`coalesce(${sql.ref(column)}, -1)`,
  bound: (at) => {
    const number = Math.trunc(Number(at)) || 0
    return sql`cast(${Math.max(-1, Math.min(MAX_INTEGER, number))} as integer)`
  },
  textOf: (row) => String((row as Row)[column] ?? -1),
})

/** The rows after the cursor (value, id), in this order. */
export const isAfter = <R>(key: SortKey<R>, { isDescending }: Sort, after: { at: string; id: string }) =>
  sql<boolean>`(${key.expression}, ${sql.ref('id')}) ${sql.raw(isDescending ? '<' : '>')} (${key.bound(after.at)}, ${after.id})`
