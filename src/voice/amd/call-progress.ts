// Tones on the line of an outbound call: those of the network, of fax machines, music on hold, and the recording tone of a voicemail.
import type { AudioFrame, HeardTone } from '../ports.ts'
import { cadence } from './cadence.ts'
import { holdMusic } from './hold-music.ts'
import { toneAnalyser, WINDOW_MS } from './tone-analysis.ts'
import { toneRuns } from './tone-runs.ts'

/** Takes frames of any length, and whether there is speech in them. Reports a tone once it is known, and again while it lasts. */
export function callProgressDetector(): (
  frame: Pick<AudioFrame, 'pcm' | 'rateHz'>,
  isSpeech?: boolean,
) => HeardTone | null {
  let rateHz = 0
  let window = new Int16Array(0)
  let filled = 0
  let analyse = toneAnalyser(8000)
  let isMusic = holdMusic(8000)
  const runs = toneRuns()
  const toneAt = cadence()
  let at = 0

  function next(isSpeech: boolean): HeardTone | null {
    const tone = analyse(window)
    const ended = runs.next(tone, ++at)
    const heard = toneAt(at, runs.current, ended)
    const hasMusic = isMusic(window, isSpeech || runs.current !== null)
    return heard ?? (hasMusic ? 'music' : null)
  }

  return ({ pcm, rateHz: frameRateHz }, isSpeech = false) => {
    if (frameRateHz !== rateHz) {
      rateHz = frameRateHz
      window = new Int16Array(Math.round((rateHz * WINDOW_MS) / 1000))
      filled = 0
      analyse = toneAnalyser(rateHz)
      isMusic = holdMusic(rateHz)
    }
    let heard: HeardTone | null = null
    for (let i = 0; i < pcm.length; i++) {
      window[filled++] = pcm[i] as number
      if (filled < window.length) continue
      filled = 0
      heard = next(isSpeech) ?? heard
    }
    return heard
  }
}
