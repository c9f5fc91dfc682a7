// Search, filters and sort order of a list in the page's URL: parsing, serializing, and conversion to API parameters.
// Pure.

export type FilterField = {
  /** The URL parameter. */
  key: string
  /** The API parameter; defaults to `key`. */
  param?: string
  /** The allowed values; any id if omitted. `day` is a local date. */
  values?: readonly string[] | 'day'
  /** Stands for the end of the day instead of its start. */
  isEnd?: boolean
}

export type ListAddress = {
  q: string
  /** `-startedAt` sorts in descending order. Null: the list's default order. */
  sort: string | null
  values: Readonly<Record<string, string | null>>
}

const MAX_TEXT = 255
const MAX_ID = 64

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

function isValid({ values }: FilterField, text: string): boolean {
  if (values === 'day') return isDay(text)
  return values ? values.includes(text) : text.length <= MAX_ID
}

/** Ignores unknown or invalid parameters. */
export function readAddress(
  params: URLSearchParams,
  fields: readonly FilterField[],
  sorts: readonly string[] = [],
): ListAddress {
  const sort = params.get('sort')
  const read = (field: FilterField) => {
    const text = params.get(field.key) ?? (field.param ? params.get(field.param) : null)
    return text && isValid(field, text) ? text : null
  }
  return {
    q: (params.get('q') ?? '').slice(0, MAX_TEXT),
    sort: sort && sorts.includes(sort.replace(/^-/, '')) ? sort : null,
    values: Object.fromEntries(fields.map((field) => [field.key, read(field)])),
  }
}

export function writeAddress({ q, sort, values }: ListAddress): URLSearchParams {
  const all = Object.entries({ q, ...values, sort })
  return new URLSearchParams(all.filter((entry): entry is [string, string] => Boolean(entry[1])))
}

/** Local midnight of a date, `later` days after it. */
export function dayStart(day: string, later = 0): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** Converts the address to API parameters. */
export function apiQuery({ q, sort, values }: ListAddress, fields: readonly FilterField[]): Record<string, string> {
  const query: Record<string, string> = {}
  for (const { key, param = key, values: allowed, isEnd } of fields) {
    const value = values[key]
    if (value) query[param] = allowed === 'day' ? dayStart(value, isEnd ? 1 : 0) : value
  }
  if (q.trim()) query.q = q.trim()
  if (sort) query.sort = sort
  return query
}

export const isNarrowed = ({ q, values }: ListAddress): boolean => q !== '' || Object.values(values).some(Boolean)

/** Keeps the range valid: a start after the end moves the end, and vice versa. */
export function withDay(values: ListAddress['values'], key: 'from' | 'to', day: string | null) {
  const next = { ...values, [key]: day }
  const { from, to } = next
  if (from && to && from > to) next[key === 'from' ? 'to' : 'from'] = day
  return next
}

/** Cycles through the states of a column header: its first order, the reverse, the list's default. */
export function nextSort(current: string | null, by: string, first: 'asc' | 'desc'): string | null {
  const orders = first === 'asc' ? [by, `-${by}`] : [`-${by}`, by]
  if (current === orders[0]) return orders[1] ?? null
  return current === orders[1] ? null : (orders[0] ?? null)
}
