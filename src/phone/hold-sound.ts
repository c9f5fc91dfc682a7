// What a caller hears while somebody else is being called. Whatever the agent says meanwhile comes first.
import type { MediaLeg } from '../rtp/leg.ts'
import type { Audio, PlayoutResult } from '../voice/ports.ts'

export type HoldSound = ReturnType<typeof holdSound>

export function holdSound(leg: Pick<MediaLeg, 'play'>, onTrouble: (error: unknown) => void) {
  let source: (() => Audio) | null = null
  let sounding: AbortController | null = null
  let talks = 0

  function sound(): void {
    if (!source || talks > 0 || sounding) return
    const stop = new AbortController()
    sounding = stop
    leg.play(source(), stop.signal).catch((error) => {
      source = null // once is enough to know that it cannot be played
      onTrouble(error)
    })
  }
  function hush(): void {
    sounding?.abort()
    sounding = null
  }

  return {
    begin(audio: (() => Audio) | undefined): void {
      source = audio ?? null
      sound()
    },
    end(): void {
      source = null
      hush()
    },
    /** The agent's own words. */
    async play(audio: Audio, signal: AbortSignal): Promise<PlayoutResult> {
      talks++
      hush()
      try {
        return await leg.play(audio, signal)
      } finally {
        talks--
        sound()
      }
    },
  }
}
