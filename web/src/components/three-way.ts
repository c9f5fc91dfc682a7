// Three-way merge of a record edited by two users: what each of them changed, and the merged record.

export type Value = Readonly<Record<string, unknown>>
/** A changed field, or a part of one. `mine` and `theirs` are undefined if it was removed. */
export type Difference = {
  path: readonly string[]
  base: unknown
  mine: unknown
  theirs: unknown
  changedBy: 'me' | 'them' | 'both'
}
export type Choice = 'mine' | 'theirs'

/** Deeper values are compared as a whole. */
const MAX_DEPTH = 4

export const keyOf = ({ path }: Pick<Difference, 'path'>): string => JSON.stringify(path)

/** `mine` holds the changed fields. Only these and the ones named in `fields` are compared. */
export function differences(base: Value, mine: Value, theirs: Value, fields: readonly string[]): Difference[] {
  const names = [...new Set([...fields, ...Object.keys(mine)])]
  return names.flatMap((name) =>
    compare([name], base[name], Object.hasOwn(mine, name) ? mine[name] : base[name], theirs[name]),
  )
}

function compare(path: readonly string[], base: unknown, mine: unknown, theirs: unknown): Difference[] {
  const isMine = !isEqual(base, mine)
  const isTheirs = !isEqual(base, theirs)
  // Both made the same change: no difference.
  if ((!isMine && !isTheirs) || isEqual(mine, theirs)) return []
  if (path.length < MAX_DEPTH && isPlain(base) && isPlain(mine) && isPlain(theirs)) {
    const keys = new Set([base, mine, theirs].flatMap((part) => Object.keys(part)))
    return [...keys].flatMap((key) => compare([...path, key], base[key], mine[key], theirs[key]))
  }
  return [{ path, base, mine, theirs, changedBy: isMine && isTheirs ? 'both' : isMine ? 'me' : 'them' }]
}

/**
 * The fields to send on top of their version. A field that both changed takes the user's choice, or mine by default.
 */
export function mergedPatch(
  theirs: Value,
  found: readonly Difference[],
  choices: Readonly<Record<string, Choice>>,
): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const difference of found) {
    const isTaken =
      difference.changedBy === 'them' || (difference.changedBy === 'both' && choices[keyOf(difference)] === 'theirs')
    if (isTaken) continue
    const [name = '', ...rest] = difference.path
    if (!Object.hasOwn(patch, name)) patch[name] = structuredClone(theirs[name])
    if (rest.length === 0) patch[name] = difference.mine
    else setPart(patch[name] as Record<string, unknown>, rest, difference.mine)
  }
  return patch
}

function setPart(whole: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) setPart(whole[key] as Record<string, unknown>, rest, value)
  else if (value === undefined) delete whole[key]
  else whole[key] = value
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Compares by value, ignoring key order; a missing field equals null. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || ((a ?? null) === null && (b ?? null) === null)) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => isEqual(each, b[i]))
  if (!isPlain(a) || !isPlain(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isEqual(a[key], b[key]))
}
