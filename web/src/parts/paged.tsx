// A long list, read page by page: the address of the next page is in the answer's Link header.
import { Button, Center } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api, done } from '../api.ts'
import { common } from '../i18n/common.ts'
import { useWords } from '../i18n/words.tsx'
import { nextCursor } from './next-cursor.ts'

export type Paged<T> = {
  data: T[] | undefined
  error: unknown
  refetch: () => unknown
  hasMore: boolean
  isReadingMore: boolean
  more: () => unknown
}

type Get = (path: string, options: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>

/** `path` as it is in the address, with its ids filled in. */
export function usePaged<T>(path: string, query: Record<string, string> = {}, limit = 50): Paged<T> {
  const reading = useInfiniteQuery({
    queryKey: ['get', path, { query, limit }],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam: cursor, signal }) {
      const params = { query: { ...query, limit, ...(cursor ? { cursor } : {}) } }
      const answer = (api.GET as unknown as Get)(path, { params, signal })
      const rows = (await done(answer)) as T[]
      return { rows, next: nextCursor((await answer).response.headers.get('link')) }
    },
    getNextPageParam: (last) => last.next,
  })
  return {
    data: reading.data?.pages.flatMap(({ rows }) => rows),
    error: reading.error,
    refetch: reading.refetch,
    hasMore: reading.hasNextPage,
    isReadingMore: reading.isFetchingNextPage,
    more: reading.fetchNextPage,
  }
}

export function More({ of }: { of: Paged<unknown> }) {
  const t = useWords(common)
  if (!of.hasMore) return null
  return (
    <Center>
      <Button variant="default" loading={of.isReadingMore} onClick={() => void of.more()}>
        {t.more}
      </Button>
    </Center>
  )
}
