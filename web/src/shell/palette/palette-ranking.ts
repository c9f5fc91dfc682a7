// Filters and ranks the palette's entries by the user's input. Pure.
export const kinds = ['action', 'page', 'agent', 'number', 'campaign', 'tool', 'person', 'call', 'guide'] as const
export type Kind = (typeof kinds)[number]

export type Entry = {
  id: string
  kind: Kind
  name: string
  /** Shown next to the name, such as an agent's description. */
  detail?: string | undefined
  /** Other words that find this entry. */
  keywords?: string | undefined
} & ({ to: string; isOutside?: true } | { run: () => void })

export type Group = { kind: Kind; entries: readonly Entry[] }

const MAX_QUERY = 80
const MAX_PER_KIND = 6
/** How many entries of each kind to show before the user types; guides appear only when typing. */
const atFirst: Readonly<Record<Kind, number>> = {
  action: 5,
  page: 6,
  agent: 4,
  number: 0,
  campaign: 0,
  tool: 0,
  person: 0,
  call: 3,
  guide: 0,
}

/** Ignores accents and case: "sao" finds "São". */
export const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Phone numbers are compared by their digits, whatever their format. */
const digitsOf = (text: string) => text.replaceAll(/[^\d]/g, '')

/** 0 means no match. */
function wordScore(word: string, name: string, rest: string): number {
  if (name === word) return 120
  if (name.startsWith(word)) return 100
  const at = name.indexOf(word)
  if (at > 0) return /[\s\-_/.(]/.test(name[at - 1] ?? '') ? 70 : 40
  const digits = digitsOf(word)
  if (digits.length >= 3 && digits.length >= word.length - 1 && digitsOf(name).includes(digits)) return 60
  return rest.includes(word) ? 20 : 0
}

/** Every word must match; 0 otherwise. */
export function score({ name, detail = '', keywords = '' }: Entry, query: string): number {
  const words = folded(query.slice(0, MAX_QUERY)).split(/\s+/).filter(Boolean)
  if (words.length === 0) return 1
  const [own, rest] = [folded(name), folded(`${detail} ${keywords}`)]
  const scores = words.map((word) => wordScore(word, own, rest))
  if (scores.includes(0)) return 0
  const whole = own.startsWith(words.join(' ')) ? 50 : 0
  return scores.reduce((sum, one) => sum + one, 0) / scores.length + whole
}

/** Groups by kind, ordered by their best match; within a group the best match first, ties in the given order. */
export function ranked(entries: readonly Entry[], query: string): Group[] {
  const isEmpty = query.trim() === ''
  const groups = kinds.map((kind) => {
    const found = entries
      .filter((entry) => entry.kind === kind)
      .map((entry, i) => ({ entry, i, points: score(entry, query) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points || a.i - b.i)
      .slice(0, isEmpty ? atFirst[kind] : MAX_PER_KIND)
    return { kind, best: found[0]?.points ?? 0, entries: found.map(({ entry }) => entry) }
  })
  return groups
    .filter((group) => group.entries.length > 0)
    .sort((a, b) => (isEmpty ? 0 : b.best - a.best))
    .map(({ kind, entries: shown }) => ({ kind, entries: shown }))
}

/** The entry that a key moves to, wrapping around at the ends; null for other keys. */
export function nextEntry(key: string, current: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (current + 1) % count
  if (key === 'ArrowUp') return (current - 1 + count) % count
  if (key === 'Home' || key === 'PageUp') return 0
  return key === 'End' || key === 'PageDown' ? count - 1 : null
}
