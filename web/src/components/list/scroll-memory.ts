// Remembers the scroll position of lists, so that the back button returns to the same row.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { isBackNavigation } from '../back-navigation.ts'

const positions = new Map<string, number>()
const KEPT = 50

export function useScrollMemory(isReady: boolean): void {
  const [path] = useLocation()
  const key = `${path}?${useSearch()}`
  const restored = useRef(false)
  useLayoutEffect(() => {
    if (!isReady || restored.current) return
    restored.current = true
    const saved = positions.get(key)
    if (saved !== undefined && isBackNavigation()) window.scrollTo(0, saved)
  }, [isReady, key])
  useEffect(() => {
    const save = () => {
      // Re-inserts the key: the least recently used list is forgotten first.
      positions.delete(key)
      positions.set(key, window.scrollY)
      const [oldest] = positions.keys()
      if (positions.size > KEPT && oldest !== undefined) positions.delete(oldest)
    }
    addEventListener('scroll', save, { passive: true })
    return () => removeEventListener('scroll', save)
  }, [key])
}
