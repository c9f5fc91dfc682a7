// Which providers serve an agent, in order: those it names, otherwise the owner's default, otherwise the platform's;
// the embedded engines last. Pure: the same accounts and agent give the same plan, for calls and for the UI.
import { type ChainKind, EMBEDDED_ID } from '../../base/domain/provider-kinds.ts'
import type { SpeechConfig } from '../../config/config.ts'
import { fromJson } from '../../db/tables.ts'
import type { Agent } from '../agents/schema.ts'
import type { AgentSettings } from '../agents/settings-schema.ts'
import { boundId, type EnvironmentAccount, FALLBACK_ID, MAIN_ID, MODEL_FILE_ID } from './environment-accounts.ts'
import type { Account } from './store.ts'

export type PlannedAgent = Pick<
  Agent,
  'language' | 'ttsProvider' | 'voiceId' | 'llmConfig' | 'provider_aConfig' | 'settings'
>

/** A planned provider of a chain, not opened yet. */
export type PlannedLink = {
  id: string
  name: string
  /** The model or voice that the agent names; null for the provider's default. */
  model: string | null
  source: 'own' | 'shared' | 'environment' | 'embedded'
  account?: Account
  environment?: EnvironmentAccount
  /** The slot named by `ttsProvider`, which has its own voice ids. */
  slot?: Agent['ttsProvider']
  /** The account lacks the model that the agent names. */
  isReplaced?: boolean
}

export type PlannedChain = {
  links: PlannedLink[]
  /** Ids that the agent names but that no longer exist. */
  missing: string[]
  /** Accounts without the model that the agent names; their default is used. */
  replaced: string[]
}

export type PlanParts = {
  userId: string
  /** Of the operator's language models, members may name only the listed ones. */
  isLimited?: boolean
  own: readonly Account[]
  /** The platform's accounts, most recently shared first. */
  shared: readonly Account[]
  environment: readonly EnvironmentAccount[]
  speech: Pick<SpeechConfig, 'slots' | 'stt'>
}

type Named = { providerId?: string | null; fallbacks?: readonly NamedFallback[] | null }
type NamedFallback = { providerId: string; model?: string | null; voiceId?: string | null }
type Wanted = { id: string; model: string | null }

export function planChain(kind: ChainKind, agent: PlannedAgent, parts: PlanParts): PlannedChain {
  const named = namedBy(agent, kind)
  const first: Wanted | null = named.providerId ? { id: named.providerId, model: firstModel(agent, kind) } : null
  const fallbacks = (named.fallbacks ?? []).map(
    ({ providerId, model, voiceId }): Wanted => ({ id: providerId, model: (kind === 'tts' ? voiceId : model) || null }),
  )
  const missing: string[] = []
  const found = (wanted: Wanted): PlannedLink[] => {
    const link = linkTo(kind, wanted, parts)
    if (!link) missing.push(wanted.id)
    return link ? [link] : []
  }
  const head = first ? found(first) : defaultLinks(kind, agent, parts)
  const rest = fallbacks.flatMap(found)
  const own = [...head, ...rest]
  // Nothing that the agent names exists any more, so it is served like an agent that names nothing.
  const links = own.length > 0 ? own : defaultLinks(kind, agent, parts)
  const [begin] = links
  const isOfPlatform = begin?.source === 'shared' || begin?.source === 'environment'
  // Only for platform accounts: a user's own account never falls back to a vendor they did not name.
  if (kind === 'llm' && isOfPlatform && fallbacks.length === 0)
    for (const next of [FALLBACK_ID, MODEL_FILE_ID])
      links.push(...environmentLinks(next, null, parts).filter(({ id }) => id !== begin.id))
  if (!links.some(({ id }) => id === EMBEDDED_ID)) links.push(embeddedLink(null))
  const replaced = links.filter(({ isReplaced }) => isReplaced).map(({ id }) => id)
  return { links, missing, replaced }
}

/** The part of the agent's settings that names accounts of this kind. */
function namedBy(agent: Pick<Agent, 'settings'>, kind: ChainKind): Named {
  const { llm, recognition, voice } = (agent.settings ?? {}) as AgentSettings
  return (kind === 'llm' ? llm : kind === 'stt' ? recognition : voice) ?? {}
}

function firstModel(agent: PlannedAgent, kind: ChainKind): string | null {
  if (kind === 'tts') return agent.voiceId || null
  const model = kind === 'llm' ? agent.llmConfig?.model : (agent.settings as AgentSettings | null)?.recognition?.model
  return typeof model === 'string' && model !== '' ? model : null
}

/** For an agent that names no account. */
function defaultLinks(kind: ChainKind, agent: PlannedAgent, parts: PlanParts): PlannedLink[] {
  const model = firstModel(agent, kind)
  if (kind === 'tts') {
    const id = boundId('tts', parts.speech.slots[agent.ttsProvider])
    const [bound] = id === EMBEDDED_ID ? [embeddedLink(model)] : environmentLinks(id, model, parts)
    return bound ? [{ ...bound, slot: agent.ttsProvider }] : []
  }
  const account = accountInUse(parts, kind)
  if (account) return [accountLink(account, model, parts)]
  if (kind === 'llm') {
    const main = environmentLinks(MAIN_ID, model, parts)
    return main.length > 0 ? main : environmentLinks(MODEL_FILE_ID, null, parts)
  }
  const id = boundId('stt', parts.speech.stt)
  return id === EMBEDDED_ID ? [] : environmentLinks(id, model, parts)
}

/** The user's default account of a kind, else the platform's. */
const accountInUse = ({ own, shared }: Pick<PlanParts, 'own' | 'shared'>, kind: Account['kind']): Account | undefined =>
  own.find((each) => each.kind === kind && each.isDefault === 1) ?? shared.find((each) => each.kind === kind)

function linkTo(kind: ChainKind, { id, model }: Wanted, parts: PlanParts): PlannedLink | undefined {
  if (id === EMBEDDED_ID) return embeddedLink(model)
  const account = [...parts.own, ...parts.shared].find((each) => each.id === id && each.kind === kind)
  if (account) return accountLink(account, model, parts)
  return environmentLinks(id, model, parts).find(({ environment }) => environment?.kind === kind)
}

function accountLink(account: Account, model: string | null, { userId, isLimited = false }: PlanParts): PlannedLink {
  const { id, name } = account
  const source = account.userId === userId ? 'own' : 'shared'
  const listed = fromJson<string[]>(account.models)
  const has = allowed({ ...account, models: listed }, model, isLimited && source === 'shared')
  return { id, name, model: has, source, account, ...(has === model ? {} : { isReplaced: true }) }
}

type Offer = Pick<EnvironmentAccount, 'kind' | 'model' | 'models'>

/** A model that the account lacks is replaced by its default; voices are left to the vendor. */
function allowed({ kind, models, model: own }: Offer, model: string | null, isLimited: boolean): string | null {
  const further = models ?? (isLimited && kind === 'llm' ? [] : null)
  if (kind === 'tts' || model === null || further === null) return model
  return model === own || further.includes(model) ? model : null
}

const environmentLinks = (
  id: string,
  model: string | null,
  { environment, isLimited = false }: PlanParts,
): PlannedLink[] =>
  environment
    .filter((each) => each.id === id)
    .map((each) => {
      const has = each.models === null ? allowed(each, model, isLimited) : model // a list is checked when it is opened
      const replaced = has === model ? {} : { isReplaced: true }
      return { id, name: each.title, model: has, source: 'environment', environment: each, ...replaced }
    })

const embeddedLink = (model: string | null): PlannedLink => ({
  id: EMBEDDED_ID,
  name: 'Embedded',
  model,
  source: 'embedded',
})
