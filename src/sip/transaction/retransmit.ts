// Sends something again, at distances that double, until somebody stops it or its time is over.

export type Repeat = {
  firstMs: number
  /** The longest distance between two. */
  maxMs: number
  /** When to give up. */
  limitMs: number
  send(): void
  giveUp(): void
}

/** The first sending is the caller's; this does the others. Returns the stop. */
export function repeat({ firstMs, maxMs, limitMs, send, giveUp }: Repeat): () => void {
  let distance = firstMs
  let again = setTimeout(function tick() {
    distance = Math.min(distance * 2, maxMs)
    again = setTimeout(tick, distance)
    send()
  }, firstMs)
  const end = setTimeout(() => {
    stop()
    giveUp()
  }, limitMs)
  const stop = () => {
    clearTimeout(again)
    clearTimeout(end)
  }
  return stop
}
