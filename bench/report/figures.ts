// Figures of a benchmark: percentiles that require enough samples, the spread over rounds, and the formatting of both.

/** Null if it was not measured. */
export type Figure = number | null

export const NOT_MEASURED = 'not measured'

/** A percentile needs a sample beyond it: p95 needs 20 samples, p99 needs 100. Minimum and maximum need one. */
export const samplesFor = (share: number): number =>
  share <= 0 || share >= 1 ? 1 : Math.round(1 / Math.min(share, 1 - share))

/** Nearest-rank percentile; null with too few samples or if any value is not a number. */
export function percentile(values: readonly number[], share: number): Figure {
  if (values.length < samplesFor(share) || values.some(Number.isNaN)) return null
  const rank = Math.ceil(values.length * share - 1e-9)
  return values.toSorted((a, b) => a - b)[Math.max(0, rank - 1)] ?? null
}

/** The median of the measured figures; the mean of the middle two if their number is even. */
export function median(values: readonly Figure[]): Figure {
  const sorted = measured(values).sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

export const largest = (values: readonly Figure[]): Figure => {
  const all = measured(values)
  return all.length === 0 ? null : Math.max(...all)
}

export const ratio = (a: Figure, b: Figure): Figure => (a === null || b === null || b === 0 ? null : a / b)

const measured = (values: readonly Figure[]): number[] =>
  values.filter((value): value is number => value !== null && !Number.isNaN(value))

export type Show = (figure: Figure) => string

/** The unit follows after a space. */
export const withUnit =
  (unit: string, digits = 0): Show =>
  (figure) => {
    if (figure === null || !Number.isFinite(figure)) return NOT_MEASURED
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    return `${figure.toLocaleString('en-US', options)}${unit === '' ? '' : ` ${unit}`}`
  }

/** Small times get one or two decimals. */
export const ms: Show = (figure) => {
  const size = Math.abs(figure ?? 0)
  return withUnit('ms', size === 0 || size >= 10 ? 0 : size < 1 ? 3 : 1)(figure)
}
export const megabytes = withUnit('MB')
export const count = withUnit('')
export const times = withUnit('times', 2)
export const percent: Show = (figure) => withUnit('%')(figure === null ? null : figure * 100)

/** The median and range of the rounds; states how many were measured if some were not. */
export function spread(rounds: readonly Figure[], show: Show): string {
  const all = measured(rounds).sort((a, b) => a - b)
  const [least, most] = [all[0], all.at(-1)]
  if (least === undefined || most === undefined) return NOT_MEASURED
  const range = all.length > 1 ? ` (${show(least)} to ${show(most)})` : ''
  const missing = all.length < rounds.length ? `, ${all.length} of ${rounds.length} rounds` : ''
  return `${show(median(all))}${range}${missing}`
}
