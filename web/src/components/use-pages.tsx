// A list loaded page by page; the Link header holds the URL of the next page.
import { Button, Center } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { nextCursor } from './next-cursor.ts'

export type Pages<T> = {
  data: T[] | undefined
  error: unknown
  refetch: () => unknown
  hasMore: boolean
  isReadingMore: boolean
  more: () => unknown
}

type Get = (path: string, options: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>

/** `path` must have its ids filled in. */
export function usePages<T>(path: string, query: Record<string, string> = {}, limit = 50): Pages<T> {
  const reading = useInfiniteQuery({
    queryKey: ['get', path, { query, limit }],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam: cursor, signal }) {
      const params = { query: { ...query, limit, ...(cursor ? { cursor } : {}) } }
      const answer = (api.GET as unknown as Get)(path, { params, signal })
      const rows = (await unwrap(answer)) as T[]
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

export function LoadMore({ pages }: { pages: Pages<unknown> }) {
  const t = useTexts(commonTexts)
  if (!pages.hasMore) return null
  return (
    <Center>
      <Button variant="default" loading={pages.isReadingMore} onClick={() => void pages.more()}>
        {t.more}
      </Button>
    </Center>
  )
}
