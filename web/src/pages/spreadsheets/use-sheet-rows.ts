// Spreadsheet rows, loaded page by page. Edits are applied in place, so each costs a single request.
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SheetRow } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { nextCursor } from '../../components/next-cursor.ts'

const PAGE = 500
type PageOfRows = { rows: SheetRow[]; next: string | undefined }
type Pages = InfiniteData<PageOfRows, string | undefined>

export type SheetRows = ReturnType<typeof useSheetRows>

export function useSheetRows(id: string, q: string) {
  const client = useQueryClient()
  const queryKey = ['rows of a spreadsheet', id, q]
  const reading = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam: cursor, signal }): Promise<PageOfRows> {
      const query = { limit: PAGE, ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) }
      const answer = api.GET('/api/spreadsheets/{id}/rows', { params: { path: { id }, query }, signal })
      return { rows: await unwrap(answer), next: nextCursor((await answer).response.headers.get('link')) }
    },
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  })
  const rows = useMemo(() => reading.data?.pages.flatMap((page) => page.rows), [reading.data])
  const change = (how: (rows: SheetRow[], isLast: boolean) => SheetRow[]) =>
    client.setQueryData<Pages>(
      queryKey,
      (all) =>
        all && {
          ...all,
          pages: all.pages.map((page, i) => ({ ...page, rows: how(page.rows, i === all.pages.length - 1) })),
        },
    )
  return {
    rows,
    error: reading.error,
    refetch: reading.refetch,
    hasMore: reading.hasNextPage,
    isReading: reading.isFetching,
    more: () => {
      if (reading.hasNextPage && !reading.isFetchingNextPage) void reading.fetchNextPage()
    },
    put: (row: SheetRow) => change((all) => all.map((one) => (one.id === row.id ? row : one))),
    drop: (rowId: string) => change((all) => all.filter(({ id: one }) => one !== rowId)),
    /** Appends the row only if the end of the list is loaded. */
    add: (row: SheetRow) => change((all, isLast) => (isLast && !reading.hasNextPage ? [...all, row] : all)),
  }
}
