// Converts the chains of an agent's settings to form rows and back. Pure.

export type ChainItem = {
  /** Empty means the default account; for a voice, the one from the voice tab. */
  providerId: string
  /** Model or voice; empty means the account's default. */
  choice: string
}

/** Same limit as in src/features/agents/settings-schema.ts. */
export const MAX_FALLBACKS = 4

type Fallback = { providerId: string; model?: string | null; voiceId?: string | null }

export const itemsOf = (fallbacks: readonly Fallback[] | null | undefined, field: 'model' | 'voiceId'): ChainItem[] =>
  (fallbacks ?? []).map((each) => ({ providerId: each.providerId, choice: each[field] ?? '' }))

/** Undefined if there are none, so that the platform's own fallback applies. */
export const fallbacksOf = (items: readonly ChainItem[], field: 'model' | 'voiceId'): Fallback[] | undefined =>
  items.length === 0
    ? undefined
    : items.map(({ providerId, choice }) => ({
        providerId,
        ...(choice.trim() === '' ? {} : { [field]: choice.trim() }),
      }))
