// Names of variables: what {{name}} in a prompt can name.

const MAX_NAME = 64

/** What a name cannot hold becomes _: the column "Nome completo" is {{Nome_completo}}. Null: no name is left. */
export function variableNameOf(column: string): string | null {
  const name = column
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME)
  return name === '' || name === '__proto__' ? null : name
}
