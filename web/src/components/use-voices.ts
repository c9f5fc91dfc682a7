// The voices of the three providers, and the engine behind each.
import { queries } from '../api.ts'
import type { Provider } from './voice-providers.ts'

const rarely = { staleTime: 5 * 60_000 }

/** Separate queries: a vendor without a key must not hide the others. */
export function useVoices() {
  return {
    provider_a: queries.useQuery('get', '/api/tts/provider_a/voices', {}, rarely),
    provider_b: queries.useQuery('get', '/api/tts/provider_b/voices', {}, rarely),
    provider_c: queries.useQuery('get', '/api/tts/provider_c/voices', {}, rarely),
  }
}
export type AllVoices = ReturnType<typeof useVoices>

/** The engine behind each provider; empty while unknown. */
export const useEngines = (): Readonly<Partial<Record<Provider, string>>> =>
  queries.useQuery('get', '/api/platform', {}, rarely).data?.voiceProviders ?? {}
