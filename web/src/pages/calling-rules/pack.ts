// Reading and editing a rule pack. Pure.
export type PackWindow = { days: number[]; from: string; to: string }
export type Sourced = { id: string; source: string; date: string }
export type WindowRule = Sourced & { regions: string[] | null; windows: PackWindow[] }
export type FrequencyRule = Sourced & { max: number; hours: number }
export type RulePack = {
  id: string
  name: string
  version: number
  date: string
  countries: string[] | null
  windows: WindowRule[]
  holidays: (Sourced & { kinds: ('national' | 'state' | 'optional')[]; dates: string[] }) | null
  frequency: FrequencyRule[]
  spacing: (Sourced & { minutes: number }) | null
  monthly: (Sourced & { threshold: number; warnAt: number[]; stops: boolean }) | null
  shortCalls:
    | (Sourced & {
        seconds: number
        slowAt: number
        pauseAt: number
        minAttempts: number
        unansweredFrom: number | null
      })
    | null
  disclosure: Sourced & { isRequired: boolean }
}

/** The API types a pack as free-form JSON, but has validated it. */
export const packOf = ({ pack }: { pack: Record<string, unknown> }): RulePack => pack as unknown as RulePack

/** Formats a calendar date, which has no time zone. */
export function dayText(date: string, locale: string): string {
  const at = new Date(`${date}T12:00:00Z`)
  return Number.isNaN(at.getTime()) ? date : at.toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** A slowdown that starts above the pause threshold would never take effect. */
export const sharesAreOrdered = ({ shortCalls }: Pick<RulePack, 'shortCalls'>): boolean =>
  shortCalls === null || shortCalls.slowAt <= shortCalls.pauseAt

const rulesOf = ({ windows, frequency, holidays, spacing, monthly, shortCalls, disclosure }: RulePack): Sourced[] =>
  [...windows, ...frequency, holidays, spacing, monthly, shortCalls, disclosure].filter((rule) => rule !== null)

/** The first free id for a rule that the user adds. */
export function freeId(pack: RulePack, base: string): string {
  const taken = new Set(rulesOf(pack).map(({ id }) => id))
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`
    if (!taken.has(id)) return id
  }
}

export type PackPart = { pack: RulePack; set: (part: Partial<RulePack>) => void }
/** The source of a rule that the user sets today. */
export const ownSource = (source: string) => ({ source, date: new Date().toISOString().slice(0, 10) })
