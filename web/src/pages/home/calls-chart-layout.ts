// Bar heights and labels of the calls chart. Pure.
export type Day = { date: string; calls: number; answered: number; minutes: number }
export type Bar = Day & { x: number; width: number; allHeight: number; answeredHeight: number; isNamed: boolean }

const GAP = 0.32 // share of a bar's slot

/** In a 100 × 100 box. */
export function barsOf(days: readonly Day[]): { bars: Bar[]; top: number } {
  const top = niceTop(Math.max(0, ...days.map(({ calls }) => calls)))
  const place = days.length > 0 ? 100 / days.length : 100
  const bars = days.map((day, i) => ({
    ...day,
    x: i * place + (place * GAP) / 2,
    width: place * (1 - GAP),
    allHeight: (day.calls / top) * 100,
    answeredHeight: (Math.min(day.answered, day.calls) / top) * 100,
    // Every second day, counted back from today.
    isNamed: (days.length - 1 - i) % 2 === 0,
  }))
  return { bars, top }
}

/** A round, even number, so that its half is whole. */
export function niceTop(most: number): number {
  if (most <= 4) return 4
  const size = 10 ** Math.floor(Math.log10(most))
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * size >= most) ?? 10
  const top = step * size
  return top % 2 === 0 ? top : top + 1
}
