// Runs a task once at a time: requests during a run share the next one.

export function coalesced<T>(task: () => Promise<T>) {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  function start(): Promise<T> {
    next = undefined
    const current = task().finally(() => {
      if (running === current) running = undefined
    })
    running = current
    return current
  }

  return {
    /** Starts a run, or joins the next one if a run is in progress. */
    run(): Promise<T> {
      if (next) return next
      if (!running) return start()
      next = running.then(start, start)
      return next
    },

    /** Resolves when no run is in progress or pending. Errors go to the callers of `run`, not here. */
    async idle(): Promise<void> {
      while (running) await running.catch(() => {})
    },
  }
}
