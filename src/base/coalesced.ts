// One run of a task at a time: requests that come during a run share the next one.

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
    /** A run that begins after this call, or now. */
    run(): Promise<T> {
      if (next) return next
      if (!running) return start()
      next = running.then(start, start)
      return next
    },

    /** Until nothing runs or is going to. Failures belong to those who asked for the run. */
    async idle(): Promise<void> {
      while (running) await running.catch(() => {})
    },
  }
}
