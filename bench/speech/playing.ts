// A simulated listener that plays in real time from the first frame on and counts underruns.
import { monotonicMs } from '../../src/base/time/clock.ts'
import type { Audio } from '../../src/voice/ports.ts'
import { type Figure, largest, median, ratio } from '../report/figures.ts'

export type Played = {
  /** Null: there was no audio. */
  firstMs: Figure
  wholeMs: number
  audioMs: number
  /** How often a frame arrived after the previous one had ended, and the total silence. */
  gaps: number
  gapMs: number
}

/** The smallest jitter buffer of any phone absorbs a frame that is late by less than this. */
const HEARD_MS = 5

/** Accepts frames as fast as they come: their duration is computed, not waited for. */
export async function play(audio: Audio): Promise<Played> {
  const start = monotonicMs()
  const played: Played = { firstMs: null, wholeMs: 0, audioMs: 0, gaps: 0, gapMs: 0 }
  let endsAt: number | undefined
  for await (const { pcm, rateHz } of audio) {
    const now = monotonicMs()
    if (endsAt === undefined) played.firstMs = now - start
    else if (now - endsAt > HEARD_MS) {
      played.gaps++
      played.gapMs += now - endsAt
    }
    const lastsMs = (pcm.length * 1000) / rateHz
    endsAt = Math.max(endsAt ?? now, now) + lastsMs
    played.audioMs += lastsMs
  }
  played.wholeMs = monotonicMs() - start
  return played
}

export type Together = {
  streams: number
  /** Processing time divided by audio time, over all streams. */
  factor: Figure
  firstMs: Figure
  slowestFirstMs: Figure
  gaps: number
  gapMs: number
}

/** Starts all streams at the same moment, which is the worst case. */
export async function playTogether(streams: number, open: (stream: number) => Audio): Promise<Together> {
  const start = monotonicMs()
  const all = await Promise.all(Array.from({ length: streams }, (_, i) => play(open(i))))
  const wholeMs = monotonicMs() - start
  const sum = (of: (one: Played) => number) => all.reduce((total, one) => total + of(one), 0)
  const firsts = all.map((one) => one.firstMs)
  return {
    streams,
    factor: ratio(
      wholeMs,
      sum((one) => one.audioMs),
    ),
    firstMs: median(firsts),
    slowestFirstMs: firsts.includes(null) ? null : largest(firsts),
    gaps: sum((one) => one.gaps),
    gapMs: sum((one) => one.gapMs),
  }
}
