// Server data about an agent's chains: the default account of the first link, and warnings. Pure.
import type { AgentChain, Provider } from '../../../../../client/paths.ts'
import type { ChainKind } from './chain-draft.ts'

type Known = {
  accounts: readonly Provider[]
  /** The engine behind the voice selected on the voice tab. */
  engine: string | undefined
}

/** The account that the first link uses if the agent names none; undefined for a built-in engine. */
export function defaultAccount(kind: ChainKind, { accounts, engine }: Known): Provider | undefined {
  const ofKind = accounts.filter((account) => account.kind === kind)
  // The id that the server gives to accounts from its environment.
  if (kind === 'tts') return ofKind.find(({ id }) => id === `environment-${engine}-tts`)
  return ofKind.find(({ isInUse }) => isInUse)
}

type Code = AgentChain['warnings'][number]['code']
/** A missing account is reported at its field, and the rule agent at the end of the list. */
export type ShownWarning = Exclude<Code, 'account_missing' | 'no_model'>

/** The saved agent's warnings, each once. If the built-in voice is disabled, its languages do not matter. */
export function warningsOf(chain: Pick<AgentChain, 'warnings'> | undefined, kind: ChainKind): ShownWarning[] {
  const codes = new Set((chain?.warnings ?? []).filter((one) => one.kind === kind).map(({ code }) => code))
  if (codes.has('embedded_voice_off')) codes.delete('no_embedded_voice')
  return [...codes].filter((code) => code !== 'account_missing' && code !== 'no_model')
}

/** Whether an account offers a model; an account without a model list accepts any. */
export const hasModel = ({ model, models }: Pick<Provider, 'model' | 'models'>, choice: string): boolean =>
  choice.trim() === '' || models === null || [model, ...models].includes(choice.trim())
