// The browser's back button, heard before the router hears it: listeners of the window are called in the order in which they came.
type Hear = (event: PopStateEvent) => void
let hear: Hear | null = null

/** Once, before anything is drawn. */
export const watchGoingBack = () => addEventListener('popstate', (event) => hear?.(event))

/** Returns how to stop that. */
export function whenGoingBack(tell: Hear): () => void {
  hear = tell
  return () => {
    if (hear === tell) hear = null
  }
}
