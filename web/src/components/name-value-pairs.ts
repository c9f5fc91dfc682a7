// Name and value pairs, such as headers, as editable rows.
export type Pair = { key: number; name: string; value: string }

let last = 0
/** The key only identifies the row for React. */
export const newPair = (name = '', value = ''): Pair => ({ key: ++last, name, value })

export const pairsOf = (record: Readonly<Record<string, unknown>> | null | undefined): Pair[] =>
  Object.entries(record ?? {}).map(([name, value]) => newPair(name, String(value)))

/** Skips rows without a name. */
export const recordOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]))
