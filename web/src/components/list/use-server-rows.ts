// A list loaded page by page from the server. Live lists refresh only their first page when events arrive.
import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api, unwrap } from '../../api.ts'
import { nextCursor } from '../next-cursor.ts'
import type { Rows } from './list-types.ts'
import { mergeFirstPage } from './merge-first-page.ts'

const KEY = 'long list'
/** Page sizes. The first page is small, because the user waits for it. */
const [FIRST, NEXT, FRESH, EXPORTED] = [60, 500, 50, 500]

type Get = (path: string, options: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>
type Read = { query: Record<string, string>; limit: number; cursor?: string | undefined; signal: AbortSignal }

async function readPage<T>(path: string, { query, limit, cursor, signal }: Read) {
  const params = { query: { ...query, limit, ...(cursor ? { cursor } : {}) } }
  const answer = (api.GET as unknown as Get)(path, { params, signal })
  return { rows: (await unwrap(answer)) as T[], next: nextCursor((await answer).response.headers.get('link')) }
}

/** Yields every page of a list, for an export. */
export async function* allPages<T>(
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<readonly T[]> {
  let cursor: string | undefined
  do {
    const page = await readPage<T>(path, { query, limit: EXPORTED, cursor, signal })
    yield page.rows
    cursor = page.next
  } while (cursor)
}

export type ServerRows<T> = {
  query: Record<string, string>
  /** For lists that update live: returns the time they are sorted by. */
  liveBy?: (row: T) => string
}

export function useServerRows<T extends { id: string }>(path: string, { query, liveBy }: ServerRows<T>): Rows<T> {
  // In a list with a custom order there is no telling where a new row belongs: refetch it as a whole.
  const isLive = liveBy !== undefined && query.sort === undefined
  const reading = useInfiniteQuery({
    queryKey: isLive ? [KEY, `pages of ${path}`, query] : [KEY, path, query, 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage<T>(path, { query, limit: cursor ? NEXT : FIRST, cursor, signal }),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    gcTime: 300_000,
    structuralSharing: false, // comparing thousands of unchanged rows is slow
    ...(isLive ? { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
  })
  const top = useQuery({
    queryKey: [KEY, path, query],
    queryFn: async ({ signal }) => (await readPage<T>(path, { query, limit: FRESH, signal })).rows,
    enabled: isLive && reading.data !== undefined && !reading.isPlaceholderData,
    staleTime: 2000,
  })
  const { pages } = reading.data ?? {}
  const read = useMemo(() => pages?.flatMap(({ rows }) => rows), [pages])
  const fresh = isLive ? top.data : undefined
  const rows = useMemo(() => read && (liveBy ? mergeFirstPage(read, fresh, liveBy) : read), [read, fresh, liveBy])
  return {
    rows,
    error: reading.error,
    refetch: reading.refetch,
    hasMore: reading.hasNextPage,
    isStale: reading.isPlaceholderData,
    more: () => {
      if (reading.hasNextPage && !reading.isFetchingNextPage) void reading.fetchNextPage()
    },
    all: (signal) => allPages<T>(path, query, signal),
  }
}

type Pages = { pages: { rows: { id: string }[] }[] }

/** Removes deleted rows from every cached list: pages that are already loaded are not fetched again. */
export function dropRows(client: QueryClient, ids: ReadonlySet<string>): void {
  const left = (rows: { id: string }[]) => rows.filter(({ id }) => !ids.has(id))
  client.setQueriesData<Pages | { id: string }[]>({ queryKey: [KEY] }, (data) => {
    if (Array.isArray(data)) return left(data)
    return data && { ...data, pages: data.pages.map((page) => ({ ...page, rows: left(page.rows) })) }
  })
}

/** Call after a deletion elsewhere: lists restart from their first page when opened next. */
export function useResetLists(): () => void {
  const client = useQueryClient()
  return useCallback(() => client.removeQueries({ queryKey: [KEY] }), [client])
}
