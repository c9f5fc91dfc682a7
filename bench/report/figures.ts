// Figures of a benchmark: percentiles that too few samples do not give, the spread of rounds, and how both are shown.

/** Null: it was not measured. */
export type Figure = number | null

export const NOT_MEASURED = 'not measured'

/** A percentile needs a sample beyond it: p95 needs 20, p99 needs 100. The smallest and the largest need one. */
export const samplesFor = (share: number): number =>
  share <= 0 || share >= 1 ? 1 : Math.round(1 / Math.min(share, 1 - share))

/** By nearest rank; null with too few samples, or when one of them is no number. */
export function percentile(values: readonly number[], share: number): Figure {
  if (values.length < samplesFor(share) || values.some(Number.isNaN)) return null
  const rank = Math.ceil(values.length * share - 1e-9)
  return values.toSorted((a, b) => a - b)[Math.max(0, rank - 1)] ?? null
}

/** Of the figures that were measured: the mean of the two in the middle when their number is even. */
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

/** `unit` follows after a space. */
export const withUnit =
  (unit: string, digits = 0): Show =>
  (figure) => {
    if (figure === null || !Number.isFinite(figure)) return NOT_MEASURED
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    return `${figure.toLocaleString('en-US', options)}${unit === '' ? '' : ` ${unit}`}`
  }

/** Small times keep a decimal or two. */
export const ms: Show = (figure) => {
  const size = Math.abs(figure ?? 0)
  return withUnit('ms', size === 0 || size >= 10 ? 0 : size < 1 ? 3 : 1)(figure)
}
export const megabytes = withUnit('MB')
export const count = withUnit('')
export const times = withUnit('times', 2)
export const percent: Show = (figure) => withUnit('%')(figure === null ? null : figure * 100)

/** The median of the rounds and their range; says how many of them were measured when some were not. */
export function spread(rounds: readonly Figure[], show: Show): string {
  const all = measured(rounds).sort((a, b) => a - b)
  const [least, most] = [all[0], all.at(-1)]
  if (least === undefined || most === undefined) return NOT_MEASURED
  const range = all.length > 1 ? ` (${show(least)} to ${show(most)})` : ''
  const missing = all.length < rounds.length ? `, ${all.length} of ${rounds.length} rounds` : ''
  return `${show(median(all))}${range}${missing}`
}
