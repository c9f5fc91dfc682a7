// Holidays as local dates: of Brazil and its states from a library, and the dates of a pack.
import { getHolidays } from '@brazilian-utils/brazilian-utils/get-holidays'
import { getStates } from '@brazilian-utils/brazilian-utils/get-states'
import type { Callee } from './decision.ts'
import type { RulePack } from './pack.ts'

export const DAY_MS = 86_400_000
/** The years that the library covers. In other years every day counts as a holiday. */
const LIBRARY_YEARS = { first: 1900, last: 2099 }

type HolidayRule = NonNullable<RulePack['holidays']>
/** Days are counted from 1970-01-01, in the time zone of the person called. */
export type IsHoliday = (day: number) => boolean

type State = ReturnType<typeof getStates>[number]['code']
const states: readonly State[] = getStates().map(({ code }) => code)

type DayOfKind = { day: number; kind: string }
const stateYears = new Map<string, readonly DayOfKind[]>()
function daysOf(year: number, stateCode: State): readonly DayOfKind[] {
  const key = `${year} ${stateCode}`
  let days = stateYears.get(key)
  if (!days) {
    // the library gives dates at midnight of the process's own time zone
    days = getHolidays({ year, stateCode }).map(({ date, type }) => ({
      day: Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS,
      kind: type,
    }))
    stateYears.set(key, days) // at most 27 states in 200 years
  }
  return days
}

/** The days on which a rule forbids calls to this person. For a number of unknown state: the holidays of all states. */
export function holidaysOf(rule: HolidayRule, callee: Callee): IsHoliday {
  const own = new Set(rule.dates.map((date) => Date.parse(date) / DAY_MS))
  if (callee.country !== 'BR') return (day) => own.has(day)
  const regions = states.filter((state) => callee.regions.includes(`BR-${state}`))
  const within = regions.length > 0 ? regions : states
  const byYear = new Map<number, ReadonlySet<number>>()
  const ofYear = (year: number) => {
    let days = byYear.get(year)
    if (!days) {
      const found = within.flatMap((state) => daysOf(year, state))
      days = new Set(found.filter(({ kind }) => rule.kinds.some((wanted) => wanted === kind)).map(({ day }) => day))
      byYear.set(year, days)
    }
    return days
  }
  return (day) => {
    const year = new Date(day * DAY_MS).getUTCFullYear()
    const isKnown = year >= LIBRARY_YEARS.first && year <= LIBRARY_YEARS.last
    return !isKnown || own.has(day) || ofYear(year).has(day)
  }
}
