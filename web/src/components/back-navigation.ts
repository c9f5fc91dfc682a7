// The browser's back button, heard before the router hears it: listeners of the window are called in the order in which they came.
type Listener = (event: PopStateEvent) => void
let hear: Listener | null = null

/** Once, before anything is drawn. */
export const watchBackNavigation = () => addEventListener('popstate', (event) => hear?.(event))

/** Returns how to stop that. */
export function onBackNavigation(tell: Listener): () => void {
  hear = tell
  return () => {
    if (hear === tell) hear = null
  }
}
