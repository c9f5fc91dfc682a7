// The worker threads that started while something ran: a test kills one to see what survives, or reads the messages
// sent to it.
import type { Worker } from 'node:worker_threads'

export async function workersOf<T>(open: () => Promise<T>): Promise<{ opened: T; workers: Worker[] }> {
  const workers: Worker[] = []
  const note = (worker: Worker) => workers.push(worker)
  process.on('worker', note)
  try {
    return { opened: await open(), workers }
  } finally {
    process.off('worker', note)
  }
}

/** Messages sent to the threads from now on, in order. */
export function messagesTo<T>(workers: readonly Worker[]): T[] {
  const told: T[] = []
  for (const worker of workers) {
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (message: T, transfer) => {
      told.push(message)
      post(message, transfer)
    }
  }
  return told
}
