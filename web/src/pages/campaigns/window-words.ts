// Calling windows as text: "Mon to Fri, 09:00 to 18:00". Pure.
export type Window = { days: number[]; from: string; to: string }
type Words = {
  days: Readonly<Record<number, string>>
  everyDay: string
  to: string
  hours(from: string, to: string): string
}

/** Merges consecutive days into ranges: 1, 2, 3, 6 becomes 1 to 3 and 6. */
export function dayRanges(days: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = []
  for (const day of [...new Set(days)].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === day - 1) last[1] = day
    else ranges.push([day, day])
  }
  return ranges
}

export function windowText({ days, from, to }: Window, words: Words): string {
  const name = (day: number) => words.days[day] ?? String(day)
  const ranges = dayRanges(days)
  const named = ranges.map(([first, last]) => {
    if (first === last) return name(first)
    return last === first + 1 ? `${name(first)}, ${name(last)}` : `${name(first)} ${words.to} ${name(last)}`
  })
  const [only] = ranges
  const isAll = ranges.length === 1 && only?.[0] === 1 && only[1] === 7
  return `${isAll ? words.everyDay : named.join(', ')}, ${words.hours(from, to)}`
}

/** HH:MM can be compared as text; 24:00 is the end of the day. */
export const isOrdered = ({ from, to }: Pick<Window, 'from' | 'to'>): boolean => from !== '' && to !== '' && from < to
