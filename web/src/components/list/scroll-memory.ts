// Where a list was left: the back button shows it at the same row.
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
      // The last one used is the last one forgotten.
      positions.delete(key)
      positions.set(key, window.scrollY)
      const [oldest] = positions.keys()
      if (positions.size > KEPT && oldest !== undefined) positions.delete(oldest)
    }
    addEventListener('scroll', save, { passive: true })
    return () => removeEventListener('scroll', save)
  }, [key])
}
