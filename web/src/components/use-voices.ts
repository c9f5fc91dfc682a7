// The voices of the three providers, and the engine behind each.
import type { QueryClient } from '@tanstack/react-query'
import { queries } from '../api.ts'
import { type Provider, providers } from './voice-providers.ts'

const rarely = { staleTime: 5 * 60_000 }

/** Separate queries: a vendor without a key must not hide the voices of the others. */
export function useVoices(wanted: readonly Provider[] = providers) {
  const options = (provider: Provider) => ({ ...rarely, enabled: wanted.includes(provider) })
  return {
    provider_a: queries.useQuery('get', '/api/tts/provider_a/voices', {}, options('provider_a')),
    provider_b: queries.useQuery('get', '/api/tts/provider_b/voices', {}, options('provider_b')),
    provider_c: queries.useQuery('get', '/api/tts/provider_c/voices', {}, options('provider_c')),
  }
}
/** Loads the voices of one provider on demand, because the lists are large. */
export function loadVoices(client: QueryClient, provider: Provider) {
  const load = (path: `/api/tts/${Provider}/voices`) =>
    client.fetchQuery({ ...queries.queryOptions('get', path, {}), ...rarely })
  return load(`/api/tts/${provider}/voices`)
}

/** The engine behind each provider; empty while loading. */
export const useEngines = (): Readonly<Partial<Record<Provider, string>>> =>
  queries.useQuery('get', '/api/platform', {}, rarely).data?.voiceProviders ?? {}
