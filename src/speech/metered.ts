// Meters vendor synthesis: a user's characters are counted before they are synthesised, because the operator pays for them.
import { waitAtMost } from '../base/abort.ts'
import { AppError } from '../base/errors.ts'
import type { SpeechService } from './open.ts'

/** Throws where it would be too much. */
export type SpendCharacters = (userId: string, characters: number) => Promise<void>
export type SlotsFor = (userId: string) => SpeechService['slots']

/** A vendor's own short-lived token counts as so many: nobody here sees what is said with it. */
const OF_A_TOKEN = 50_000
/** The caller hears the agent though the database is slow to count. */
const PATIENCE_MS = 1000

export function meteredSlots(
  { slots, state }: Pick<SpeechService, 'slots' | 'state'>,
  spend: SpendCharacters,
): SlotsFor {
  /** Nothing is refused for a fault of the database: a conversation outlives its absence. */
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
