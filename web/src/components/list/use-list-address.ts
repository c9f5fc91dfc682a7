// The list's search, filters and sort order, kept in the page's URL, so that the back button and shared links restore
// them.
import { useCallback, useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { apiQuery, type FilterField, type ListAddress, readAddress, writeAddress } from './list-address.ts'

export type UsedAddress = {
  address: ListAddress
  /** The address as API parameters. */
  query: Record<string, string>
  /** With `isTyping`, further changes replace the history entry that the first keystroke created. */
  change: (next: Partial<ListAddress>, isTyping?: boolean) => void
  clear: () => void
}

/** `fields` and `sorts` must be referentially stable. */
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
