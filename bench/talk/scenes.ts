// Helpers that build dialogues concisely.
import type { CallerTurn, Dialogue, Overlap, Part } from './dialogue.ts'
import type { Intent } from './intents.ts'

/** Language and name come from the list. */
export type Scene = Omit<Dialogue, 'language' | 'name'>

export const turn = (
  asks: Intent | null,
  parts: readonly Part[],
  more: Omit<CallerTurn, 'asks' | 'parts'> = {},
): CallerTurn => ({ asks, parts, ...more })

/** Offset from the first sound of the reply, late enough that the reply is well under way. */
const FIRST_MS = 2500
const EVERY_MS = 3200
const spread = <T>(list: readonly T[], overlap: (one: T) => Omit<Overlap, 'atMs'>): Overlap[] =>
  list.map((one, i) => ({ atMs: FIRST_MS + i * EVERY_MS, ...overlap(one) }))

export const backchannels = (asked: CallerTurn, words: readonly string[], db: number): CallerTurn => ({
  ...asked,
  overlaps: spread(words, (say) => ({ say, db })),
})

export const noises = (asked: CallerTurn, names: readonly ('cough' | 'keys' | 'door')[]): CallerTurn => ({
  ...asked,
  overlaps: spread(names, (sound) => ({ sound })),
})

/** Over the reply, and once in the silence after it. */
export const asides = (
  asked: CallerTurn,
  kind: NonNullable<Overlap['kind']>,
  { over, after, db }: { over: readonly string[]; after: string; db: number },
): CallerTurn => ({
  ...asked,
  overlaps: [...spread(over, (say) => ({ say, kind, db })), { atMs: 0, inSilence: true, say: after, kind, db }],
})
