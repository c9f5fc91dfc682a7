// An agent's providers as ordered lists, stored in the draft as the first link and its fallbacks. Pure.
import type { Draft } from '../agent-draft.ts'
import { type ChainItem, MAX_FALLBACKS } from './chain-settings.ts'

export const chainKinds = ['llm', 'stt', 'tts'] as const
export type ChainKind = (typeof chainKinds)[number]

const fieldsOf = {
  llm: { provider: 'llmProvider', choice: 'model', fallbacks: 'llmFallbacks' },
  stt: { provider: 'sttProvider', choice: 'sttModel', fallbacks: 'sttFallbacks' },
  tts: { provider: 'voiceProvider', choice: 'voiceId', fallbacks: 'voiceFallbacks' },
} as const satisfies Record<ChainKind, Record<string, keyof Draft>>

export const fallbackField = (kind: ChainKind) => fieldsOf[kind].fallbacks

export function chainOf(draft: Draft, kind: ChainKind): ChainItem[] {
  const { provider, choice, fallbacks } = fieldsOf[kind]
  return [{ providerId: draft[provider], choice: draft[choice] }, ...draft[fallbacks]]
}

export function patchOfChain(kind: ChainKind, [first, ...rest]: readonly ChainItem[]): Partial<Draft> {
  const { provider, choice, fallbacks } = fieldsOf[kind]
  return { [provider]: first?.providerId ?? '', [choice]: first?.choice ?? '', [fallbacks]: rest }
}

export const canAdd = (items: readonly ChainItem[]): boolean => items.length <= MAX_FALLBACKS

/**
 * Moves one item; null if the move is invalid. Only the first item may leave its account open: once moved down it takes
 * the id of the default account. If the default is a built-in engine, it is dropped, because that comes last anyway.
 */
export function moved(
  items: readonly ChainItem[],
  [from, to]: readonly [number, number],
  defaultId: string | null,
): ChainItem[] | null {
  const item = items[from]
  if (!item || from === to || to < 0 || to >= items.length) return null
  const rest = items.filter((_, at) => at !== from)
  const next = [...rest.slice(0, to), item, ...rest.slice(to)]
  const [first] = items
  if (first?.providerId !== '' || next[0] === first) return next
  if (defaultId === null) return next.filter((one) => one !== first)
  return next.map((one) => (one === first ? { ...one, providerId: defaultId } : one))
}

/** Removes one item; if it was the first, the next one takes its place. */
export const without = (items: readonly ChainItem[], at: number): ChainItem[] =>
  items.length === 1 ? [{ providerId: '', choice: '' }] : items.filter((_, other) => other !== at)

/** Resets the choice: another account has other models and voices. */
export const withProvider = (items: readonly ChainItem[], at: number, providerId: string): ChainItem[] =>
  items.map((item, other) => (other === at ? { providerId, choice: '' } : item))

export const withChoice = (items: readonly ChainItem[], at: number, choice: string): ChainItem[] =>
  items.map((item, other) => (other === at ? { ...item, choice } : item))

export type ItemProblem = 'empty' | 'repeated'

/** One entry per item: a fallback without an account, or a repeated account and model. */
export function itemProblems(items: readonly ChainItem[]): (ItemProblem | null)[] {
  const seen = new Set<string>()
  return items.map(({ providerId, choice }, at) => {
    const key = `${providerId}\n${choice.trim()}`
    const isRepeated = seen.has(key)
    seen.add(key)
    if (at > 0 && providerId === '') return 'empty'
    return isRepeated ? 'repeated' : null
  })
}
