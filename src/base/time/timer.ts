// Runs a task now and again `ms` after each run ends; runs never overlap. The task has no fault owner, no matter who
// starts or wakes it.
import { coalesced } from '../concurrency/coalesced.ts'
import { runUnowned } from '../errors/error-containment.ts'

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
  const wake = () => runUnowned(() => void rounds.run())
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
