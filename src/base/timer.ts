// Runs a task at once and then at an interval after each end; runs never overlap.

export function every(ms: number, task: () => Promise<unknown>, onError: (error: unknown) => void) {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running = run()

  async function run(): Promise<void> {
    try {
      await task()
    } catch (error) {
      onError(error)
    }
    if (isStopped) return
    timer = setTimeout(() => {
      running = run()
    }, ms)
    timer.unref()
  }

  return {
    /** Waits for the run in progress. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
