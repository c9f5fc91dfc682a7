// Names of variables: what {{name}} in a prompt can refer to. Imports only text.ts, because the dashboard uses it to
// name a list's columns.
import { foldText } from './text.ts'

const MAX_NAME = 64

/**
 * Characters that a name cannot contain become _: the column "Nome completo" is {{Nome_completo}}. Null if no name is
 * left.
 */
export function variableNameOf(column: string): string | null {
  const name = column
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME)
  return name === '' || name === '__proto__' ? null : name
}

/** Whether a name in a prompt may be meant for a variable: ignores case, accents and the characters between words. */
export const isSimilarVariable = (a: string, b: string): boolean => wordsOf(a) === wordsOf(b)

const wordsOf = (name: string): string =>
  foldText(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
