// Runs a task at once and then at an interval after each end; runs never overlap.

export function every(ms: number, task: () => Promise<unknown>, onError: (error: unknown) => void) {
  let isStopped = false
  let isRunning = false
  let isWanted = false
  let timer: NodeJS.Timeout | undefined
  let running = run()

  async function run(): Promise<void> {
    isRunning = true
    do {
      isWanted = false
      try {
        await task()
      } catch (error) {
        onError(error)
      }
    } while (isWanted && !isStopped)
    isRunning = false
    if (isStopped) return
    timer = setTimeout(() => {
      running = run()
    }, ms)
    timer.unref()
  }

  return {
    /** Runs it now, or again after the run in progress. */
    wake(): void {
      isWanted = true
      if (isRunning || isStopped) return
      clearTimeout(timer)
      running = run()
    },
    /** Waits for the run in progress. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
