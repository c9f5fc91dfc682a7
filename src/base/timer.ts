// Work that comes round: at once, then again so long after it has finished. Never twice at the same time.

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
    /** Waits for what is under way. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
