// Voice providers, default voices and preview requests. Pure.
import type { Voice } from '../../../client/paths.ts'

export const providers = ['provider_a', 'provider_b', 'provider_c'] as const
export type Provider = (typeof providers)[number]
export type { Voice }

const vendorNames: Readonly<Record<string, string>> = {
  elevenlabs: 'ElevenLabs',
  azure: 'Azure',
  cartesia: 'Cartesia',
  openai: 'OpenAI',
}

/** "A · ElevenLabs" */
export function providerTitle(provider: Provider, engine: string | undefined, builtInName: string): string {
  const letter = provider.slice(-1).toUpperCase()
  if (!engine) return letter
  return `${letter} · ${engine === 'embedded' ? builtInName : (vendorNames[engine] ?? engine)}`
}

export const baseLanguage = (tag: string) => tag.slice(0, 2).toLowerCase()

/** The provider preselected for a new agent: a configured vendor before the built-in voices. */
export function bestProvider(lists: Readonly<Record<Provider, readonly Voice[] | undefined>>): Provider {
  const isVendor = (one: Provider) => lists[one]?.some((voice) => voice.category !== 'local') ?? false
  return providers.find(isVendor) ?? providers.find((one) => (lists[one]?.length ?? 0) > 0) ?? 'provider_a'
}

/** The voice used when none is chosen: the first of the language. */
export const defaultVoice = (voices: readonly Voice[], language: string): Voice | undefined =>
  voices.find((voice) => voice.language.toLowerCase() === language.toLowerCase()) ??
  voices.find((voice) => baseLanguage(voice.language) === baseLanguage(language)) ??
  voices[0]

/**
 * The request that previews a text with a voice. Provider A has no route for custom text: if provider B has the same voice
 * (both use one engine), B is used; otherwise only the voice's own sample can be played.
 */
export function previewRequest(
  {
    provider,
    voiceId,
    text,
    speed,
    language,
  }: { provider: Provider; voiceId: string } & Partial<Record<'text' | 'language', string>> & { speed?: number },
  voicesOfB: readonly Voice[] | undefined,
) {
  const wanted = text?.trim()
  if (!wanted) return { provider, voiceId }
  const speaker = provider === 'provider_a' && voicesOfB?.some(({ id }) => id === voiceId) ? 'provider_b' : provider
  if (speaker === 'provider_a') return { provider, voiceId }
  return {
    provider: speaker,
    voiceId,
    text: wanted.slice(0, 5000),
    ...(speed && speed !== 1 && speaker === 'provider_b' ? { speed } : {}),
    ...(language && speaker === 'provider_c' ? { language } : {}),
  }
}
