// Whether one more call would do harm: a live call must never suffer for a new one.

import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { decodeAlaw, encodeAlaw } from '../audio/g711.ts'
import { monotonicMs } from '../base/clock.ts'

/** The telephone's clock ticks every 20 ms: beyond these a listener begins to hear it. */
const MAX_LATE_MS = 20
const MAX_BUSY = 0.75
const MAX_LOOP_DELAY_MS = 150
/** With fewer calls than these it is not they who load the machine, and turning one away would help nobody. */
const FEW_CALLS = 8

export type Load = { lateMs: number; busy: number }

export function createAdmission(mediaLoad: () => Load) {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  let recentLoopMs = 0
  const timer = setInterval(() => {
    recentLoopMs = loop.percentile(90) / 1e6
    loop.reset()
  }, 1000)
  timer.unref()

  return {
    /** Why a new call must be turned away now, or undefined. */
    refusal(calls: number): string | undefined {
      if (calls < FEW_CALLS) return undefined
      const { lateMs, busy } = mediaLoad()
      if (lateMs > MAX_LATE_MS) return 'The clock of the audio is late'
      if (busy > MAX_BUSY) return 'The threads of the audio are busy'
      if (recentLoopMs > MAX_LOOP_DELAY_MS) return 'The server is busy'
      return undefined
    },
    close(): void {
      clearInterval(timer)
      loop.disable()
    },
  }
}

/** 2.5 GHz, where 150 recorded calls a core left room to spare: a thousand frames of A-law there and back took this long. */
const REFERENCE_MS = 1.6
const CALLS_PER_CORE = 150

/** How many calls this machine bears, found out in a few milliseconds. */
export function estimateMaxCalls(): number {
  const pcm = Int16Array.from({ length: 160 }, (_, i) => 8000 * Math.sin(i / 4))
  const round = () => {
    const begin = monotonicMs()
    for (let i = 0; i < 1000; i++) decodeAlaw(encodeAlaw(pcm))
    return monotonicMs() - begin
  }
  const best = Math.min(...Array.from({ length: 8 }, round))
  const speed = Math.min(4, REFERENCE_MS / best)
  return Math.max(10, Math.round(CALLS_PER_CORE * availableParallelism() * speed))
}
