// The sound of an opener ("Claro,") out of a sentence that begins with it: up to the pause before its next word.
import { joinPcm, levelDb } from '../../audio/pcm.ts'
import type { AudioFrame } from '../../voice/ports.ts'

const BLOCK_MS = 10
/** Quieter than this is a pause; voices are at about -23 dB. */
const PAUSE_DB = -42
/** Between a closed consonant and a pause. */
const LEAST_PAUSE_MS = 60
const LEAST_SOUND_MS = 100
/** Where the next word begins is known to a frame. */
const AROUND_MS = 250
/** With the lead of what follows, as long as a comma. */
const PAUSE_MS = 110
const FRAME_MS = 100
const LEAST_RATE_HZ = 8000

/** Null if the voice makes no pause after it, or does not tell when its words begin. */
export function openerSound(frames: readonly AudioFrame[], opener: string): AudioFrame[] | null {
  const rateHz = frames[0]?.rateHz ?? 0
  const next = nextWordAt(frames, opener.split(' ').length)
  if (next === null || rateHz < LEAST_RATE_HZ || frames.some((frame) => frame.rateHz !== rateHz)) return null
  const pcm = joinPcm(frames.map((frame) => frame.pcm))
  const samples = (ms: number) => Math.round((ms * rateHz) / 1000)
  const end = pauseIn(pcm, next - samples(AROUND_MS), next + samples(FRAME_MS), samples(BLOCK_MS))
  if (end === null || end < samples(LEAST_SOUND_MS)) return null
  const sound = new Int16Array(end + samples(PAUSE_MS))
  sound.set(pcm.subarray(0, end))
  const size = samples(FRAME_MS)
  return Array.from({ length: Math.ceil(sound.length / size) }, (_, i) => ({
    pcm: sound.slice(i * size, (i + 1) * size),
    rateHz,
    ...(i === 0 ? { words: opener } : {}),
  }))
}

/** The sample at which the frame with the start of this word begins; null without one. */
function nextWordAt(frames: readonly AudioFrame[], word: number): number | null {
  let [words, at] = [0, 0]
  for (const frame of frames) {
    words += frame.words?.split(' ').length ?? 0
    if (words > word) return at
    at += frame.pcm.length
  }
  return null
}

/** Where the longest pause begins; null if there is none. */
function pauseIn(pcm: Int16Array, from: number, to: number, block: number): number | null {
  const first = Math.max(0, from)
  const blocks = Math.floor((Math.min(pcm.length, to) - first) / block)
  let [start, longest, run] = [0, 0, 0]
  for (let i = 0; i < blocks; i++) {
    const at = first + i * block
    run = levelDb(pcm.subarray(at, at + block)) < PAUSE_DB ? run + 1 : 0
    if (run <= longest) continue
    longest = run
    start = at - (run - 1) * block
  }
  return longest * BLOCK_MS >= LEAST_PAUSE_MS ? start : null
}
