// Hold music for a caller who waits for a transfer. Speech of the agent interrupts it.
import type { MediaLeg } from '../rtp/leg.ts'
import type { Audio, PlayoutResult } from '../voice/ports.ts'

export type HoldMusic = ReturnType<typeof holdMusic>

export function holdMusic(leg: Pick<MediaLeg, 'play'>, onError: (error: unknown) => void) {
  let source: (() => Audio) | null = null
  let playing: AbortController | null = null
  let speeches = 0

  function start(): void {
    if (!source || speeches > 0 || playing) return
    const stop = new AbortController()
    playing = stop
    leg.play(source(), stop.signal).catch((error) => {
      source = null // do not retry audio that cannot be played
      onError(error)
    })
  }
  function stop(): void {
    playing?.abort()
    playing = null
  }

  return {
    begin(audio: (() => Audio) | undefined): void {
      source = audio ?? null
      start()
    },
    end(): void {
      source = null
      stop()
    },
    /** Plays speech of the agent. */
    async play(audio: Audio, signal: AbortSignal): Promise<PlayoutResult> {
      speeches++
      stop()
      try {
        return await leg.play(audio, signal)
      } finally {
        speeches--
        start()
      }
    },
  }
}
