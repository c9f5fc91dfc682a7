// Which {{variable}} is being typed, and the names that fit. Pure.
import type { KnownVariable } from './prompt-extensions.ts'

const opened = /\{\{\s{0,3}([\p{L}\p{N}_.-]{0,64})$/u

/** The beginning of a name before the cursor; null outside of `{{`. */
export function typedName(before: string): string | null {
  // A name and its braces are shorter than this.
  return opened.exec(before.slice(-80))?.[1] ?? null
}

const SHOWN = 8
const bare = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Names that begin like this, then those that contain it. */
export function matchingVariables(known: readonly KnownVariable[], typed: string): KnownVariable[] {
  const wanted = bare(typed)
  const begins = known.filter(({ name }) => bare(name).startsWith(wanted))
  const contains = known.filter((one) => !begins.includes(one) && bare(one.name).includes(wanted))
  return [...begins, ...contains].slice(0, SHOWN)
}

/** What follows the cursor and belongs to the placeholder: its closing braces. */
export const closingLength = (after: string): number => /^\s{0,3}\}\}/.exec(after)?.[0].length ?? 0
