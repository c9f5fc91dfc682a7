// Handles the browser's back button before the router does: window listeners run in the order they were added.
type Listener = (event: PopStateEvent) => void
let hear: Listener | null = null

/** A page that opens this soon after the back button was opened by it. */
const BACK_MS = 2000
let wentBackAt = Number.NEGATIVE_INFINITY

/** Call once, before the first render. */
export const watchBackNavigation = () =>
  addEventListener('popstate', (event) => {
    wentBackAt = performance.now()
    hear?.(event)
  })

/** Whether the back button opened the page that is mounting. */
export const isBackNavigation = (): boolean => performance.now() - wentBackAt < BACK_MS

export function onBackNavigation(tell: Listener): () => void {
  hear = tell
  return () => {
    if (hear === tell) hear = null
  }
}
