// Parses plain text or Markdown into headings and blocks. A block consists of units that are never split: sentences,
// list items, table rows. One pass over the lines in linear time: the text is untrusted.
import { sentencesOf } from '../../llm/words.ts'

export type Block =
  | { kind: 'heading'; level: number; text: string }
  | {
      kind: 'text'
      units: readonly string[]
      /** The separator between two units. */
      join: ' ' | '\n'
      /** The header of a table, repeated with every part of it. */
      lead?: string
    }

const underline = /^(=+|-{3,})$/
const fence = /^(```|~~~)/
const item = /^(?:[-*+•–]|\d{1,3}[.)])\s+/u
const boldLine = /^\*\*([^*]{1,100})\*\*:?$/
const tableRow = /^\|.*\|$/
const ruleLetters = /^[\s:|-]+$/
const MAX_HEADING = 60
const MAX_LINE = 20_000 // characters; a longer line is read as several
const WRAPPED = 60 // a line at least this long continues in the next, as in wrapped text

/** `isPlain`: a short line that stands alone is also a heading. */
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
  for (const raw of linesOf(text)) {
    const line = raw.trim()
    const heading = headingOf(line)
    if (fence.test(line)) {
      flush()
      isFenced = !isFenced
    } else if (isFenced) {
      if (line !== '') items.push(raw.trimEnd())
    } else if (line === '') flush()
    else if (heading) {
      flush()
      blocks.push({ kind: 'heading', level: heading.level, text: plainWords(heading.words) })
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

function* linesOf(text: string): Generator<string> {
  for (const line of text.split('\n'))
    for (let at = 0; at === 0 || at < line.length; at += MAX_LINE) yield line.slice(at, at + MAX_LINE)
}

/** Marks, space, words, and optional closing marks. */
function headingOf(line: string): { level: number; words: string } | null {
  const marks = /^#{1,6}(?=\s)/.exec(line)?.[0]
  if (!marks) return null
  const words = line.slice(marks.length).trim()
  let end = words.length
  while (end > 0 && words[end - 1] === '#') end--
  return { level: marks.length, words: words.slice(0, end).trimEnd() || words }
}

const isTableRule = (row: string) => ruleLetters.test(row) && row.includes('-')

function tableOf(rows: readonly string[]): Block {
  const hasHead = rows.length > 2 && isTableRule(rows[1] ?? '')
  const units = rows.filter((row) => !isTableRule(row))
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
  // Wrapped lines are joined; a line that ends early is a line of its own.
  const parts: string[][] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    const run = parts.at(-1)
    if (!run || before === undefined || before.length < WRAPPED || /[.!?:;…]$/.test(before.slice(-1)))
      parts.push([line])
    else if (isCutWord(before, line)) run.splice(-1, 1, before.slice(0, -1), line)
    else run.push(' ', line)
  }
  const runs = parts.map((run) => run.join(''))
  if (runs.length === 1) return [{ kind: 'text', units: sentencesOf(runs[0] ?? ''), join: ' ' }]
  return [{ kind: 'text', units: runs.flatMap(sentencesOf), join: '\n' }]
}

/** A word hyphenated at the end of a line continues in the next. */
const isCutWord = (before: string, line: string) => /\p{Ll}-$/u.test(before.slice(-3)) && /^\p{Ll}/u.test(line)

const isShouted = (line: string) => /\p{Lu}/u.test(line) && line === line.toUpperCase()
const isHeadingLike = (line: string) =>
  line.length <= MAX_HEADING && /^["“(¿¡]?[\p{Lu}\p{N}]/u.test(line) && !/[.!?;,…]$/.test(line)

const plainWords = (text: string) => text.replace(/\*{1,3}|`+/g, '').trim()
