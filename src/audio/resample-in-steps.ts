// Resamples a long clip in steps, yielding to the event loop between them. Separate from resample.ts, which the browser uses too.
import { setImmediate as breathe } from 'node:timers/promises'
import { joinPcm } from './pcm.ts'
import { createResampler } from './resample.ts'

/** A few milliseconds of work. */
const STEP_SAMPLES = 8192

export async function resampleInSteps(pcm: Int16Array, fromHz: number, toHz: number): Promise<Int16Array> {
  if (fromHz === toHz) return pcm
  const resampler = createResampler(fromHz, toHz)
  const parts: Int16Array[] = []
  for (let at = 0; at < pcm.length; at += STEP_SAMPLES) {
    parts.push(resampler.push(pcm.subarray(at, at + STEP_SAMPLES)))
    await breathe()
  }
  return joinPcm([...parts, resampler.end()])
}
