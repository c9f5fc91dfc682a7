// Keeps the user on the page during an upload: the browser asks before the tab closes, and the back button does
// nothing.
import { useEffect } from 'react'
import { useUnsavedWarning } from '../unsaved-changes.ts'
import { onBackNavigation } from './back-navigation.ts'

export function useStay(isSending: boolean): void {
  useUnsavedWarning(isSending)
  useEffect(() => {
    if (!isSending) return
    const address = location.href
    return onBackNavigation((event) => {
      event.stopImmediatePropagation()
      history.pushState(null, '', address)
    })
  }, [isSending])
}
