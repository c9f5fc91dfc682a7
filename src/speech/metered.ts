// Meters vendor speech, because the operator pays for it: characters are counted before they are synthesized, the seconds of an
// utterance when it has been heard.
import type { Meter } from '../base/meter.ts'
import type { Audio, SpeakOptions, Stt, Tts } from '../voice/ports.ts'
import type { SpeechService } from './open.ts'

export type SlotsFor = (userId: string) => SpeechService['slots']

/** A vendor's own short-lived token counts as this many characters: we cannot see what is synthesized with it. */
const OF_A_TOKEN = 50_000

/** Counts what is spoken while `isPaid` says that the operator pays for it. */
export const meteredTts = <T extends Tts>(
  tts: T,
  { userId, meter, isPaid = () => true }: { userId: string; meter: Meter; isPaid?: () => boolean },
): T => ({
  ...tts,
  async *speak(text: string, options: SpeakOptions, signal: AbortSignal) {
    if (isPaid()) await meter.spend(userId, 'ttsCharacters', text.length)
    yield* tts.speak(text, options, signal)
  },
})

/** An utterance that has begun is recognized to its end, even when the budget runs out meanwhile. */
export const meteredStt = (stt: Stt, { userId, meter }: { userId: string; meter: Meter }): Stt => ({
  get name() {
    return stt.name
  },
  get isEmbedded() {
    return stt.isEmbedded ?? false
  },
  get isReady() {
    return stt.isReady ?? true
  },
  get isLive() {
    return stt.isLive ?? false
  },
  async *transcribe(audio, options, signal) {
    await meter.spend(userId, 'sttSeconds', 1)
    let seconds = 0
    async function* heard(): Audio {
      for await (const frame of audio) {
        seconds += frame.pcm.length / frame.rateHz
        yield frame
      }
    }
    try {
      yield* stt.transcribe(heard(), options, signal)
    } finally {
      if (seconds > 1) void meter.add(userId, 'sttSeconds', Math.ceil(seconds) - 1)
    }
  },
})

export function meteredSlots({ slots, state }: Pick<SpeechService, 'slots' | 'state'>, meter: Meter): SlotsFor {
  const metered = (name: keyof SpeechService['slots'], userId: string) => {
    const slot = slots[name]
    const { token } = slot
    const isPaid = () => slot.name !== 'embedded' || state().speaking === 'vendor'
    return {
      ...meteredTts(slot, { userId, meter, isPaid }),
      ...(token
        ? {
            async token(signal: AbortSignal) {
              await meter.spend(userId, 'ttsCharacters', OF_A_TOKEN)
              return token(signal)
            },
          }
        : {}),
    }
  }
  return (userId) => ({
    provider_a: metered('provider_a', userId),
    provider_b: metered('provider_b', userId),
    provider_c: metered('provider_c', userId),
  })
}
