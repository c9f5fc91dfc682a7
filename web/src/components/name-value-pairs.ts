// Names with values, such as headers, as rows that can be typed.
export type Pair = { key: number; name: string; value: string }

let last = 0
/** The key only tells rows apart. */
export const newPair = (name = '', value = ''): Pair => ({ key: ++last, name, value })

export const pairsOf = (record: Readonly<Record<string, unknown>> | null | undefined): Pair[] =>
  Object.entries(record ?? {}).map(([name, value]) => newPair(name, String(value)))

/** Rows without a name are left out. */
export const recordOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]))
