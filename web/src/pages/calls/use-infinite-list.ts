// A long list read page by page. Events refresh its first page only; older pages are read once.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api, unwrap } from '../../api.ts'
import { nextCursor } from '../../components/next-cursor.ts'
import { mergeFirstPage } from './infinite-list.ts'

const KEY = 'long list'
const PAGE = 250
const FRESH = 50

export type InfiniteList<T> = {
  rows: readonly T[] | undefined
  error: unknown
  refetch: () => unknown
  hasMore: boolean
  isReading: boolean
  more: () => void
}

type Get = (path: string, options: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>

export function useInfiniteList<T extends { id: string; startedAt: string }>(
  path: string,
  query: object,
  page = PAGE,
): InfiniteList<T> {
  const ask = async (limit: number, cursor: string | undefined, signal: AbortSignal) => {
    const params = { query: { ...query, limit, ...(cursor ? { cursor } : {}) } }
    const answer = (api.GET as unknown as Get)(path, { params, signal })
    return { rows: (await unwrap(answer)) as T[], next: nextCursor((await answer).response.headers.get('link')) }
  }
  // Not keyed by the path: an event would refetch every page.
  const reading = useInfiniteQuery({
    queryKey: [KEY, `pages of ${path}`, query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => ask(page, pageParam, signal),
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 300_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false, // comparing thousands of unchanged rows is slow
  })
  const top = useQuery({
    queryKey: [KEY, path, query],
    queryFn: async ({ signal }) => (await ask(FRESH, undefined, signal)).rows,
    enabled: reading.data !== undefined,
    staleTime: 2000,
  })
  const { pages } = reading.data ?? {}
  const read = useMemo(() => pages?.flatMap(({ rows }) => rows), [pages])
  const rows = useMemo(() => read && mergeFirstPage(read, top.data), [read, top.data])
  return {
    rows,
    error: reading.error,
    refetch: reading.refetch,
    hasMore: reading.hasNextPage,
    isReading: reading.isFetching,
    more: () => {
      if (reading.hasNextPage && !reading.isFetchingNextPage) void reading.fetchNextPage()
    },
  }
}

/** After a deletion: lists start from their first page when opened next. */
export function useResetInfiniteLists(): () => void {
  const client = useQueryClient()
  return useCallback(() => client.removeQueries({ queryKey: [KEY] }), [client])
}
