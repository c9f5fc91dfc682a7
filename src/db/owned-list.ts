// An owner's rows in pages: sorted as the client chooses, filtered by columns, and searched ignoring accents and case.
import { setImmediate as breathe } from 'node:timers/promises'
import { type Compilable, sql } from 'kysely'
import { searchOf } from '../base/text/search-text.ts'
import type { Db } from './database.ts'
import { type Cursor, isPresent, type OwnedTable, ownedPage, type PageRequest } from './owned.ts'
import { byColumn, isAfter, type Sort, type SortKey, type SortKeys } from './sorting.ts'
import type { Tables } from './tables.ts'

/** Rows searched at a time: SQLite runs in this thread, and a long search must not block other requests. */
const SLICE = 500

export type ListRules<R> = {
  sorts: SortKeys<R>
  /** Columns whose text is searched. */
  searched: readonly (keyof R & string)[]
}
export type ListFilter<R> = { q?: string | undefined; where?: Partial<R> }

const NEWEST: Sort = { by: 'createdAt', isDescending: true }

export function ownedList<T extends OwnedTable>(db: Db, table: T, rules: ListRules<Tables[T]>) {
  type R = Tables[T] & { id: string; createdAt: string }
  const newest = ownedPage(db, table)
  /** Kysely cannot resolve a row's type if the table is a type parameter. */
  const rowsOf = async <O>(query: Compilable): Promise<O[]> => (await db.executeQuery(query as Compilable<O>)).rows
  const keyOf = ({ by }: Sort) => (rules.sorts[by] ?? byColumn<R>('createdAt')) as SortKey<R>

  function inOrder(userId: string, where: Partial<R>, sort: Sort, after?: Cursor) {
    const key = keyOf(sort)
    const direction = sort.isDescending ? 'desc' : 'asc'
    let query = db
      .selectFrom(table as 'agents')
      .where('userId', '=', userId)
      .where(isPresent(table))
    for (const [column, value] of Object.entries(where))
      if (value !== undefined) query = query.where(sql.ref(column), value === null ? 'is' : '=', value)
    if (after) query = query.where(isAfter(key, sort, after))
    return query.orderBy(key.expression, direction).orderBy('id', direction)
  }

  async function search(userId: string, filter: ListFilter<R>, page: PageRequest): Promise<R[]> {
    const { sort = NEWEST, limit } = page
    const matches = searchOf(filter.q ?? '')
    const columns = [...new Set(['id', 'createdAt', ...Object.keys(rules.sorts), ...rules.searched])]
    const found: string[] = []
    for (let { after } = page; ; ) {
      const slice = inOrder(userId, filter.where ?? {}, sort, after)
        .select(columns as ['id'])
        .limit(SLICE)
      const rows = await rowsOf<R>(slice)
      found.push(...rows.filter((row) => matches(rules.searched.map((name) => row[name]))).map(({ id }) => id))
      const last = rows[SLICE - 1]
      if (!last || found.length >= limit) break
      after = { at: keyOf(sort).textOf(last), id: last.id }
      await breathe()
    }
    if (found.length === 0) return []
    const ids = found.slice(0, limit)
    return rowsOf(inOrder(userId, {}, sort).selectAll().where('id', 'in', ids))
  }

  return {
    async page(userId: string, filter: ListFilter<Tables[T]>, page: PageRequest): Promise<Tables[T][]> {
      if (filter.q?.trim()) return search(userId, filter as ListFilter<R>, page)
      const where = (filter.where ?? {}) as Partial<R>
      const isPlain = page.sort === undefined && Object.values(where).every((value) => value === undefined)
      if (isPlain) return newest(userId, page)
      const query = inOrder(userId, where, page.sort ?? NEWEST, page.after)
      return rowsOf(query.selectAll().limit(page.limit))
    },
    /** Cursor that continues after this row. */
    at: (row: Tables[T], sort: Sort = NEWEST): string => keyOf(sort).textOf(row as R),
  }
}
