// What a voice delivers for a text: whether it is enough sound, and whether it comes as quickly as it is played.
import { spokenLetters } from '../base/text/spoken-letters.ts'
import type { AudioFrame, Speaker } from '../voice/ports.ts'

/** People say fifteen letters a second, the quickest voices thirty to forty: less sound than this was cut. */
const MIN_MS_PER_LETTER = 20
/** In a short text they may be silent letters: "thought through". */
const SLACK_LETTERS = 6
/** The shortest word, without any silence around it. */
const MIN_MS = 40
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

/** What any healthy voice exceeds; 0: too little is said to judge it. */
export function leastSoundMs(text: string, { speed = 1, pronunciation = [], vendor }: Spoken = {}): number {
  let said = text
  for (const { from, to } of pronunciation) if (from !== '') said = said.replaceAll(from, to)
  const letters = spokenLetters(said)
  if (letters < MIN_LETTERS) return 0
  const fastest = Math.max(1, speed) * Math.max(1, Number(vendor?.speed) || 1)
  return Math.max(MIN_MS, ((letters - SLACK_LETTERS) * MIN_MS_PER_LETTER) / fastest)
}

const isAudible = (pcm: Int16Array) => pcm.some((sample) => Math.abs(sample) > AUDIBLE)
const msOf = ({ pcm, rateHz }: AudioFrame) => (pcm.length * 1000) / rateHz

export type Delivery = ReturnType<typeof delivery>

export function delivery(text: string, spoken?: Spoken) {
  const leastMs = leastSoundMs(text, spoken)
  let audioMs = 0
  let soundMs = 0
  /** What has arrived and was not played yet. */
  let aheadMs = 0
  let dryMs = 0
  let dryTimes = 0
  return {
    /** `waitedMs`: how long the vendor let us wait for it. */
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
    },
    /** Clicks are no sound yet. */
    hasSound: () => soundMs >= Math.min(MIN_MS, leastMs),
    isSilent: () => leastMs > 0 && soundMs === 0 && audioMs >= MAX_SILENCE_MS,
    isCut: () => soundMs < leastMs,
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
