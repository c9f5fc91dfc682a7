// Prepares Kokoro's files for the fast path once (about two minutes), in a child process that may be killed at any
// time.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { embeddedVoices } from '../catalog.ts'
import type { KokoroPackages } from './packages.ts'
import type { Preparation, Progress } from './prepare-steps.ts'
import { supportsInt8 } from './processor.ts'

type Message = { progress?: Progress; failed?: string; done?: true }

/** Resolves when all files are in `folder`; complete ones are not prepared again. An abort ends the process at once. */
export async function prepareKokoro(
  folder: string,
  packages: KokoroPackages,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
  voices: readonly string[] = embeddedVoices.map((voice) => voice.id),
  /** On an unsuitable processor only the joined and widened model is needed: some seconds. */
  way?: 'fast' | 'plain',
): Promise<void> {
  const wanted = way ?? ((await supportsInt8()) ? 'fast' : 'plain')
  signal.throwIfAborted()
  const child = fork(fileURLToPath(new URL('./prepare-child.ts', import.meta.url)), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const preparation: Preparation = {
    folder,
    packages,
    voices,
    threads: Math.min(2, availableParallelism()),
    way: wanted,
  }
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  let complaint = ''
  child.stderr?.on('data', (data: Buffer) => {
    complaint = (complaint + data.toString('utf8')).slice(-2000)
  })
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: Message) => {
        if (message.progress) onProgress(message.progress)
        if (message.failed) complaint = message.failed
        // The files are complete and the lock is released: a process that hangs at its exit (seen) holds up nothing.
        if (message.done) resolve()
      })
      child.once('error', reject)
      child.once('close', (code, killedBy) => {
        reject(new Error(`Kokoro was not prepared (${killedBy ?? code}): ${complaint.trim()}`))
      })
      child.send(preparation)
    })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
