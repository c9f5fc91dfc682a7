// Handle of a Kokoro worker thread: one job, one answer, and a close that never interrupts a run.
import { Worker } from 'node:worker_threads'
import type { ModelOptions, Utterance } from './model.ts'
import type { Answer, Job } from './worker.ts'

export type Thread = {
  /** Measured when the worker was loaded. */
  readonly pace: number
  readonly hasFront: boolean
  readonly isBusy: boolean
  readonly isDead: boolean
  /** Resolves when the thread has ended, whatever the reason. */
  readonly ended: Promise<void>
  /** One at a time. Rejects when the run failed or the thread died. */
  run(job: Job): Promise<Answer>
  close(): Promise<void>
}

export async function openThread(options: ModelOptions, warmUp: Utterance): Promise<Thread> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { ...options, warmUp } })
  let isDead = false
  let under: { resolve(answer: Answer): void; reject(error: unknown): void; answered: Promise<unknown> } | undefined
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  const wait = (): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    under = { resolve, reject, answered: promise.catch(() => {}) }
    return promise
  }
  const die = (error: unknown) => {
    isDead = true
    under?.reject(error)
    under = undefined
  }
  worker.on('message', (answer: Answer) => {
    const waiting = under
    under = undefined
    if ('failed' in answer) waiting?.reject(new Error(answer.failed))
    else waiting?.resolve(answer)
  })
  worker.on('error', die)
  worker.once('exit', () => die(new Error('kokoro: the thread has ended')))
  const first = await wait()
  // It keeps the process alive only while a job runs.
  worker.unref()

  return {
    ended: exited,
    hasFront: options.hasFront ?? true,
    pace: 'pace' in first ? first.pace : 1,
    get isBusy() {
      return under !== undefined
    },
    get isDead() {
      return isDead
    },
    async run(job) {
      if (isDead || under) throw new Error('kokoro: the thread cannot take a job')
      worker.ref()
      try {
        const answered = wait()
        worker.postMessage(job)
        return await answered
      } finally {
        worker.unref()
      }
    },
    /** Terminating a worker during an onnxruntime run aborts the whole process, so it is asked to exit and awaited. */
    async close() {
      await under?.answered
      if (!isDead) {
        worker.ref()
        worker.postMessage({ do: 'close' } satisfies Job)
      }
      await exited
    },
  }
}
