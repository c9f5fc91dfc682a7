// Provider changes within a call, derived from the providers of each turn, as notes in the transcript. Pure.
import type { Turn } from '../../../../client/paths.ts'
import { EMBEDDED } from '../../components/incidents.ts'
import type { Entry, NoteLine } from '../../components/transcript-lines.ts'

const kinds = ['stt', 'llm', 'tts'] as const
type ChainKind = (typeof kinds)[number]
type Served = NonNullable<NonNullable<Turn['providers']>[ChainKind]>

export type ProviderChange = {
  kind: ChainKind
  turn: Turn
  from: Served
  to: Served
  /** Back to the call's first provider, or away from the built-in engine. */
  isRecovered: boolean
}

export function providerChanges(turns: readonly Turn[]): ProviderChange[] {
  const first: Partial<Record<ChainKind, Served>> = {}
  const last: Partial<Record<ChainKind, Served>> = {}
  return turns.flatMap((turn) =>
    kinds.flatMap((kind) => {
      const to = turn.providers?.[kind]
      if (!to) return []
      first[kind] ??= to
      const from = last[kind]
      last[kind] = to
      if (!from || from.id === to.id) return []
      return [{ kind, turn, from, to, isRecovered: to.id === first[kind].id || from.id === EMBEDDED }]
    }),
  )
}

export type ChangeWords = {
  kind: Readonly<Record<ChainKind, string>>
  embedded: Readonly<Record<ChainKind, string>>
  degraded: (kind: string, from: string, to: string) => string
  recovered: (kind: string, to: string) => string
}

const nameOf = (kind: ChainKind, { id, name }: Served, words: ChangeWords) =>
  id === EMBEDDED ? words.embedded[kind] : name

/** Inserts each change before the first line heard or spoken with the new provider. */
export function withChanges(entries: readonly Entry[], turns: readonly Turn[], words: ChangeWords): Entry[] {
  const all = [...entries]
  let after = 0
  for (const [i, { kind, turn, from, to, isRecovered }] of providerChanges(turns).entries()) {
    const [who, text] = kind === 'stt' ? (['caller', turn.caller] as const) : (['agent', turn.agent] as const)
    const found = all.findIndex((one, at) => at >= after && one.kind === 'line' && one.who === who && one.text === text)
    const at = found === -1 ? all.findIndex((one) => one.at > turn.at) : found
    const place = at === -1 ? all.length : at
    const name = nameOf(kind, to, words)
    const note: NoteLine = {
      kind: 'note',
      id: `change-${i}`,
      at: all[place]?.at ?? turn.at,
      isWarning: !isRecovered,
      text: isRecovered
        ? words.recovered(words.kind[kind], name)
        : words.degraded(words.kind[kind], nameOf(kind, from, words), name),
    }
    all.splice(place, 0, note)
    after = place + 1
  }
  return all
}
