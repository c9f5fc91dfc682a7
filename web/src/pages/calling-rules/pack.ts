// A rule pack as the page reads and edits it. Pure.
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
  shortCalls: (Sourced & { seconds: number; slowAt: number; pauseAt: number; minAttempts: number }) | null
  disclosure: Sourced & { isRequired: boolean }
}

/** The API describes a pack as free JSON; it has checked it before. */
export const packOf = ({ pack }: { pack: Record<string, unknown> }): RulePack => pack as unknown as RulePack

const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
/** Dates separated by commas, spaces or lines; null: one of them is none. */
export function readDates(text: string): string[] | null {
  const dates = text.split(/[\s,;]+/).filter(Boolean)
  return dates.every(isDate) ? [...new Set(dates)].sort() : null
}

/** The id of a rule that a user adds: the first that is free. */
export function freeId(taken: readonly { id: string }[], base: string): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`
    if (!taken.some((one) => one.id === id)) return id
  }
}
