// The result of a benchmark as data, and as Markdown.
import { NOT_MEASURED } from './figures.ts'
import { type Commit, isBusy, type Load, type Machine } from './machine.ts'

export type Cell = string | number
export type Table = { heads: readonly string[]; rows: Cell[][] }
export type Block = { heading: string } | { text: string } | { table: Table }
/** `isMet` is null if it was not measured. */
export type Aim = { what: string; found: string; isMet: boolean | null }

export type Result = {
  /** The NAME in `npm run bench:NAME`. */
  name: string
  title: string
  command: string
  startedAt: string
  seconds: number
  commit: Commit | null
  machine: Machine
  load: Load
  blocks: Block[]
  aims: Aim[]
}

export const line = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`
/** Columns of text are left-aligned once their cells are known. */
export const headLines = (heads: readonly string[], rows: readonly Cell[][] = []): string[] => {
  const isText = (column: number) => column === 0 || rows.some((row) => /^[\p{L}*`]/u.test(withoutGap(row[column])))
  return [line(heads), `|${heads.map((_, i) => (isText(i) ? '---' : '---:')).join('|')}|`]
}
const withoutGap = (cell: Cell | undefined) => String(cell ?? '').replace(NOT_MEASURED, '-')
export const tableText = ({ heads, rows }: Table): string => [...headLines(heads, rows), ...rows.map(line)].join('\n')

/** `level`: the level of the headings within the block. */
export function blockText(block: Block, level: number): string {
  if ('heading' in block) return `${'#'.repeat(level)} ${block.heading}`
  return 'text' in block ? block.text : tableText(block.table)
}

export const verdict = (isMet: boolean | null): string => (isMet === null ? '-' : isMet ? 'met' : '**missed**')

export const aimTable = (aims: readonly Aim[]): string =>
  tableText({
    heads: ['aim', 'measured', ''],
    rows: aims.map(({ what, found, isMet }) => [what, found, verdict(isMet)]),
  })

export const commitText = (commit: Commit | null): string =>
  commit === null ? 'an unknown commit' : `commit ${commit.id}${commit.isModified ? ' (modified)' : ''}`

export const dateText = (iso: string): string =>
  `${new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })}, ${iso.slice(11, 16)} UTC`

export const machineText = ({ cores, model, memoryGb, node, system }: Machine): string =>
  `${cores} cores (${model}), ${memoryGb} GB, ${system}, Node ${node}`

export function loadText(load: Load): string {
  const { before, during, othersCores } = load
  const parts = [
    `Load average ${before.toFixed(2)} before`,
    during === null
      ? 'not sampled during the run'
      : `${during.least.toFixed(2)} to ${during.most.toFixed(2)} during it`,
    othersCores === null ? 'use by others unknown' : `other processes used ${othersCores.toFixed(2)} cores`,
  ]
  const sentence = `${parts.join(', ')}.`
  return isBusy(load) ? `${sentence} **The machine was busy: do not trust these figures.**` : sentence
}

/** The conditions of a run as one paragraph. */
export function conditions({ command, startedAt, seconds, commit, machine, load }: Result): string {
  const took = seconds < 90 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} minutes`
  return `${dateText(startedAt)}, ${commitText(commit)}; \`${command}\` took ${took}. ${machineText(machine)}. ${loadText(load)}`
}

export const resultText = (result: Result, level: number): string =>
  [
    conditions(result),
    ...result.blocks.map((block) => blockText(block, level)),
    ...(result.aims.length > 0 ? [aimTable(result.aims)] : []),
  ].join('\n\n')
