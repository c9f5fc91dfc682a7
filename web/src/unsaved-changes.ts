// Tracks unsaved changes on this page: the browser warns before the page closes, and a reload asks first.
import { useEffect } from 'react'

const unsaved = new Set<object>()
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

export const hasUnsavedChanges = (): boolean => unsaved.size > 0

/** Marks changes as unsaved; returns the function that unmarks them. */
export function markUnsaved(): () => void {
  const mark = {}
  if (unsaved.size === 0) addEventListener('beforeunload', ask)
  unsaved.add(mark)
  return () => {
    unsaved.delete(mark)
    if (unsaved.size === 0) removeEventListener('beforeunload', ask)
  }
}

/** Warns before the window closes while `isDirty` is true. */
export function useUnsavedWarning(isDirty: boolean): void {
  useEffect(() => (isDirty ? markUnsaved() : undefined), [isDirty])
}

/** Reloads without the browser's own prompt, because the page has already asked. */
export function reloadPage(): void {
  unsaved.clear()
  removeEventListener('beforeunload', ask)
  location.reload()
}
