// Audio of a monitored call: playback scheduling, mixing to mono, levels. Pure.

/** Playback delay, to absorb jitter. */
const LEAD_SECONDS = 0.15
/** Beyond this backlog, audio is dropped to catch up. */
const MAX_AHEAD_SECONDS = 0.8

/**
 * The start time of a chunk that arrives at `now`, after one that ends at `endsAt`. Null: drop it, because too much is
 * queued.
 */
export function startTime(endsAt: number, now: number): number | null {
  if (endsAt < now) return now + LEAD_SECONDS
  return endsAt - now > MAX_AHEAD_SECONDS ? null : endsAt
}

export type Level = { caller: number; agent: number }

/** Mixes stereo (caller left, agent right) to mono. */
export function mixToMono(stereo: Int16Array): { samples: Float32Array<ArrayBuffer>; level: Level } {
  const samples = new Float32Array(stereo.length >> 1)
  let [caller, agent] = [0, 0]
  for (let i = 0; i < samples.length; i++) {
    const left = (stereo[2 * i] ?? 0) / 32_768
    const right = (stereo[2 * i + 1] ?? 0) / 32_768
    samples[i] = Math.max(-1, Math.min(1, left + right))
    caller += left * left
    agent += right * right
  }
  const loud = (sum: number) => loudness(Math.sqrt(sum / Math.max(1, samples.length)))
  return { samples, level: { caller: loud(caller), agent: loud(agent) } }
}

const QUIET_DB = -55
const LOUD_DB = -12

/** Perceived loudness: 0 is silence, 1 a loud voice. */
export function loudness(rms: number): number {
  const db = 20 * Math.log10(Math.max(rms, 1e-6))
  return Math.min(1, Math.max(0, (db - QUIET_DB) / (LOUD_DB - QUIET_DB)))
}
