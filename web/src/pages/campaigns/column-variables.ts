// The call variable that each column of a contact list becomes, and the agent's variables that no column fills. Pure.
import { isSimilarVariable, variableNameOf } from '../../../../src/base/text/variable-names.ts'

/** Null if the column is not a variable. An unnamed column is named by its position. */
export const variableOf = (column: string, place: number): string | null =>
  variableNameOf(column.trim() || `Column ${place + 1}`)

export const variablesOf = (columns: readonly string[]): string[] => [
  ...new Set(columns.map(variableOf).filter((name) => name !== null)),
]

export type Unfilled = {
  name: string
  /** A variable of the list that differs only in case, accents or separators; null if there is none. */
  similar: string | null
}

/** `used`: names in the agent's texts; `given`: names that have a value without the list. */
export function unfilled(
  used: readonly string[],
  { given, columns }: { given: readonly string[]; columns: readonly string[] },
): Unfilled[] {
  const variables = variablesOf(columns)
  return used
    .filter((name) => !given.includes(name) && !variables.includes(name))
    .map((name) => ({ name, similar: variables.find((one) => isSimilarVariable(one, name)) ?? null }))
}
