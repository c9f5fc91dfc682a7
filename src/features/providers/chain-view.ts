// An agent's chains as shown by the API: links in order, their health, and warnings where they differ from the agent's
// settings.
import { type ChainKind, EMBEDDED_ID } from '../../base/domain/provider-kinds.ts'
import { vendorFor } from '../../base/domain/speech-vendors.ts'
import type { SpeechConfig } from '../../config/config.ts'
import type { Breakers } from '../../failover/ports.ts'
import { embeddedVoices, languageOf } from '../../speech/catalog.ts'
import { recognizedLanguages } from '../../speech/recognized-languages.ts'
import type { AgentStore } from '../agents/store.ts'
import type { PlannedAgent, PlannedChain, PlannedLink } from './chain-plan.ts'
import type { AgentChain, chainWarnings } from './chain-schema.ts'
import type { ProviderStore } from './store.ts'

export type ChainViewParts = {
  agents: Pick<AgentStore, 'get'>
  providers: Pick<ProviderStore, 'keyOf'>
  plansFor: (userId: string, agent: PlannedAgent) => Promise<Record<ChainKind, PlannedChain>>
  breakers: Pick<Breakers, 'healthOf'>
  speech: Pick<SpeechConfig, 'embedded'>
}

type Code = (typeof chainWarnings)[number]
type Warning = AgentChain['warnings'][number]

const messages: Readonly<Record<Code, string>> = {
  no_model: 'No language model is configured: the rule agent replies',
  account_missing: 'An account that this agent names was removed; the next one is used',
  key_missing: 'This account has no key for its address, and will be refused',
  model_missing: 'This account does not have the model that the agent names; its default is used',
  no_embedded_voice:
    'There is no embedded voice in this language: if every voice provider fails, another language is spoken',
  no_embedded_recognition: 'The embedded recogniser does not know this language',
  embedded_voice_off: 'EMBEDDED_VOICE is off: no voice is left if every voice provider fails',
}
const kinds = ['llm', 'stt', 'tts'] as const

export function chainView({ agents, providers, plansFor, breakers, speech }: ChainViewParts) {
  const viewOf = (kind: ChainKind, link: PlannedLink): AgentChain['llm'][number] => {
    const { id, name, source, model, account, environment } = link
    const own = (account ?? environment)?.model || null
    const isVoice = kind === 'tts'
    return {
      id,
      name,
      source,
      health: breakers.healthOf(kind, id),
      model: id === EMBEDDED_ID ? null : isVoice || environment?.kind === 'stt' ? own : (model ?? own),
      voiceId: isVoice ? model : null,
    }
  }

  function warningsOf(kind: ChainKind, { links, missing, replaced }: PlannedChain): Warning[] {
    const warning = (code: Code, providerId: string | null): Warning => ({
      kind,
      code,
      providerId,
      message: messages[code],
    })
    const keyless = links.filter(
      ({ account }) => account && vendorFor(kind, account.vendor)?.needsKey && providers.keyOf(account) === null,
    )
    return [
      ...missing.map((id) => warning('account_missing', id)),
      ...replaced.map((id) => warning('model_missing', id)),
      ...keyless.map(({ id }) => warning('key_missing', id)),
    ]
  }

  function embeddedWarnings(language: string, isRuleAgent: boolean): Warning[] {
    const found: [ChainKind, Code, boolean][] = [
      ['llm', 'no_model', isRuleAgent],
      ['stt', 'no_embedded_recognition', !recognizedLanguages.has(languageOf(language))],
      ['tts', 'embedded_voice_off', speech.embedded === 'off'],
      [
        'tts',
        'no_embedded_voice',
        !embeddedVoices.some((voice) => languageOf(voice.language) === languageOf(language)),
      ],
    ]
    return found.flatMap(([kind, code, isSo]) =>
      isSo ? [{ kind, code, providerId: EMBEDDED_ID, message: messages[code] }] : [],
    )
  }

  return async (userId: string, agentId: string): Promise<AgentChain> => {
    const agent = await agents.get(userId, agentId)
    const plans = await plansFor(userId, agent)
    const links = (kind: ChainKind) => plans[kind].links.map((link) => viewOf(kind, link))
    return {
      llm: links('llm'),
      stt: links('stt'),
      tts: links('tts'),
      warnings: [
        ...kinds.flatMap((kind) => warningsOf(kind, plans[kind])),
        ...embeddedWarnings(agent.language, plans.llm.links[0]?.id === EMBEDDED_ID),
      ],
    }
  }
}
