// The variable that each column of a list becomes, as in the call; and which variables of an agent no column fills. Pure.
import { isSimilarVariable, variableNameOf } from '../../../../src/base/text/variable-names.ts'

/** Null: the column is no variable. A column without a name is called by its place. */
export const variableOf = (column: string, place: number): string | null =>
  variableNameOf(column.trim() || `Column ${place + 1}`)

export const variablesOf = (columns: readonly string[]): string[] => [
  ...new Set(columns.map(variableOf).filter((name) => name !== null)),
]

export type Unfilled = {
  name: string /** A variable of the list that differs in case, accents or separators only. */
  similar: string | null
}

/** `used`: names in the texts of the agent; `given`: those that have a value without the list. */
export function unfilled(
  used: readonly string[],
  { given, columns }: { given: readonly string[]; columns: readonly string[] },
): Unfilled[] {
  const variables = variablesOf(columns)
  return used
    .filter((name) => !given.includes(name) && !variables.includes(name))
    .map((name) => ({ name, similar: variables.find((one) => isSimilarVariable(one, name)) ?? null }))
}
