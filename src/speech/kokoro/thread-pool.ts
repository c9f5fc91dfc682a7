// The worker threads of Kokoro; one that dies is replaced.
import { appError } from '../../base/errors/errors.ts'
import type { Thread } from './thread.ts'

export type ThreadPool = {
  readonly threads: readonly Thread[]
  /** At rest, measured when the threads were loaded. */
  readonly pace: number
  /** Whether a thread has a front: without one no new clause can be started. */
  canBegin(): boolean
  close(): Promise<void>
}

export type ThreadPoolParts = {
  size: number
  open: (hasFront: boolean) => Promise<Thread>
  onReplaced: () => void
  /** A dead thread could not be replaced, and no clause can be started any more. */
  onStopped: (error: unknown) => void
}

/** The first thread has a front. */
export async function threadPool({ size, open, onReplaced, onStopped }: ThreadPoolParts): Promise<ThreadPool> {
  const opened = await Promise.allSettled(Array.from({ length: size }, (_, i) => open(i === 0)))
  let threads = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = opened.find((one) => one.status === 'rejected')
  if (failed) {
    await Promise.all(threads.map((thread) => thread.close()))
    throw appError('voice_not_started', {}, { cause: failed.reason })
  }
  const replacing = new Set<Promise<void>>()
  let isClosed = false
  const canBegin = () => threads.some((thread) => thread.hasFront)

  function watch(thread: Thread): void {
    void thread.ended.then(() => replace(thread))
  }
  function replace(dead: Thread): void {
    threads = threads.filter((thread) => thread !== dead)
    if (isClosed) return
    const replaced = open(dead.hasFront)
      .then(
        (thread) => {
          watch(thread)
          threads.push(thread)
          onReplaced()
        },
        (error: unknown) => {
          if (!canBegin()) onStopped(error)
        },
      )
      .finally(() => replacing.delete(replaced))
    replacing.add(replaced)
  }
  threads.forEach(watch)

  return {
    get threads() {
      return threads
    },
    pace: threads.reduce((sum, thread) => sum + thread.pace, 0) / threads.length,
    canBegin,
    async close() {
      isClosed = true
      await Promise.all(replacing)
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}
