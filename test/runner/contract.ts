// Which numbered statements of the contract the passed tests cover: a title begins with the numbers that it covers
// ("79, 80 a call …").
const LAST = 139

export const statementsOf = (title: string): number[] =>
  (/^(\d+(?:, \d+)*) \S/.exec(title)?.[1] ?? '')
    .split(', ')
    .filter((number) => number !== '')
    .map(Number)

export function missingStatements(passedTitles: readonly string[]): number[] {
  const shown = new Set(passedTitles.flatMap(statementsOf))
  return Array.from({ length: LAST }, (_, i) => i + 1).filter((number) => !shown.has(number))
}
