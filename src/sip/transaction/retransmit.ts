// Retransmission with doubling intervals, until stopped or timed out.

export type Retransmission = {
  firstMs: number
  /** The longest interval. */
  maxMs: number
  /** When to give up. */
  limitMs: number
  send(): void
  giveUp(): void
}

/** The caller sends first; this sends the rest. Returns the stop function. */
export function retransmit({ firstMs, maxMs, limitMs, send, giveUp }: Retransmission): () => void {
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
