// The links of an agent's chains, opened. A call takes them when it begins and keeps them: changes act on the next call.
import type { AgentSettings } from '../../api/agents/settings.ts'
import type { Account, ProviderStore } from '../../api/providers/store.ts'
import type { Log } from '../../base/log.ts'
import { type ChainKind, EMBEDDED_ID } from '../../base/provider-kinds.ts'
import type { Config, TtsProvider } from '../../config/config.ts'
import type { ChainLink } from '../../failover/ports.ts'
import { type LlmService, type LlmSet, ruleLlms } from '../../llm/open.ts'
import { type CountCharacters, meteredTts, type SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import type { Speaker } from '../../voice/agent-voice.ts'
import type { Llm, Stt, Tts } from '../../voice/ports.ts'
import { type PlannedAgent, type PlannedChain, type PlannedLink, planChain } from './chain-plan.ts'
import { type EnvironmentAccount, FALLBACK_ID, MODEL_FILE_ID } from './environment-accounts.ts'
import type { speechAccounts } from './speech-accounts.ts'
import { versionOf } from './speech-accounts.ts'

/** Each ends in the embedded link, and so has at least one. */
export type AgentLinks = { llm: ChainLink<Llm>[]; stt: ChainLink<Stt>[]; tts: ChainLink<Speaker>[] }

/** A model of a chain, not bound to an agent's options yet. */
export type OpenedLlm = Omit<ChainLink<Llm>, 'engine'> & { set: LlmSet }

export type FindLinks = (userId: string, agent: PlannedAgent) => Promise<AgentLinks>

export type LinksParts = {
  providers: Pick<ProviderStore, 'own' | 'shared'>
  config: Pick<Config, 'speech'>
  environment: readonly EnvironmentAccount[]
  environmentLlm: Pick<LlmService, 'main' | 'fallback' | 'file'>
  openLlm: (account: Account) => Promise<LlmSet>
  accounts: ReturnType<typeof speechAccounts>
  speech: Pick<SpeechService, 'stt' | 'embedded' | 'vendorTts'>
  slotsFor: SlotsFor
  /** Counts what a user speaks on the operator's accounts. */
  count: CountCharacters
  log: Log
}

const ENVIRONMENT_VERSION = 'environment'

export function providerLinks(parts: LinksParts) {
  const { providers, environment, config, log } = parts
  const rules = ruleLlms()

  async function plansFor(userId: string, agent: PlannedAgent): Promise<Record<ChainKind, PlannedChain>> {
    const [own, shared] = await Promise.all([providers.own(userId), providers.shared()])
    const given = { userId, own, shared, environment, speech: config.speech }
    const plan = (kind: ChainKind) => planChain(kind, agent, given)
    return { llm: plan('llm'), stt: plan('stt'), tts: plan('tts') }
  }

  async function llmsOf({ id, account }: PlannedLink): Promise<LlmSet> {
    if (account) return parts.openLlm(account)
    const { main, fallback, file } = parts.environmentLlm
    if (id === MODEL_FILE_ID) return file?.set ?? rules
    return (id === EMBEDDED_ID ? null : id === FALLBACK_ID ? fallback : main) ?? rules
  }

  /** In order; an account that cannot be opened is left out. */
  async function openLlms(links: readonly PlannedLink[]): Promise<OpenedLlm[]> {
    const opening = links.map(async (link) => {
      try {
        return { ...headOf(link), model: link.model, set: await llmsOf(link) }
      } catch (err) {
        log.error({ err, providerId: link.id }, 'failed to open provider account; using the next one')
        return undefined
      }
    })
    return (await Promise.all(opening)).filter((opened) => opened !== undefined)
  }

  function sttLink(link: PlannedLink): ChainLink<Stt> | undefined {
    const { account, environment: set, model } = link
    const engine = account ? parts.accounts.stt(account, model) : set ? parts.speech.stt : parts.speech.embedded.stt
    const named = account ? (model ?? account.model) : (set?.model ?? null)
    return engine && { ...headOf(link), model: named || null, engine }
  }

  function ttsOf({ account, environment: set, slot }: PlannedLink, userId: string): Tts | undefined {
    const { embedded, vendorTts } = parts.speech
    if (slot) return parts.slotsFor(userId)[slot]
    const metered = { userId, count: parts.count }
    if (set) return meteredTts(vendorTts(set.vendor as Exclude<TtsProvider, 'embedded'>), metered)
    if (!account) return meteredTts(embedded.tts, { ...metered, isPaid: embedded.isVendor })
    const tts = parts.accounts.tts(account)
    return tts && account.userId !== userId ? meteredTts(tts, metered) : tts
  }

  function ttsLink(link: PlannedLink, agent: PlannedAgent, userId: string): ChainLink<Speaker> | undefined {
    const tts = ttsOf(link, userId)
    if (!tts) return undefined
    const engine: Speaker = { ...speechOf(link, agent), tts, voiceId: link.model, language: agent.language }
    return { ...headOf(link), model: link.model, engine }
  }

  return {
    plansFor,

    /** The models of an agent, for work outside calls. */
    async llmsFor(userId: string, agent: PlannedAgent): Promise<OpenedLlm[]> {
      return openLlms((await plansFor(userId, agent)).llm.links)
    },

    async linksFor(userId: string, agent: PlannedAgent): Promise<AgentLinks> {
      const { llm, stt, tts } = await plansFor(userId, agent)
      const opened = await openLlms(llm.links)
      return {
        llm: opened.map((each) => llmLink(each, agent.llmConfig, 'llmFor')),
        stt: stt.links.map(sttLink).filter((link) => link !== undefined),
        tts: tts.links.map((link) => ttsLink(link, agent, userId)).filter((link) => link !== undefined),
      }
    },
  }
}

/** The agent's other options apply to every model; the name of a model only where it was chosen for it. */
export function llmLink(
  { set, model, ...head }: OpenedLlm,
  llmConfig: PlannedAgent['llmConfig'],
  which: keyof LlmSet,
): ChainLink<Llm> {
  const engine = set[which]({ ...llmConfig, model: model ?? undefined })
  return { ...head, model: head.id === EMBEDDED_ID ? null : engine.name, engine }
}

const headOf = ({ id, name, account, environment }: PlannedLink) => ({
  ...{ id, name },
  version: account ? versionOf(account) : environment ? ENVIRONMENT_VERSION : '',
})

/** Speed and pronunciation hold for every voice; the configuration of provider_a only for the vendor that it was written for. */
function speechOf({ slot, account }: PlannedLink, agent: PlannedAgent): Partial<Speaker> {
  const { voice, pronunciation } = (agent.settings ?? {}) as AgentSettings
  const isConfigured = slot === 'provider_a' || (agent.ttsProvider === 'provider_a' && account?.vendor === 'elevenlabs')
  return {
    ...(voice?.speed ? { speed: voice.speed } : {}),
    ...(pronunciation ? { pronunciation } : {}),
    ...(agent.provider_aConfig && isConfigured ? { vendor: agent.provider_aConfig } : {}),
  }
}
