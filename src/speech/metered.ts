// Meters vendor synthesis: a user's characters are counted before they are synthesised, because the operator pays for them.
import { waitAtMost } from '../base/abort.ts'
import { AppError } from '../base/errors.ts'
import type { SpeechService } from './open.ts'

/** Throws when the budget would be exceeded. */
export type SpendCharacters = (userId: string, characters: number) => Promise<void>
export type SlotsFor = (userId: string) => SpeechService['slots']

/** A vendor's own short-lived token counts as this many characters: we cannot see what is synthesised with it. */
const OF_A_TOKEN = 50_000
/** How long the count may delay the agent's speech when the database is slow. */
const PATIENCE_MS = 1000

export function meteredSlots(
  { slots, state }: Pick<SpeechService, 'slots' | 'state'>,
  spend: SpendCharacters,
): SlotsFor {
  /** A database failure refuses nothing: calls survive an outage. */
  async function count(userId: string, characters: number): Promise<void> {
    const counted = spend(userId, characters).catch((error) => {
      if (error instanceof AppError) throw error
    })
    counted.catch(() => {})
    await waitAtMost(PATIENCE_MS, counted)
  }

  const metered = (name: keyof SpeechService['slots'], userId: string) => {
    const slot = slots[name]
    const { token } = slot
    const isPaid = () => slot.name !== 'embedded' || state().speaking === 'vendor'
    return {
      ...slot,
      async *speak(...[text, options, signal]: Parameters<typeof slot.speak>) {
        if (isPaid()) await count(userId, text.length)
        yield* slot.speak(text, options, signal)
      },
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
