// SECURITY.md names a test for each threat: checks that these tests passed, for the files that ran.
export type NamedTest = { file: string; title: string }

/** The tests named in the rows of the table: each file with its titles. */
export function namedTests(text: string): NamedTest[] {
  const rows = text
    .slice(text.indexOf('## Threats'), text.indexOf('## Signing in'))
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes('.test.ts`'))
  return rows.flatMap((row) => {
    const cell = row.split('|').at(-2) ?? ''
    return cell.split(/(?=`[\w/.-]+\.test\.ts`)/).flatMap((part) => {
      const [, file, rest = ''] = /`([\w/.-]+\.test\.ts)`:?(.*)/.exec(part) ?? []
      if (!file) return []
      const titles = rest.split(/(?:…|;)/).map((title) => title.trim())
      const named = titles.filter((title) => title !== '').map((title) => ({ file, title }))
      return named.length > 0 ? named : [{ file, title: '' }]
    })
  })
}

/** A row may name part of a title. Without a title, any test of the file counts. */
export const missingTests = (named: readonly NamedTest[], passed: ReadonlyMap<string, readonly string[]>): string[] =>
  named
    .filter(({ file, title }) => !(passed.get(file) ?? []).some((one) => one.includes(title)))
    .map(({ file, title }) => `${file}: ${title || 'any'}`)
