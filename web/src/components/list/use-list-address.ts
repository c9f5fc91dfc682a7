// The list's search, filters and order, kept in the page's address: the back button and a shared link bring them back.
import { useCallback, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { apiQuery, type FilterField, type ListAddress, readAddress, writeAddress } from './list-address.ts'

export type UsedAddress = {
  address: ListAddress
  /** As parameters of the API. */
  query: Record<string, string>
  /** Typing replaces the entry of the browser's history that its first letter made. */
  change: (next: Partial<ListAddress>, isTyping?: boolean) => void
  clear: () => void
}

/** `fields` and `sorts` must be stable. */
export function useListAddress(fields: readonly FilterField[], sorts: readonly string[] = []): UsedAddress {
  const [params, setParams] = useSearchParams()
  const text = params.toString()
  const address = useMemo(() => readAddress(new URLSearchParams(text), fields, sorts), [text, fields, sorts])
  const query = useMemo(() => apiQuery(address, fields), [address, fields])
  const typed = useRef<string | null>(null)
  const change = useCallback(
    (next: Partial<ListAddress>, isTyping = false) => {
      const written = writeAddress({ ...address, ...next })
      if (written.toString() === writeAddress(address).toString()) return
      setParams(written, { replace: isTyping && typed.current === text })
      typed.current = isTyping ? written.toString() : null
    },
    [address, setParams, text],
  )
  const clear = useCallback(() => change({ q: '', values: {} }), [change])
  return { address, query, change, clear }
}
