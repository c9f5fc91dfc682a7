// The rows of a short list, loaded in one request.
import { useMemo } from 'react'
import type { ListAddress } from './list-address.ts'
import type { Rows } from './list-types.ts'
import { type LocalRules, localRows } from './local-rows.ts'

type Query<T> = { data: readonly T[] | undefined; error: unknown; refetch: () => unknown }

/** `rules` must be referentially stable. */
export function useLocalRows<T>(query: Query<T>, address: ListAddress, rules: LocalRules<T>): Rows<T> {
  const { data } = query
  const rows = useMemo(() => data && localRows(data, address, rules), [data, address, rules])
  return {
    rows,
    error: query.error,
    refetch: query.refetch,
    hasMore: false,
    isStale: false,
    more: () => {},
    async *all() {
      yield rows ?? []
    },
  }
}
