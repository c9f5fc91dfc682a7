// Meters vendor synthesis: a user's characters are counted before they are synthesised, because the operator pays for them.
import { waitAtMost } from '../base/abort.ts'
import { AppError } from '../base/errors.ts'
import type { SpeakOptions, Tts } from '../voice/ports.ts'
import type { SpeechService } from './open.ts'

/** Throws when the budget would be exceeded. */
export type SpendCharacters = (userId: string, characters: number) => Promise<void>
export type SlotsFor = (userId: string) => SpeechService['slots']

/** A vendor's own short-lived token counts as this many characters: we cannot see what is synthesised with it. */
const OF_A_TOKEN = 50_000
/** How long the count may delay the agent's speech when the database is slow; a part of what a voice has to its first sound. */
const PATIENCE_MS = 300

export type CountCharacters = (userId: string, characters: number) => Promise<void>

/** A database failure refuses nothing: calls survive an outage. */
export const characterCount =
  (spend: SpendCharacters): CountCharacters =>
  async (userId, characters) => {
    const counted = spend(userId, characters).catch((error) => {
      if (error instanceof AppError) throw error
    })
    counted.catch(() => {})
    await waitAtMost(PATIENCE_MS, counted)
  }

/** Counts what is spoken while `isPaid` says that the operator pays for it. */
export const meteredTts = <T extends Tts>(
  tts: T,
  { userId, count, isPaid = () => true }: { userId: string; count: CountCharacters; isPaid?: () => boolean },
): T => ({
  ...tts,
  async *speak(text: string, options: SpeakOptions, signal: AbortSignal) {
    if (isPaid()) await count(userId, text.length)
    yield* tts.speak(text, options, signal)
  },
})

export function meteredSlots(
  { slots, state }: Pick<SpeechService, 'slots' | 'state'>,
  spend: SpendCharacters,
): SlotsFor {
  const count = characterCount(spend)
  const metered = (name: keyof SpeechService['slots'], userId: string) => {
    const slot = slots[name]
    const { token } = slot
    const isPaid = () => slot.name !== 'embedded' || state().speaking === 'vendor'
    return {
      ...meteredTts(slot, { userId, count, isPaid }),
      ...(token
        ? {
            async token(signal: AbortSignal) {
              await count(userId, OF_A_TOKEN)
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
