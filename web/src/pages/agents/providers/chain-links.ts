// What the server says of an agent's chains: the account that a first link stands for, and warnings. Pure.
import type { AgentChain, Provider } from '../../../../../client/paths.ts'
import type { ChainKind } from './chain-draft.ts'

type Known = {
  accounts: readonly Provider[]
  /** What speaks behind the voice that the voice tab chose. */
  engine: string | undefined
}

/** The account that the first link stands for where the agent names none; undefined: an engine inside the platform. */
export function defaultAccount(kind: ChainKind, { accounts, engine }: Known): Provider | undefined {
  const ofKind = accounts.filter((account) => account.kind === kind)
  // As the server names what its environment sets.
  if (kind === 'tts') return ofKind.find(({ id }) => id === `environment-${engine}-tts`)
  return ofKind.find(({ isInUse }) => isInUse)
}

type Code = AgentChain['warnings'][number]['code']
/** An account that is gone is told at its field, and the rule agent at the end of the list. */
export type ShownWarning = Exclude<Code, 'account_missing' | 'no_model'>

/** Of the saved agent, each once. Where the built-in voice is off, its languages do not matter. */
export function warningsOf(chain: Pick<AgentChain, 'warnings'> | undefined, kind: ChainKind): ShownWarning[] {
  const codes = new Set((chain?.warnings ?? []).filter((one) => one.kind === kind).map(({ code }) => code))
  if (codes.has('embedded_voice_off')) codes.delete('no_embedded_voice')
  return [...codes].filter((code) => code !== 'account_missing' && code !== 'no_model')
}

/** Whether an account offers a model; one that lists none offers any. */
export const hasModel = ({ model, models }: Pick<Provider, 'model' | 'models'>, choice: string): boolean =>
  choice.trim() === '' || models === null || [model, ...models].includes(choice.trim())
