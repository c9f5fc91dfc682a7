// Filters the voices, and finds the agents that use them. Pure.
import type { Agent } from '../../../../client/paths.ts'
import { baseLanguage, defaultVoice, type Provider, type Vendor, type Voice } from '../../components/voice-providers.ts'

export type VoiceFilter = { language: string | null; gender: string | null; text: string }

/** A voice in the list, with the service it belongs to. */
export type ListedVoice = { key: string; voice: Voice; vendor: Vendor }

export const voiceKey = (engine: string | undefined, voiceId: string): string => `${engine ?? ''}/${voiceId}`

/** Search ignores case and accents. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export function filterVoices(voices: readonly ListedVoice[], { language, gender, text }: VoiceFilter): ListedVoice[] {
  const wanted = plain(text.trim())
  return voices.filter(
    ({ voice }) =>
      (!language || baseLanguage(voice.language) === language) &&
      (!gender || voice.gender === gender) &&
      plain(`${voice.name} ${voice.id} ${typeof voice.description === 'string' ? voice.description : ''}`).includes(
        wanted,
      ),
  )
}

/** Unique two-letter language codes. */
export const languagesOf = (voices: readonly ListedVoice[]): string[] => [
  ...new Set(voices.map(({ voice }) => baseLanguage(voice.language))),
]

export type Speaker = Pick<Agent, 'id' | 'name' | 'voiceId' | 'language' | 'ttsProvider' | 'settings'>

/** An agent whose voice comes from a provider account uses a voice that is not listed here. */
function hasOwnAccount({ settings }: Speaker): boolean {
  const voice = settings?.voice
  return typeof voice === 'object' && voice !== null && 'providerId' in voice && Boolean(voice.providerId)
}

/**
 * The agents that use each voice, by its key. Several slots may share one service; an agent without a voice uses the
 * default.
 */
export function agentsByVoice<A extends Speaker>(
  agents: readonly A[],
  voices: readonly ListedVoice[],
  engines: Readonly<Partial<Record<Provider, string>>>,
): ReadonlyMap<string, readonly A[]> {
  const used = new Map<string, A[]>()
  for (const agent of agents) {
    if (hasOwnAccount(agent)) continue
    const engine = engines[agent.ttsProvider]
    const offered = voices.filter(({ vendor }) => vendor.engine === engine).map(({ voice }) => voice)
    const voiceId = agent.voiceId ?? defaultVoice(offered, agent.language)?.id
    if (voiceId === undefined) continue
    const key = voiceKey(engine, voiceId)
    used.set(key, [...(used.get(key) ?? []), agent])
  }
  return used
}
