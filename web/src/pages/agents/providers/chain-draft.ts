// The providers of an agent as ordered lists over the draft: the first link and its fallbacks. Pure.
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
 * The list with one item elsewhere; null where that cannot be. Only the first may leave its account open: further down it gets
 * the name of the account it stands for. An engine inside the platform has none, and comes last anyway.
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

/** Without one; the next becomes the first where that was it. */
export const without = (items: readonly ChainItem[], at: number): ChainItem[] =>
  items.length === 1 ? [{ providerId: '', choice: '' }] : items.filter((_, other) => other !== at)

/** Another account has other models and voices. */
export const withProvider = (items: readonly ChainItem[], at: number, providerId: string): ChainItem[] =>
  items.map((item, other) => (other === at ? { providerId, choice: '' } : item))

export const withChoice = (items: readonly ChainItem[], at: number, choice: string): ChainItem[] =>
  items.map((item, other) => (other === at ? { ...item, choice } : item))

export type ItemProblem = 'empty' | 'repeated'

/** Of each item, in order: a fallback without an account, or the same account and model a second time. */
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
