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

/** For example "A · ElevenLabs". */
export function providerTitle(provider: Provider, engine: string | undefined, builtInName: string): string {
  const letter = provider.slice(-1).toUpperCase()
  if (!engine) return letter
  return `${letter} · ${engine === 'embedded' ? builtInName : (vendorNames[engine] ?? engine)}`
}

/** The vendor's name; with its slot letter only if two providers share a vendor. */
export function providerName(
  provider: Provider,
  engines: Readonly<Partial<Record<Provider, string>>>,
  builtInName: string,
): string {
  const engine = engines[provider]
  const isAlone = providers.filter((one) => engines[one] === engine).length === 1
  const title = providerTitle(provider, engine, builtInName)
  return engine === 'embedded' || (engine && isAlone) ? title.replace(/^[ABC] · /, '') : title
}

/** A service behind one or more provider slots. */
export type Vendor = { provider: Provider; engine: string; name: string }

/**
 * Each service once, by name: several slots often share one, such as the built-in voices. The slot in use represents
 * its service, except that the built-in voices prefer slot B, which can preview any text.
 */
export function vendorsOf(
  engines: Readonly<Partial<Record<Provider, string>>>,
  used: Provider,
  builtInName: string,
): Vendor[] {
  const order: readonly Provider[] = [used, 'provider_b', 'provider_a', 'provider_c']
  const bySlot = order.map((provider) => ({ provider, engine: engines[provider] ?? '' }))
  const known = bySlot.filter(
    ({ engine }, i) => engine !== '' && bySlot.findIndex((one) => one.engine === engine) === i,
  )
  if (known.length === 0) return [{ provider: used, engine: '', name: '' }]
  const nameOf = (engine: string) => (engine === 'embedded' ? builtInName : (vendorNames[engine] ?? engine))
  return known
    .map((one) => ({ ...one, name: nameOf(one.engine) }))
    .sort((a, b) => providers.indexOf(a.provider) - providers.indexOf(b.provider))
}

export const baseLanguage = (tag: string) => tag.slice(0, 2).toLowerCase()

/** The provider preselected for a new agent: a configured vendor, if there is one, before the built-in voices. */
export function bestProvider(lists: Readonly<Record<Provider, readonly Voice[] | undefined>>): Provider {
  const isVendor = (one: Provider) => lists[one]?.some((voice) => voice.category !== 'local') ?? false
  return providers.find(isVendor) ?? providers.find((one) => (lists[one]?.length ?? 0) > 0) ?? 'provider_a'
}

/** The default voice: the first one in the agent's language. */
export const defaultVoice = (voices: readonly Voice[], language: string): Voice | undefined =>
  voices.find((voice) => voice.language.toLowerCase() === language.toLowerCase()) ??
  voices.find((voice) => baseLanguage(voice.language) === baseLanguage(language)) ??
  voices[0]

/**
 * The preview request for a text and a voice. Provider A cannot preview custom text: if provider B has the same voice
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
  voicesOfB: readonly Pick<Voice, 'id'>[] | undefined,
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
