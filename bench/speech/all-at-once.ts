// All speech engines at once, and the event-loop delay of the main thread meanwhile.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { monotonicMs } from '../../src/base/time/clock.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { robotSpeech } from '../../test/sounds.ts'
import { type Figure, median } from '../report/figures.ts'
import { feedVad, hear, openEars, TELEPHONE_HZ, type Utterance } from './ears.ts'
import { playTogether } from './playing.ts'
import { talkOf } from './texts.ts'
import { never, openEmbedded, voice } from './voices.ts'

export type LoopRow = {
  while: string
  p50Ms: number
  p99Ms: number
  maxMs: number
  gaps?: number
  hearingMs?: Figure
}

const RESOLUTION_MS = 1

/** The histogram holds the time between two timer ticks; the excess over the timer's interval is the delay. */
async function watched(what: string, run: () => Promise<Pick<LoopRow, 'gaps' | 'hearingMs'>>): Promise<LoopRow> {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  const found = await run()
  histogram.disable()
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  return {
    while: what,
    p50Ms: ms(histogram.percentile(50)),
    p99Ms: ms(histogram.percentile(99)),
    maxMs: ms(histogram.max),
    ...found,
  }
}

const CALLS = 32

export async function measureLoop(said: readonly Utterance[], seconds: number): Promise<LoopRow[]> {
  const speech = await robotSpeech(talkOf(20), 'pt-br', TELEPHONE_HZ)
  const [embedded, ears, vad] = [await openEmbedded(() => {}), await openEars(), await openSilero()]
  const utterance = said.find(({ aboutSeconds }) => aboutSeconds === 3) ?? said[0]
  const talking = (voices: number) => async () => {
    const feeding = feedVad(vad, CALLS, speech)
    const until = monotonicMs() + seconds * 1000
    const hearing = async () => {
      const delays: number[] = []
      while (utterance && monotonicMs() < until) delays.push((await hear(ears, utterance.pcm)).delayMs)
      return median(delays)
    }
    const open = (i: number) => embedded.tts.speak(talkOf(seconds, i), voice, never)
    const [played, hearingMs] = await Promise.all([playTogether(voices, open), hearing()])
    await feeding.stop()
    return { gaps: played.gaps, hearingMs }
  }
  try {
    return [
      await watched(`2 voices, ears without rest, voice activity of ${CALLS} calls`, talking(2)),
      await watched(
        `8 voices (natural where there is room, else small), ears without rest, voice activity of ${CALLS} calls`,
        talking(8),
      ),
    ]
  } finally {
    await embedded.close()
    await ears.close()
    await vad.close()
  }
}
