// End-of-turn detection from audio: the operator's smart-turn ONNX model, one thread for all calls.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { appError } from '../../base/errors/errors.ts'
import type { TurnModel } from '../../voice/ports.ts'
import type { FromTurn, ToTurn, TurnSetup } from './turn-worker.ts'

export type LocalTurnModel = TurnModel & {
  /** Waits for the current inference: terminating a worker during a run would abort the whole process. */
  close(): Promise<void>
}

type Question = { answer: (finished: number) => void; fail: (error: Error) => void }

/** Beyond this queue length an answer would come too late to be useful. */
const MAX_WAITING = 8

export async function openTurnModel(file: string): Promise<LocalTurnModel> {
  const setup: TurnSetup = { file }
  const waiting = new Map<number, Question>()
  let nextId = 1
  let isOver = false
  let worker: Worker | undefined

  async function start(): Promise<void> {
    const thread = new Worker(new URL('./turn-worker.ts', import.meta.url), { workerData: setup })
    const [first] = (await once(thread, 'message')) as [FromTurn]
    if (first.type !== 'ready') throw new Error(first.type === 'failed' ? first.message : 'it did not start')
    let cause: unknown
    thread.on('message', answered)
    thread.on('error', (error) => {
      cause = error
    })
    thread.once('exit', () => lost(cause))
    worker = thread
    if (isOver) thread.postMessage({ do: 'close' } satisfies ToTurn)
  }

  function answered(message: FromTurn): void {
    if (message.type === 'ready' || message.id === undefined) return
    const question = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.type === 'judged') question?.answer(message.finished)
    else question?.fail(new Error(message.message))
  }

  function lost(cause: unknown): void {
    worker = undefined
    for (const question of waiting.values()) question.fail(appError('turn_model_stopped', {}, { cause }))
    waiting.clear()
    // Without a running thread the request is refused, and endpointing uses the transcript alone.
    if (!isOver) start().catch(() => {})
  }

  await start()
  return {
    async endOfTurn({ pcm, rateHz }, signal) {
      signal.throwIfAborted()
      if (isOver || !worker) throw appError('turn_model_closed')
      if (waiting.size >= MAX_WAITING) throw appError('turn_model_slow')
      const id = nextId++
      const sound = pcm.slice()
      const message: ToTurn = { do: 'judge', id, pcm: sound, rateHz }
      worker.postMessage(message, [sound.buffer])
      return new Promise<number>((answer, fail) => waiting.set(id, { answer, fail }))
    },
    async close() {
      if (isOver) return
      isOver = true
      const ended = worker && once(worker, 'exit')
      worker?.postMessage({ do: 'close' } satisfies ToTurn)
      await ended
    },
  }
}
