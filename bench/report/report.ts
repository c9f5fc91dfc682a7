// The report of one benchmark: printed while it is measured, and written as JSON with --json FILE. A missed target does
// not fail the run: a busy machine is not a bug.
import { writeFileSync } from 'node:fs'
import { type Figure, NOT_MEASURED, type Show } from './figures.ts'
import { commit, machine, watchLoad } from './machine.ts'
import {
  type Aim,
  aimTable,
  type Block,
  blockText,
  type Cell,
  commitText,
  conditions,
  headLines,
  line,
  machineText,
  type Result,
} from './markdown.ts'

/** Options of every benchmark, for parseArgs. */
export const commonOptions = { json: { type: 'string' }, short: { type: 'boolean', default: false } } as const
export type CommonOptions = { json?: string | undefined; short: boolean }

export type Report = ReturnType<typeof openReport>['report']

export const print = (text: string): void => void process.stdout.write(`${text}\n`)
/** Prints progress and details that are not part of the result. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`)

/**
 * Runs a benchmark to its end and exits. If something is missing (a program, a model, a port), prints one sentence,
 * exits with code 1 and prints no result.
 */
export async function benchmark(
  { name, title }: { name: string; title: string },
  options: CommonOptions,
  measure: (report: Report) => Promise<void>,
): Promise<never> {
  const { report, finish } = openReport({ name, title })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  try {
    await measure(report)
  } catch (error) {
    note(`${title} stopped: ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
  const result = finish()
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, null, 1)}\n`)
  process.exit(0)
}

export function openReport({ name, title }: { name: string; title: string }, out: (text: string) => void = print) {
  const blocks: Block[] = []
  const aims: Aim[] = []
  const stopLoad = watchLoad()
  const startedMs = performance.now()
  const given = process.argv.slice(2).filter((arg, i, all) => arg !== '--json' && all[i - 1] !== '--json')
  const command = `npm run bench:${name}${given.length > 0 ? ` -- ${given.join(' ')}` : ''}`
  const about = { command, startedAt: new Date().toISOString(), commit: commit(), machine: machine() }
  out(`# ${title}\n\n${machineText(about.machine)}; ${commitText(about.commit)}.`)

  const add = (block: Block) => {
    blocks.push(block)
    out(`\n${blockText(block, 2)}`)
  }
  const aim = (what: string, found: string | null, isMet: boolean) =>
    void aims.push(found === null ? { what, found: NOT_MEASURED, isMet: null } : { what, found, isMet })
  const compared = (what: string, figure: Figure, isMet: (n: number) => boolean, show: Show) =>
    aim(what, figure === null || Number.isNaN(figure) ? null : show(figure), figure !== null && isMet(figure))

  const report = {
    heading: (heading: string) => add({ heading }),
    text: (text: string) => add({ text }),
    /** Prints each row as soon as it is measured. */
    table(heads: readonly string[]) {
      const rows: Cell[][] = []
      blocks.push({ table: { heads, rows } })
      out(`\n${headLines(heads).join('\n')}`)
      return {
        row(cells: readonly Cell[]): void {
          if (cells.length !== heads.length)
            throw new Error(`${cells.length} cells in a table of ${heads.length} columns`)
          rows.push([...cells])
          out(line(cells))
        },
      }
    },
    /** `found` is null if nothing was measured. */
    aim,
    atMost: (what: string, figure: Figure, most: number, show: Show) => compared(what, figure, (n) => n <= most, show),
    under: (what: string, figure: Figure, limit: number, show: Show) => compared(what, figure, (n) => n < limit, show),
    atLeast: (what: string, figure: Figure, least: number, show: Show) =>
      compared(what, figure, (n) => n >= least, show),
  }
  const finish = (): Result => {
    const seconds = (performance.now() - startedMs) / 1000
    const result: Result = { name, title, ...about, seconds, load: stopLoad(), blocks, aims }
    if (aims.length > 0) out(`\n${aimTable(aims)}`)
    out(`\n${conditions(result)}`)
    return result
  }
  return { report, finish }
}
