// The {{variable}} being typed, and the names that match it. Pure.
import type { KnownVariable } from './prompt-extensions.ts'

const opened = /\{\{\s{0,3}([\p{L}\p{N}_.-]{0,64})$/u

/** The typed part of a name before the cursor; null outside of `{{`. */
export function typedName(before: string): string | null {
  // No name with its braces is longer than this.
  return opened.exec(before.slice(-80))?.[1] ?? null
}

const SHOWN = 8
const bare = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Names that start with the typed text, then those that contain it. */
export function matchingVariables(known: readonly KnownVariable[], typed: string): KnownVariable[] {
  const wanted = bare(typed)
  const begins = known.filter(({ name }) => bare(name).startsWith(wanted))
  const contains = known.filter((one) => !begins.includes(one) && bare(one.name).includes(wanted))
  return [...begins, ...contains].slice(0, SHOWN)
}

/** Length of the closing braces after the cursor, which belong to the placeholder. */
export const closingLength = (after: string): number => /^\s{0,3}\}\}/.exec(after)?.[0].length ?? 0
