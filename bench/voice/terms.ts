// Terms common to both systems: the delay of each fake, the endpointing delay, and the audio of a reply.

/** Environment variable for runs without delays: only the endpointing delay is left. */
export const NO_DELAYS = 'VOICE_BENCH_NO_DELAYS'
const isInstant = process.env[NO_DELAYS] === '1'

/**
 * Milliseconds. STT runs within the pause (VAD reports the end of speech after 250 ms), so it adds nothing to the sum.
 */
const usual = { pauseMs: 500, recognitionMs: 100, modelMs: 200, voiceMs: 80 }
export const terms = isInstant ? { ...usual, recognitionMs: 0, modelMs: 0, voiceMs: 0 } : usual

/** The lower bound without preemptive generation: anything above it is overhead. */
export const expectedMs = usual.pauseMs + usual.modelMs + usual.voiceMs
/** The lower bound without delays. */
export const expectedInstantMs = usual.pauseMs

export const QUESTION = 'Que horas vocês abrem amanhã?'
export const ANSWER = 'Amanhã abrimos das oito ao meio-dia.'

/** The sample rate at which TTS engines deliver audio. */
export const ANSWER_HZ = 24_000
const ANSWER_MS = 1200
const TONE_HZ = 440

/** Loud from the first sample on, in frames of 100 ms. */
export function answerFrames(): Int16Array[] {
  const samples = ANSWER_HZ / 10
  return Array.from({ length: ANSWER_MS / 100 }, (_, frame) =>
    Int16Array.from({ length: samples }, (_, i) =>
      Math.round(12_000 * Math.cos((2 * Math.PI * TONE_HZ * (frame * samples + i)) / ANSWER_HZ)),
    ),
  )
}

export const wait = (ms: number): Promise<void> =>
  ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))

/** Messages to and from the processes under test and their callers. */
export type Tally = {
  /** Times from the last voiced frame to the first audio of the agent. */
  answeredMs: number[]
  /** Turns without a reply. */
  lost: number
  /** Turns in which the agent spoke before the caller had finished, and audio nobody asked for. */
  early: number
  stray: number
}
export type Usage = { cpuSeconds: number; seconds: number; residentMb: number }

export const noTally = (): Tally => ({ answeredMs: [], lost: 0, early: 0, stray: 0 })

export const addTally = (a: Tally, b: Tally): Tally => ({
  answeredMs: [...a.answeredMs, ...b.answeredMs],
  lost: a.lost + b.lost,
  early: a.early + b.early,
  stray: a.stray + b.stray,
})

/** Resident memory after garbage collection. */
export function residentMbAtRest(): number {
  globalThis.gc?.()
  return process.memoryUsage.rss() / 1e6
}

/** Measures this process with all its threads. */
export function usageMeter(): () => Usage {
  const before = process.cpuUsage()
  const start = performance.now()
  return () => {
    const { user, system } = process.cpuUsage(before)
    const seconds = (performance.now() - start) / 1000
    return { cpuSeconds: (user + system) / 1e6, seconds, residentMb: process.memoryUsage.rss() / 1e6 }
  }
}
