// Worker thread of Kokoro: one job at a time, in order of arrival. It exits when told to close.
import { parentPort, workerData } from 'node:worker_threads'
import { NICENESS, setThreadNiceness } from '../../base/process/thread-priority.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import { type Chunk, planChunks } from './chunks.ts'
import { RATE_HZ } from './graph.ts'
import { type Clip, type ModelOptions, openKokoro, silentClip, type Utterance } from './model.ts'
import { costMs } from './real-time-factor.ts'
import { msOfSteps } from './schedule.ts'

/** `isUrgent`: a caller waits for the first sound. */
export type Job =
  | { do: 'front'; utterance: Utterance; isUrgent: boolean }
  | { do: 'window'; clip: Clip; window: Chunk; isUrgent: boolean }
  | { do: 'plain'; utterance: Utterance; isUrgent: boolean }
  | { do: 'close' }
export type Answer = { clip: Clip } | { samples: Float32Array } | { failed: string } | { ready: true; pace: number }

const port = parentPort
if (!port) throw new Error('kokoro-worker runs as a worker')
const options = workerData as ModelOptions & { warmUp: Utterance }

/** A clip of about the length of the warm-up text. */
const WARM_UP_STEPS = 110

setThreadNiceness(NICENESS.firstSound) // the runtime's own threads, which only the front has, keep it
const model = await openKokoro(options)

/** Synthesizes the warm-up text; returns the time it took as a multiple of the expected cost. */
async function warmUp(): Promise<number> {
  const start = monotonicMs()
  let cost = 0
  if (options.isFast) {
    const { hasFront = true, warmUp } = options
    const clip = hasFront ? await model.front(warmUp) : silentClip(WARM_UP_STEPS, warmUp.voiceId)
    if (hasFront) cost += costMs.front(msOfSteps(clip.steps))
    for (const window of planChunks(0, clip.steps)) {
      await model.window(clip, window)
      cost += costMs.window(msOfSteps(window.to - window.from))
    }
  } else cost += costMs.plain(((await model.plain(options.warmUp)).length * 1000) / RATE_HZ)
  return (monotonicMs() - start) / cost
}
await warmUp() // the first run allocates and compiles: no caller should wait for it
const pace = await warmUp()

async function work(job: Exclude<Job, { do: 'close' }>): Promise<Answer> {
  try {
    if (job.do === 'front') return { clip: await model.front(job.utterance) }
    const samples = job.do === 'window' ? await model.window(job.clip, job.window) : await model.plain(job.utterance)
    return { samples }
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

port.on('message', async (job: Job) => {
  if (job.do === 'close') {
    await model.close()
    port.close()
    return
  }
  setThreadNiceness(job.isUrgent ? NICENESS.firstSound : NICENESS.speech)
  const answer = await work(job)
  port.postMessage(answer, 'samples' in answer ? [answer.samples.buffer as ArrayBuffer] : [])
})
port.postMessage({ ready: true, pace } satisfies Answer)
