// The embedded voice: the natural engine where it is ready and has room, the small one otherwise. It degrades, it never stutters.
import { AppError } from '../base/errors.ts'
import type { AudioFrame, SpeakOptions, Tts } from '../voice/ports.ts'
import { defaultVoice, embeddedVoices } from './catalogue.ts'

export type NaturalVoice = Tts & {
  /** False while it is being prepared, or when so many speak that one more would make all of them stutter. */
  hasRoom(): boolean
}

export type EmbeddedParts = {
  natural: () => NaturalVoice | undefined
  small: Tts | undefined
  onDegraded: (reason: string) => void
}

export function embeddedVoice({ natural, small, onDegraded }: EmbeddedParts): Tts {
  async function* withSmall(text: string, options: SpeakOptions, signal: AbortSignal): AsyncGenerator<AudioFrame> {
    if (!small)
      throw new AppError('unavailable', 'This server has no speech engine: its optional packages are not installed')
    yield* small.speak(text, options, signal)
  }
  return {
    name: 'embedded',
    voices: async () => [...embeddedVoices],
    async *speak(text, given, signal) {
      const voice = embeddedVoices.find((v) => v.id === given.voiceId)
      if (!voice) throw new AppError('not_found', 'Voice not found')
      const options = { ...given, language: given.language ?? voice.language }
      const engine = natural()
      if (!engine?.hasRoom()) {
        onDegraded(engine ? 'all natural voices are busy' : 'the natural voice is not ready')
        return yield* withSmall(text, options, signal)
      }
      let hasSpoken = false
      try {
        for await (const frame of engine.speak(text, options, signal)) {
          hasSpoken = true
          yield frame
        }
      } catch (error) {
        if (hasSpoken || signal.aborted) throw error // half a sentence in another voice would be worse than an end
        onDegraded('the natural voice failed')
        yield* withSmall(text, options, signal)
      }
    },
  }
}

/** At call time an unknown voice is no reason for silence. */
export const voiceOrDefault = (voiceId: string | null, language: string): string =>
  embeddedVoices.some((v) => v.id === voiceId) ? (voiceId as string) : defaultVoice(language).id
