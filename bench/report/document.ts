// docs/benchmarks.md: each benchmark's section holds its last result between two markers; everything outside them is
// hand-written.
import { isBusy } from './machine.ts'
import { type Aim, commitText, dateText, type Result, resultText, tableText, verdict } from './markdown.ts'

const begin = (name: string) => `<!-- begin ${name} -->`
const end = (name: string) => `<!-- end ${name} -->`
const SUMMARY = 'summary'
/** The document's sections are at level 2. */
const LEVEL = 3

/** Replaces the text between the markers. */
export function fill(text: string, name: string, content: string): string {
  const from = text.indexOf(begin(name))
  const to = text.indexOf(end(name))
  if (from === -1 || to < from)
    throw new Error(`docs/benchmarks.md has no place for ${name}: ${begin(name)} … ${end(name)}`)
  return `${text.slice(0, from)}${begin(name)}\n\n${content}\n\n${text.slice(to)}`
}

/** Updates the sections of these results and leaves all others as they are. */
export function render(text: string, results: readonly Result[]): string {
  let made = text
  for (const result of results) made = fill(made, result.name, resultText(result, LEVEL))
  return fill(made, SUMMARY, summary(results))
}

export function summary(results: readonly Result[]): string {
  const aims = results.flatMap(({ aims: all }) => all)
  const number = (isMet: Aim['isMet']) => aims.filter((aim) => aim.isMet === isMet).length
  const totals = `${number(true)} of ${aims.length} aims are met, ${number(false)} missed, ${number(null)} not measured.`
  const rows = results.flatMap(({ name, startedAt, commit, load, aims: all }) =>
    all.map(({ what, found, isMet }) => [
      ...[name, what, found, verdict(isMet)],
      `${dateText(startedAt)}, ${commitText(commit)}${isBusy(load) ? ', machine busy' : ''}`,
    ]),
  )
  return `${totals}\n\n${tableText({ heads: ['benchmark', 'aim', 'measured', '', 'when'], rows })}`
}
