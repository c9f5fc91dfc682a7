// The threads that were started while something ran: a test ends one to see what lives on.
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
