// The question that the rules answer, and their decision. Types only: `next-attempt.ts` implements it.
import type { PartOfDay } from '../base/time/zone.ts'
import type { PackWindow, RulePack } from './pack.ts'

/** The location of a number, as far as its digits tell. */
export type Callee = {
  country: string | null // ISO 3166-1; null for a number without country (satellite, international freephone)
  regions: readonly string[] // ISO 3166-2; several where an area code covers more than one: the rules of all apply. Empty: any of the country
  zones: readonly string[] // IANA; more than one: all of them must be open
}

export type Question = {
  pack: RulePack
  callee: Callee
  /** Windows of the campaign, in the zone of the person called; null for those of the pack alone. */
  windows: readonly PackWindow[] | null
  /** The earliest time; milliseconds. */
  fromMs: number
  /** No attempt at or after this; null: no end. */
  untilMs: number | null
  /** Earlier attempts to this number, of all campaigns of the user; milliseconds, any order. */
  attemptsMs: readonly number[]
  /** For retries: another part of the day than this is preferred, if one is open within a week. */
  avoidPartOf?: PartOfDay | null
}

/** Stored with each attempt: what was decided, and by which rules. */
export type RuleTrace = {
  pack: string
  version: number
  /** Ids of the rules that applied. */
  rules: readonly string[]
  country: string | null
  regions: readonly string[]
  zones: readonly string[]
  /** The window in which the attempt falls, as local date and times of the first zone. */
  window: { date: string; from: string; to: string } | null
  /** Rules that delayed the attempt, such as a window, a holiday, frequency or spacing. */
  movedBy: readonly string[]
}

export type NeverReason =
  | 'country_not_covered' // the pack does not name the country of the number
  | 'no_window' // the windows of pack and campaign have no minute in common
  | 'after_end' // the first permitted time is after the end of the campaign

export type RuleDecision = { atMs: number; trace: RuleTrace } | { never: NeverReason; trace: RuleTrace }
