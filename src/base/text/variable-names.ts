// Names of variables: what {{name}} in a prompt can name. Without other modules but text.ts: the page names the columns of a list by it.
import { foldText } from './text.ts'

const MAX_NAME = 64

/** What a name cannot hold becomes _: the column "Nome completo" is {{Nome_completo}}. Null: no name is left. */
export function variableNameOf(column: string): string | null {
  const name = column
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME)
  return name === '' || name === '__proto__' ? null : name
}

/** Whether a name in a prompt may be meant for a variable: apart from case, accents and the signs between words. */
export const isSimilarVariable = (a: string, b: string): boolean => wordsOf(a) === wordsOf(b)

const wordsOf = (name: string): string =>
  foldText(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
