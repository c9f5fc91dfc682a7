// Prepares Whisper's folder once, in a worker thread.
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { findWhisper, isWhisperPrepared } from './folder.ts'
import type { FromPrepare, PrepareSetup } from './prepare-worker.ts'

/** Younger folders may belong to another process that is still writing. */
const ABANDONED_MS = 600_000

/**
 * Prepares the folder unless it is complete. Files are written next to it and renamed at the end, so it is complete or
 * absent, even after a kill or with two processes at once. About 2 s. Progress goes from 0 to 1.
 */
export async function prepareWhisper(
  folder: string,
  onProgress: (done: number) => void,
  signal: AbortSignal,
  givenSource?: string,
): Promise<void> {
  signal.throwIfAborted()
  const found = findWhisper(givenSource)
  const source = 'source' in found ? found.source : undefined
  if (await isWhisperPrepared(folder, source)) return onProgress(1)
  if ('missing' in found) throw new Error(`not installed: ${found.missing.join(', ')}`)
  await removeAbandoned(folder)
  const beside = `${folder}.${process.pid}-${Date.now()}.part`
  await mkdir(beside, { recursive: true })
  try {
    await make({ source: found.source, into: beside }, onProgress, signal)
    await takeName(beside, folder, found.source)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
  onProgress(1)
}

/** The thread is asked to stop and awaited: terminating it during an onnxruntime run would abort the whole process. */
async function make(setup: PrepareSetup, onProgress: (done: number) => void, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL('./prepare-worker.ts', import.meta.url), { workerData: setup })
  const stop = () => worker.postMessage('stop')
  signal.addEventListener('abort', stop, { once: true })
  let failure: string | undefined
  worker.on('message', (message: FromPrepare) => {
    if ('failed' in message) failure = message.failed
    else if (!signal.aborted) onProgress(message.done)
  })
  try {
    await once(worker, 'exit')
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
  if (failure !== undefined) throw new Error(failure)
}

async function takeName(beside: string, folder: string, source: string): Promise<void> {
  // Another process may have finished first: its folder is as good.
  if (await isWhisperPrepared(folder, source)) return
  const old = `${beside}.old`
  await rename(folder, old).catch(ignoreAbsent)
  await rename(beside, folder)
  await rm(old, { recursive: true, force: true })
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function removeAbandoned(folder: string): Promise<void> {
  const home = dirname(folder)
  const names = await readdir(home).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(`${basename(folder)}.`) || !/\.part(\.old)?$/.test(name)) continue
    const madeMs = (await stat(join(home, name)).catch(() => undefined))?.mtimeMs ?? Date.now()
    if (Date.now() - madeMs > ABANDONED_MS) await rm(join(home, name), { recursive: true, force: true })
  }
}
