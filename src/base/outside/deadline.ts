// Request time limits: in total, and between two chunks of the response.

export type Stopwatch = ReturnType<typeof stopwatch>

/** A signal that fires when the caller's does, when the total time is up, or when no chunk arrives in time. */
export function stopwatch(outer: AbortSignal, totalMs: number) {
  const stop = new AbortController()
  let isLate = false
  let isOver = false
  const leave = () => stop.abort()
  const late = () => {
    isLate = true
    stop.abort()
  }
  outer.addEventListener('abort', leave, { once: true })
  if (outer.aborted) leave()
  let total = setTimeout(late, totalMs)
  let idle: NodeJS.Timeout | undefined
  function expectWithin(ms: number): void {
    if (isOver) return
    if (idle) idle.refresh()
    else idle = setTimeout(late, ms).unref()
  }
  return {
    signal: stop.signal,
    isLate: () => isLate,
    isAborted: () => outer.aborted,
    expectWithin,
    /** Extends the limits once the response has started. */
    extend(longerMs: number, idleMs: number): void {
      clearTimeout(total)
      if (!isOver) total = setTimeout(late, longerMs).unref()
      expectWithin(idleMs)
    },
    end(): void {
      isOver = true
      clearTimeout(total)
      clearTimeout(idle)
      outer.removeEventListener('abort', leave)
    },
  }
}

/** The promise, unless the signal fires first; a late result is passed to `drop`. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal, drop?: (late: T) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      reject(new Error('aborted'))
      promise.then(drop, () => {})
    }
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
