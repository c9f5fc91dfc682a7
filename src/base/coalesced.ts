// One run of a task at a time: requests that come during a run share the next one.

export function coalesced<T>(task: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  function run(): Promise<T> {
    next = undefined
    const current = task().finally(() => {
      if (running === current) running = undefined
    })
    running = current
    return current
  }

  return () => {
    if (next) return next
    if (!running) return run()
    next = running.then(run, run)
    return next
  }
}
