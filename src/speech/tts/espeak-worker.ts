// Worker thread of espeak-ng: one text at a time, samples posted as they are synthesized.
import { parentPort, workerData } from 'node:worker_threads'
import { NICENESS, setThreadNiceness } from '../../base/process/thread-priority.ts'
import { loadEspeak } from './espeak-engine.ts'

export type EspeakJob = { id: number; text: string; voice: string; speed: number }
export type EspeakAnswer =
  | { ready: true; rateHz: number }
  | { id: number; pcm: Int16Array }
  | { id: number; done: true }
  | { id: number; failed: string }

/** The job to stop, if any. Shared memory, because this thread reads no messages while it synthesizes. */
const { stopped } = workerData as { stopped: Int32Array }
const port = parentPort
if (!port) throw new Error('espeak-worker runs as a worker')

setThreadNiceness(NICENESS.firstSound) // it takes over when the natural voice is late, and must not wait for it
const espeak = await loadEspeak()
const answer = (message: EspeakAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

port.on('message', ({ id, text, voice, speed }: EspeakJob) => {
  try {
    espeak.synthesize(text, voice, speed, (samples) => {
      if (Atomics.load(stopped, 0) === id) return false
      const pcm = samples.slice()
      answer({ id, pcm }, [pcm.buffer])
      return true
    })
    answer({ id, done: true })
  } catch (error) {
    answer({ id, failed: error instanceof Error ? error.message : String(error) })
  }
})
answer({ ready: true, rateHz: espeak.rateHz })
