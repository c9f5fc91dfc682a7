// When an agent is saved, checks that the accounts and models it names exist. References stored earlier stay valid, so
// that an agent whose account was removed can still be renamed; its chain shows a warning.

import { type ChainKind, EMBEDDED_ID } from '../../base/domain/provider-kinds.ts'
import { appError } from '../../base/errors/errors.ts'
import { fromJson } from '../../db/tables.ts'
import type { Agent, AgentPatch, NewAgent } from '../agents/schema.ts'
import type { AgentSettings } from '../agents/settings-schema.ts'
import type { EnvironmentAccount } from './environment-accounts.ts'
import type { Account, ProviderStore } from './store.ts'

export type AgentCheckParts = {
  providers: Pick<ProviderStore, 'own' | 'shared'>
  environment: readonly EnvironmentAccount[]
}

/** Throws a 400 that names the field. `before`: the stored agent, if any. */
export type CheckAgent = (userId: string, change: NewAgent | AgentPatch, before: Agent | null) => Promise<void>

/** A field in a body that names an account. */
type Reference = {
  kind: ChainKind
  field: string
  providerId: string
  modelField: string
  model: string | null
}

type Known = Pick<Account, 'id' | 'kind' | 'model'> & { models: readonly string[] | null }

export function agentCheck({ providers, environment }: AgentCheckParts): CheckAgent {
  return async (userId, change, before) => {
    const stored = new Set(before ? referencesIn(before).map(nameOf) : [])
    const after = { ...before, ...defined(change) } as NewAgent
    const added = referencesIn(after).filter((reference) => !stored.has(nameOf(reference)))
    if (added.length === 0) return
    const [own, shared] = await Promise.all([providers.own(userId), providers.shared()])
    const accounts: Known[] = [...own, ...shared].map(({ id, kind, model, models }) => ({
      id,
      kind,
      model,
      models: fromJson<string[]>(models),
    }))
    for (const reference of added) check(reference, [...accounts, ...environment])
  }
}

function check({ kind, field, providerId, modelField, model }: Reference, accounts: readonly Known[]): void {
  if (providerId === EMBEDDED_ID) return
  const account = accounts.find(({ id }) => id === providerId)
  if (!account) throw appError('agent_provider_unknown', { field })
  if (account.kind !== kind) throw appError('agent_provider_kind', { field, kind: account.kind, wanted: kind })
  const hasModel = model === null || account.models === null || [account.model, ...account.models].includes(model)
  if (!hasModel) throw appError('agent_model_unknown', { field: modelField, model })
}

const nameOf = ({ kind, providerId, model }: Reference) => `${kind} ${providerId} ${model ?? ''}`
const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)
const defined = (change: object) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

function referencesIn({ settings, llmConfig }: Pick<NewAgent, 'settings' | 'llmConfig'>): Reference[] {
  const { llm, recognition, voice } = (settings ?? {}) as AgentSettings
  return [
    ...referencesOf('llm', 'settings.llm', llm, { model: textOf(llmConfig?.model), field: 'llmConfig.model' }),
    ...referencesOf('stt', 'settings.recognition', recognition, {
      model: textOf(recognition?.model),
      field: 'settings.recognition.model',
    }),
    // Only the vendor knows its voices: an unknown one is replaced by a default at synthesis.
    ...referencesOf('tts', 'settings.voice', voice, { model: null, field: '' }),
  ]
}

type Named = {
  providerId?: string | null
  fallbacks?: readonly { providerId: string; model?: string | null }[] | null
} | null

function referencesOf(
  kind: ChainKind,
  path: string,
  named: Named | undefined,
  first: { model: string | null; field: string },
): Reference[] {
  const { providerId, fallbacks } = named ?? {}
  const main = providerId
    ? [{ kind, field: `${path}.providerId`, providerId, modelField: first.field, model: first.model }]
    : []
  const rest = (fallbacks ?? []).map((fallback, i) => ({
    kind,
    field: `${path}.fallbacks[${i}].providerId`,
    providerId: fallback.providerId,
    modelField: `${path}.fallbacks[${i}].model`,
    model: kind === 'tts' ? null : textOf(fallback.model),
  }))
  return [...main, ...rest]
}
