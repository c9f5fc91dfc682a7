// The browser's back button, handled before the router: window listeners run in the order they were added.
type Listener = (event: PopStateEvent) => void
let hear: Listener | null = null

/** Call once, before the first render. */
export const watchBackNavigation = () => addEventListener('popstate', (event) => hear?.(event))

/** Returns the unsubscribe function. */
export function onBackNavigation(tell: Listener): () => void {
  hear = tell
  return () => {
    if (hear === tell) hear = null
  }
}
