// Worker thread of Kokoro: one job at a time, in order of arrival. It exits when told to close.
import { parentPort, workerData } from 'node:worker_threads'
import { monotonicMs } from '../../base/clock.ts'
import { type Chunk, planChunks } from './chunks.ts'
import { RATE_HZ } from './graph.ts'
import { type Clip, type ModelOptions, openKokoro, type Utterance } from './model.ts'
import { costMs } from './real-time-factor.ts'
import { msOfSteps } from './schedule.ts'

export type Job =
  | { do: 'front'; utterance: Utterance }
  | { do: 'window'; clip: Clip; window: Chunk }
  | { do: 'plain'; utterance: Utterance }
  | { do: 'close' }
/** The clip of the warm-up, for threads without a front. */
export type Ready = { ready: true; pace: number; clip?: Clip }
export type Answer = { clip: Clip } | { samples: Float32Array } | { failed: string } | Ready
/** What a thread synthesises when it is loaded: a text, or a clip where it has no front. */
export type WarmUp = Utterance | Clip

const port = parentPort
if (!port) throw new Error('kokoro-worker runs as a worker')
const options = workerData as ModelOptions & { warmUp: WarmUp }
const model = await openKokoro(options)

/** Synthesises the warm-up; returns the time it took as a multiple of the expected cost, and the clip. */
async function warmUp(): Promise<Omit<Ready, 'ready'>> {
  const { isFast, warmUp: given } = options
  const start = monotonicMs()
  const pace = (cost: number) => (monotonicMs() - start) / cost
  if (!isFast) return { pace: pace(costMs.plain(((await model.plain(given as Utterance)).length * 1000) / RATE_HZ)) }
  const clip = 'steps' in given ? given : await model.front(given)
  let cost = clip === given ? 0 : costMs.front(msOfSteps(clip.steps))
  for (const window of planChunks(0, clip.steps)) {
    await model.window(clip, window)
    cost += costMs.window(msOfSteps(window.to - window.from))
  }
  return { pace: pace(cost), clip }
}
await warmUp() // the first run allocates and compiles: no caller should wait for it
const ready: Ready = { ready: true, ...(await warmUp()) }

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
  const answer = await work(job)
  port.postMessage(answer, 'samples' in answer ? [answer.samples.buffer as ArrayBuffer] : [])
})
port.postMessage(ready)
