// Whether a voice delivers enough sound for a text, and delivers it as fast as it is played.
import { spokenLetters } from '../base/text/spoken-letters.ts'
import type { AudioFrame, Speaker } from '../voice/ports.ts'

/** People say 15 letters a second, the fastest voices 30 to 40: shorter speech was cut. */
const MIN_MS_PER_LETTER = 20
/** Speech at this pace is fast but possible: shorter speech was cut if it also ends in mid-word. */
const FAST_MS_PER_LETTER = 33
/** Level of the end relative to the whole, above which speech ended in mid-word. A complete sentence has usually faded to a twentieth. */
const ABRUPT_SHARE = 0.3
const END_MS = 30
/** Letters of a short text that may be silent: "thought through". */
const SLACK_LETTERS = 6
/** The shortest word, without any silence around it. */
const MIN_WORD_MS = 40
/** Voices swallow single letters and syllables. */
const MIN_LETTERS = 3
/** Noise of an empty stream stays below this. */
const AUDIBLE = 64
/** Silence before the first sound; a voice that only breathes is replaced. */
const MAX_SILENCE_MS = 2_000
/** Playout has run dry this often, and for this long in all. */
const DRY_TIMES = 3
const DRY_MS = 600

export type Spoken = Pick<Speaker, 'speed' | 'pronunciation' | 'vendor'>

/** The least that any healthy voice delivers; 0 when the text is too short to tell. */
export function leastSoundMs(text: string, { speed = 1, pronunciation = [], vendor }: Spoken = {}): number {
  let said = text
  for (const { from, to } of pronunciation) if (from !== '') said = said.replaceAll(from, to)
  const letters = spokenLetters(said)
  if (letters < MIN_LETTERS) return 0
  const fastest = Math.max(1, speed) * Math.max(1, Number(vendor?.speed) || 1)
  return Math.max(MIN_WORD_MS, ((letters - SLACK_LETTERS) * MIN_MS_PER_LETTER) / fastest)
}

const energyOf = (pcm: Int16Array) => pcm.reduce((sum, sample) => sum + sample * sample, 0)

function joined(before: Int16Array, after: Int16Array): Int16Array<ArrayBuffer> {
  const all = new Int16Array(before.length + after.length)
  all.set(before)
  all.set(after, before.length)
  return all
}

const isAudible = (pcm: Int16Array) => pcm.some((sample) => Math.abs(sample) > AUDIBLE)
const msOf = ({ pcm, rateHz }: AudioFrame) => (pcm.length * 1000) / rateHz

export type Delivery = ReturnType<typeof delivery>

export function delivery(text: string, spoken?: Spoken) {
  const leastMs = leastSoundMs(text, spoken)
  const fastMs = (leastMs * FAST_MS_PER_LETTER) / MIN_MS_PER_LETTER
  /** The last END_MS, and all audio so far. */
  let end = new Int16Array()
  let energy = 0
  let samples = 0
  let audioMs = 0
  let soundMs = 0
  /** Received but not yet played. */
  let aheadMs = 0
  let dryMs = 0
  let dryTimes = 0
  const endsAbruptly = () => energyOf(end) / end.length > ABRUPT_SHARE ** 2 * (energy / samples)
  return {
    /** `waitedMs`: how long we waited for the frame. */
    add(frame: AudioFrame, waitedMs: number): void {
      if (audioMs > 0) aheadMs -= waitedMs
      if (aheadMs < 0) {
        dryTimes++
        dryMs -= aheadMs
        aheadMs = 0
      }
      const ms = msOf(frame)
      audioMs += ms
      aheadMs += ms
      if (isAudible(frame.pcm)) soundMs += ms
      if (soundMs >= fastMs) return // long enough, however it ends
      end = joined(end, frame.pcm).slice(-Math.round((END_MS * frame.rateHz) / 1000))
      energy += energyOf(frame.pcm)
      samples += frame.pcm.length
    },
    /** Clicks do not count. */
    hasSound: () => soundMs >= Math.min(MIN_WORD_MS, leastMs),
    isSilent: () => leastMs > 0 && soundMs === 0 && audioMs >= MAX_SILENCE_MS,
    isCut: () => soundMs < leastMs || (soundMs < fastMs && endsAbruptly()),
    /** Slower than real time. */
    isSlow: () => dryTimes >= DRY_TIMES && dryMs >= DRY_MS,
  }
}

/** Whether these frames are the whole text, as far as their length tells. */
export function isWhole(text: string, frames: readonly AudioFrame[], spoken: Spoken): boolean {
  const told = delivery(text, spoken)
  for (const frame of frames) told.add(frame, 0)
  return !told.isCut()
}
