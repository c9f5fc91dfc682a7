// Waits that end early, by a time limit or an AbortSignal. The abandoned promise keeps running; if it rejects later,
// that is ignored.

/** The voice engine passes its own clock, which a simulation runs faster than real time. */
export type SleepClock = { sleep(ms: number, signal: AbortSignal): Promise<unknown> }

/** Ends early, without an exception, when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal, keepsAlive = true): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end) // a call's signal outlives many sleeps
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (!keepsAlive) timer.unref()
    signal.addEventListener('abort', end)
  })
}

const realClock: SleepClock = { sleep: (ms, signal) => sleep(ms, signal, false) }

/** The promise's value, or `undefined` if it does not settle within `ms`. */
export async function waitAtMost<T>(
  ms: number,
  promise: Promise<T>,
  clock: SleepClock = realClock,
): Promise<T | undefined> {
  const settled = new AbortController()
  try {
    return await Promise.race([promise, clock.sleep(ms, settled.signal).then(() => undefined)])
  } finally {
    settled.abort(CANCELLED)
  }
}

/**
 * The promise's value; throws `onTimeout()` if it does not settle within `ms`. If this process itself was suspended,
 * responses may have arrived meanwhile: they are read before giving up.
 */
export async function withTimeout<T>(ms: number, promise: Promise<T>, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(onTimeout())), ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** The promise's value, or `onAbort()` as soon as the signal aborts; `onAbort` may throw. */
export async function raceAbort<T, A>(signal: AbortSignal, promise: Promise<T>, onAbort: () => A): Promise<T | A> {
  const aborted = Promise.withResolvers<A>()
  const abort = () => {
    try {
      aborted.resolve(onAbort())
    } catch (error) {
      aborted.reject(error)
    }
  }
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Abort reason for work that has ended or is no longer needed. Without a shared one, each abort creates an exception
 * with a stack.
 */
export const CANCELLED = new DOMException('This operation was aborted', 'AbortError')
