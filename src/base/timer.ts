// Runs a task at once and then at an interval after each end; runs never overlap.
import { coalesced } from './coalesced.ts'

export function every(ms: number, task: () => Promise<unknown>, onError: (error: unknown) => void) {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const rounds = coalesced(async () => {
    clearTimeout(timer)
    if (isStopped) return
    try {
      await task()
    } catch (error) {
      onError(error)
    }
    if (isStopped) return
    timer = setTimeout(wake, ms)
    timer.unref()
  })
  /** Runs it now, or again after the run in progress. */
  const wake = () => void rounds.run()
  wake()

  return {
    wake,
    /** Waits for the run in progress. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await rounds.idle()
    },
  }
}
