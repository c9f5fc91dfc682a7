// The opened links of an agent's chains. A call opens them at its start, so changes affect the next call.

import { type ChainKind, EMBEDDED_ID } from '../../base/domain/provider-kinds.ts'
import type { Meter } from '../../base/meter.ts'
import type { Log } from '../../base/process/log.ts'
import type { Config, TtsProvider } from '../../config/config.ts'
import { fromJson } from '../../db/tables.ts'
import type { ChainLink } from '../../failover/ports.ts'
import { meteredLlms } from '../../llm/metered.ts'
import { type LlmService, type LlmSet, ruleLlms } from '../../llm/open.ts'
import { meteredStt, meteredTts, type SlotsFor } from '../../speech/metered.ts'
import type { SpeechService } from '../../speech/open.ts'
import type { Llm, Speaker, Stt, Tts } from '../../voice/ports.ts'
import type { AgentSettings } from '../agents/settings-schema.ts'
import { type PlannedAgent, type PlannedChain, type PlannedLink, planChain } from './chain-plan.ts'
import { type EnvironmentAccount, FALLBACK_ID, MODEL_FILE_ID } from './environment-accounts.ts'
import type { speechAccounts } from './speech-accounts.ts'
import { versionOf } from './speech-accounts.ts'
import type { Account, ProviderStore } from './store.ts'

/** Each chain ends in the embedded link, so it has at least one. */
export type AgentLinks = { llm: ChainLink<Llm>[]; stt: ChainLink<Stt>[]; tts: ChainLink<Speaker>[] }

type Opened<Engine> = Pick<ChainLink<Engine>, 'engine' | 'uncounted'>

/** A model of a chain, not yet bound to an agent's options. */
export type OpenedLlm = Omit<ChainLink<Llm>, 'engine' | 'uncounted'> & { set: LlmSet; uncounted?: LlmSet }

export type FindLinks = (userId: string, agent: PlannedAgent) => Promise<AgentLinks>

export type LinksParts = {
  providers: Pick<ProviderStore, 'own' | 'shared'>
  config: Pick<Config, 'speech'>
  environment: readonly EnvironmentAccount[]
  environmentLlm: Pick<LlmService, 'main' | 'fallback' | 'file'>
  openLlm: (account: Account) => Promise<LlmSet>
  accounts: ReturnType<typeof speechAccounts>
  speech: Pick<SpeechService, 'stt' | 'embedded' | 'vendorTts' | 'slots'>
  slotsFor: SlotsFor
  /** Counts a user's spending on the operator's accounts. */
  meter: Meter
  log: Log
}

const ENVIRONMENT_VERSION = 'environment'

export function providerLinks(parts: LinksParts) {
  const { meter, log } = parts
  const rules = ruleLlms()

  async function llmsOf({ id, account }: PlannedLink): Promise<LlmSet> {
    if (account) return parts.openLlm(account)
    const { main, fallback, file } = parts.environmentLlm
    if (id === MODEL_FILE_ID) return file?.set ?? rules
    return (id === EMBEDDED_ID ? null : id === FALLBACK_ID ? fallback : main) ?? rules
  }

  /** Members' use of the operator's models is counted and limited. A model file costs nothing. */
  async function openLlm(link: PlannedLink, userId: string): Promise<Pick<OpenedLlm, 'set' | 'uncounted'>> {
    const set = await llmsOf(link)
    const { source, account, environment: environmental, id } = link
    const isPaid = source === 'shared' || (source === 'environment' && id !== MODEL_FILE_ID)
    if (!isPaid || !(await meter.isLimited(userId))) return { set }
    const models = account ? fromJson<string[]>(account.models) : (environmental?.models ?? null)
    return { set: meteredLlms(set, { userId, meter, hasDefaultOnly: models === null }), uncounted: set }
  }

  /** In order; accounts that cannot be opened are left out. */
  async function openLlms(links: readonly PlannedLink[], userId: string): Promise<OpenedLlm[]> {
    const opening = links.map(async (link) => {
      try {
        return { ...headOf(link), model: link.model, ...(await openLlm(link, userId)) }
      } catch (err) {
        log.error({ err, providerId: link.id }, 'failed to open provider account; using the next one')
        return undefined
      }
    })
    return (await Promise.all(opening)).filter((opened) => opened !== undefined)
  }

  return {
    plansFor: (userId: string, agent: PlannedAgent) => plansFor(parts, userId, agent),

    /** The models of an agent, for work outside calls. */
    async llmsFor(userId: string, agent: PlannedAgent): Promise<OpenedLlm[]> {
      return openLlms((await plansFor(parts, userId, agent)).llm.links, userId)
    },

    async linksFor(userId: string, agent: PlannedAgent): Promise<AgentLinks> {
      const { llm, stt, tts } = await plansFor(parts, userId, agent)
      const opened = await openLlms(llm.links, userId)
      return {
        llm: opened.map((each) => llmLink(each, agent.llmConfig, 'llmFor')),
        stt: stt.links.map((link) => sttLink(parts, link, userId)).filter((link) => link !== undefined),
        tts: tts.links.map((link) => ttsLink(parts, link, { agent, userId })).filter((link) => link !== undefined),
      }
    },
  }
}

type Plans = Record<ChainKind, PlannedChain>

async function plansFor(parts: LinksParts, userId: string, agent: PlannedAgent): Promise<Plans> {
  const { providers, environment, config, meter } = parts
  const [own, shared, isLimited] = await Promise.all([
    providers.own(userId),
    providers.shared(),
    meter.isLimited(userId),
  ])
  const given = { userId, isLimited, own, shared, environment, speech: config.speech }
  const plan = (kind: ChainKind) => planChain(kind, agent, given)
  return { llm: plan('llm'), stt: plan('stt'), tts: plan('tts') }
}

function sttLink(parts: LinksParts, link: PlannedLink, userId: string): ChainLink<Stt> | undefined {
  const { accounts, speech, meter } = parts
  const { account, environment: set, model, source } = link
  const engine = account ? accounts.stt(account, model) : set ? speech.stt : speech.embedded.stt
  if (!engine) return undefined
  const named = account ? (model ?? account.model) : (set?.model ?? null)
  const head = { ...headOf(link), model: named || null }
  const isPaid = source === 'shared' || source === 'environment'
  return isPaid ? { ...head, engine: meteredStt(engine, { userId, meter }), uncounted: engine } : { ...head, engine }
}

function ttsOf(parts: LinksParts, link: PlannedLink, userId: string): Opened<Tts> | undefined {
  const { account, environment: set, slot } = link
  const { embedded, vendorTts, slots } = parts.speech
  if (slot) return { engine: parts.slotsFor(userId)[slot], uncounted: slots[slot] }
  const metered = { userId, meter: parts.meter }
  const counted = (tts: Tts) => ({ engine: meteredTts(tts, metered), uncounted: tts })
  if (set) return counted(vendorTts(set.vendor as Exclude<TtsProvider, 'embedded'>))
  if (!account) return { engine: meteredTts(embedded.tts, { ...metered, isPaid: embedded.isVendor }) }
  const tts = parts.accounts.tts(account)
  return tts && account.userId !== userId ? counted(tts) : tts && { engine: tts }
}

type SpeakerOf = { userId: string; agent: PlannedAgent }

function ttsLink(parts: LinksParts, link: PlannedLink, { userId, agent }: SpeakerOf): ChainLink<Speaker> | undefined {
  const opened = ttsOf(parts, link, userId)
  if (!opened) return undefined
  const speaker = (tts: Tts): Speaker => ({
    ...speechOf(link, agent),
    tts,
    voiceId: link.model,
    language: agent.language,
  })
  const { engine, uncounted } = opened
  return {
    ...headOf(link),
    model: link.model,
    engine: speaker(engine),
    uncounted: uncounted && speaker(uncounted),
  }
}

/** The agent's other options apply to every model; a model name only to the account it was chosen for. */
export function llmLink(
  { set, uncounted, model, ...head }: OpenedLlm,
  llmConfig: PlannedAgent['llmConfig'],
  which: keyof LlmSet,
): ChainLink<Llm> {
  const config = { ...llmConfig, model: model ?? undefined }
  const engine = set[which](config)
  return {
    ...head,
    model: head.id === EMBEDDED_ID ? null : engine.name,
    engine,
    uncounted: uncounted?.[which](config),
  }
}

const headOf = ({ id, name, account, environment }: PlannedLink) => ({
  id,
  name,
  version: account ? versionOf(account) : environment ? ENVIRONMENT_VERSION : '',
})

/**
 * Speed and pronunciation apply to every voice; the configuration of provider_a only to the vendor it was written for.
 */
function speechOf({ slot, account }: PlannedLink, agent: PlannedAgent): Partial<Speaker> {
  const { voice, pronunciation } = (agent.settings ?? {}) as AgentSettings
  const isConfigured = slot === 'provider_a' || (agent.ttsProvider === 'provider_a' && account?.vendor === 'elevenlabs')
  return {
    ...(voice?.speed ? { speed: voice.speed } : {}),
    ...(pronunciation ? { pronunciation } : {}),
    ...(agent.provider_aConfig && isConfigured ? { vendor: agent.provider_aConfig } : {}),
  }
}
