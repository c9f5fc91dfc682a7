// A text, plain or Markdown, as headings and blocks. A block is made of units that are never cut: sentences, items of a list, rows of a
// table. One pass over the lines.
import { sentencesOf } from '../brain/words.ts'

export type Block =
  | { kind: 'heading'; level: number; text: string }
  | {
      kind: 'text'
      units: readonly string[]
      /** What stands between two units. */
      join: ' ' | '\n'
      /** The head of a table: it comes again with every part of it. */
      lead?: string
    }

const heading = /^(#{1,6})\s+(.+?)\s*#*$/
const underline = /^(=+|-{3,})$/
const fence = /^(```|~~~)/
const item = /^(?:[-*+•–]|\d{1,3}[.)])\s+/u
const boldLine = /^\*\*([^*]{1,100})\*\*:?$/
const tableRow = /^\|.*\|$/
const tableRule = /^\|?[\s:|-]*-[\s:|-]*\|?$/
const MAX_HEADING = 60
const WRAPPED = 60 // a line at least so long goes on in the next, as text that was wrapped does

/** `isPlain`: a short line that stands alone is a heading too. */
export function blocksOf(text: string, isPlain: boolean): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  let items: string[] = []
  let rows: string[] = []

  function flush(): void {
    if (items.length > 0) blocks.push({ kind: 'text', units: items, join: '\n' })
    if (rows.length > 0) blocks.push(tableOf(rows))
    if (paragraph.length > 0) blocks.push(...paragraphOf(paragraph, isPlain))
    paragraph = []
    items = []
    rows = []
  }

  let isFenced = false
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (fence.test(line)) {
      flush()
      isFenced = !isFenced
    } else if (isFenced) {
      if (line !== '') items.push(raw.trimEnd())
    } else if (line === '') flush()
    else if (heading.test(line)) {
      flush()
      const [, marks = '', words = ''] = heading.exec(line) ?? []
      blocks.push({ kind: 'heading', level: marks.length, text: plainWords(words) })
    } else if (underline.test(line) && paragraph.length === 1) {
      blocks.push({ kind: 'heading', level: line.startsWith('=') ? 1 : 2, text: plainWords(paragraph[0] ?? '') })
      paragraph = []
    } else if (tableRow.test(line)) {
      if (rows.length === 0) flush()
      rows.push(line)
    } else if (item.test(line)) {
      if (items.length === 0) flush()
      items.push(line)
    } else if (items.length > 0 && /^\s/.test(raw)) items[items.length - 1] += ` ${line}`
    else {
      if (items.length > 0 || rows.length > 0) flush()
      paragraph.push(line)
    }
  }
  flush()
  return blocks
}

function tableOf(rows: readonly string[]): Block {
  const hasHead = rows.length > 2 && tableRule.test(rows[1] ?? '')
  const units = rows.filter((row) => !tableRule.test(row))
  if (!hasHead) return { kind: 'text', units, join: '\n' }
  return { kind: 'text', units: units.slice(1), join: '\n', lead: units[0] as string }
}

function paragraphOf(lines: readonly string[], isPlain: boolean): Block[] {
  const [only = ''] = lines
  if (lines.length === 1) {
    const bold = boldLine.exec(only)?.[1]
    if (bold) return [{ kind: 'heading', level: 6, text: bold.trim() }]
    if (isPlain && isHeadingLike(only)) return [{ kind: 'heading', level: isShouted(only) ? 1 : 2, text: only }]
  }
  // Lines that were wrapped are one text; a line that ended early was meant as one.
  const runs: string[] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    const goesOn = before !== undefined && before.length >= WRAPPED && !/[.!?:;…]$/.test(before)
    if (goesOn && runs.length > 0) runs[runs.length - 1] = together(runs[runs.length - 1] ?? '', line)
    else runs.push(line)
  }
  if (runs.length === 1) return [{ kind: 'text', units: sentencesOf(runs[0] ?? ''), join: ' ' }]
  return [{ kind: 'text', units: runs.flatMap(sentencesOf), join: '\n' }]
}

/** A word that was cut at the end of a line is one word. */
const together = (before: string, line: string) =>
  /\p{Ll}-$/u.test(before.slice(-3)) && /^\p{Ll}/u.test(line) ? before.slice(0, -1) + line : `${before} ${line}`

const isShouted = (line: string) => /\p{Lu}/u.test(line) && line === line.toUpperCase()
const isHeadingLike = (line: string) =>
  line.length <= MAX_HEADING && /^["“(¿¡]?[\p{Lu}\p{N}]/u.test(line) && !/[.!?;,…]$/.test(line)

const plainWords = (text: string) => text.replace(/\*{1,3}|`+/g, '').trim()
