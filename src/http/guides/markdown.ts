// Markdown to HTML for our own guides: the constructs that they use, and no raw HTML. Linear in the length of the text.
import { type Html, html } from '../frame/html.ts'
import { type Links, renderInline } from './markdown-inline.ts'

export type Heading = { level: number; text: string; id: string }
export type Rendered = { content: Html; headings: readonly Heading[] }

/** Quotes and lists inside each other; anything deeper is a paragraph. */
const MAX_DEPTH = 8

export type MarkdownOptions = {
  /** Further ids of the headings, in their order: links to the English headings also lead into a translation. */
  otherIds?: readonly string[] | undefined
  /** Before the name of a heading, for readers of screens. */
  linkTo?: string | undefined
}

export function renderMarkdown(source: string, links: Links, options: MarkdownOptions = {}): Rendered {
  const headings: Heading[] = []
  const lines = source.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n')
  return { content: blocks(lines, { links, headings, ids: new Map(), options, depth: 0 }), headings }
}

type Context = {
  links: Links
  headings: Heading[]
  ids: Map<string, number>
  options: MarkdownOptions
  depth: number
}
/** Rendered lines, and the first line after them. */
type Block = { view: Html; next: number }

function blocks(lines: readonly string[], context: Context): Html {
  const views: Html[] = []
  let i = 0
  while (i < lines.length) {
    const line = lines[i] ?? ''
    if (line.trim() === '') {
      i++
      continue
    }
    const block =
      comment(lines, i) ??
      fence(lines, i) ??
      heading(lines, i, context) ??
      rule(lines, i) ??
      table(lines, i, context) ??
      quote(lines, i, context) ??
      list(lines, i, context) ??
      paragraph(lines, i, context)
    views.push(block.view)
    i = Math.max(block.next, i + 1)
  }
  return html`${views}`
}

const indentOf = (line: string) => line.length - line.trimStart().length
const nested = (context: Context): Context => ({ ...context, depth: context.depth + 1 })

/** A note for writers, on a line of its own. */
const comment = (lines: readonly string[], start: number): Block | null =>
  isComment(lines[start] ?? '') ? { view: html``, next: start + 1 } : null
const isComment = (line: string) => line.startsWith('<!--') && line.trimEnd().endsWith('-->')

function fence(lines: readonly string[], start: number): Block | null {
  const first = (lines[start] ?? '').trimStart()
  const mark = first.startsWith('```') ? '```' : first.startsWith('~~~') ? '~~~' : null
  if (!mark) return null
  const indent = indentOf(lines[start] ?? '')
  let end = start + 1
  while (end < lines.length && !(lines[end] ?? '').trimStart().startsWith(mark)) end++
  const code = lines.slice(start + 1, end).map((line) => line.slice(Math.min(indent, indentOf(line))))
  // What follows the language is for programs, such as the test that runs the commands.
  const [language = ''] = first.slice(mark.length).trim().split(' ', 1)
  const view = html`<pre class="code" tabindex="0"${language !== '' && html` data-language="${language}"`}><code>${code.join('\n')}</code></pre>`
  return { view, next: end + 1 }
}

function headingLevel(line: string): number {
  let level = 0
  while (line[level] === '#') level++
  return level >= 1 && level <= 6 && line[level] === ' ' ? level : 0
}

function heading(lines: readonly string[], start: number, { links, headings, ids, options }: Context): Block | null {
  const line = lines[start] ?? ''
  const level = headingLevel(line)
  if (level === 0) return null
  const { content, text } = renderInline(line.slice(level).trim(), links)
  const id = uniqueId(text, ids)
  const otherId = options.otherIds?.[headings.length]
  headings.push({ level, text, id })
  const inner = html`${otherId && otherId !== id && html`<span id="${otherId}"></span>`}${content}`
  const anchor = html`<a class="anchor" href="#${id}" aria-label="${options.linkTo ?? 'Link to'} ${text}">#</a>`
  const view = [
    html`<h1 id="${id}">${inner}</h1>`,
    html`<h2 id="${id}">${inner} ${anchor}</h2>`,
    html`<h3 id="${id}">${inner} ${anchor}</h3>`,
  ][Math.min(level, 4) - 1]
  return { view: view ?? html`<h4 id="${id}">${inner}</h4>`, next: start + 1 }
}

/** As GitHub makes them, so that a link works there and here. */
export const slug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

function uniqueId(text: string, ids: Map<string, number>): string {
  const base = slug(text)
  const count = ids.get(base) ?? 0
  ids.set(base, count + 1)
  return count === 0 ? base : `${base}-${count}`
}

const isRule = (line: string) => {
  const bare = line.trim()
  return bare.length >= 3 && ['-', '*', '_'].some((mark) => bare === mark.repeat(bare.length))
}
const rule = (lines: readonly string[], start: number): Block | null =>
  isRule(lines[start] ?? '') ? { view: html`<hr>`, next: start + 1 } : null

const isDelimiterRow = (line: string) => line.startsWith('|') && line.includes('-') && /^[ :|-]+$/.test(line)
const isTableAt = (lines: readonly string[], i: number) =>
  (lines[i] ?? '').startsWith('|') && isDelimiterRow((lines[i + 1] ?? '').trimEnd())

function table(lines: readonly string[], start: number, { links }: Context): Block | null {
  if (!isTableAt(lines, start)) return null
  const columns = cellsOf(lines[start + 1] ?? '')
  const isEnd = columns.map((cell) => cell.endsWith(':'))
  let end = start + 2
  while (end < lines.length && (lines[end] ?? '').startsWith('|')) end++
  const head = cellsOf(lines[start] ?? '')
  const cell = (text: string, i: number) =>
    html`<td${isEnd[i] && html` class="end"`}>${renderInline(text, links).content}</td>`
  const rows = lines
    .slice(start + 2, end)
    .map((line) => html`<tr>${cellsOf(line).slice(0, columns.length).map(cell)}</tr>`)
  const isNamed = head.some((text) => text !== '')
  const names = html`<thead><tr>${head.map((text, i) => html`<th scope="col"${isEnd[i] && html` class="end"`}>${renderInline(text, links).content}</th>`)}</tr></thead>`
  const view = html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>${isNamed && names}<tbody>${rows}</tbody></table></div>`
  return { view, next: end }
}

/** Split at each bar that no backslash precedes. */
function cellsOf(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  const bare = line.trim()
  for (let i = 1; i < bare.length; i++) {
    if (bare[i] === '\\' && bare[i + 1] === '|') {
      cell += '|'
      i++
    } else if (bare[i] === '|') {
      cells.push(cell.trim())
      cell = ''
    } else cell += bare[i]
  }
  if (cell.trim() !== '') cells.push(cell.trim())
  return cells
}

function quote(lines: readonly string[], start: number, context: Context): Block | null {
  if (!(lines[start] ?? '').startsWith('>') || context.depth >= MAX_DEPTH) return null
  let end = start
  while (end < lines.length && (lines[end] ?? '').startsWith('>')) end++
  const inner = lines.slice(start, end).map((line) => line.slice(line[1] === ' ' ? 2 : 1))
  return { view: html`<blockquote>${blocks(inner, nested(context))}</blockquote>`, next: end }
}

type Marker = { indent: number; offset: number; start: number | null }

/** The marker that begins a list item; `offset` is where its text begins. */
function markerOf(line: string): Marker | null {
  const indent = indentOf(line)
  const rest = line.slice(indent, indent + 12)
  if (/^[-*+] /.test(rest) && !isRule(line)) return { indent, offset: indent + 2, start: null }
  const number = /^(\d{1,9})[.)] /.exec(rest)
  return number ? { indent, offset: indent + number[0].length, start: Number(number[1]) } : null
}

function list(lines: readonly string[], start: number, context: Context): Block | null {
  const first = markerOf(lines[start] ?? '')
  if (!first || context.depth >= MAX_DEPTH) return null
  const items: string[][] = []
  let [i, isLoose] = [start, false]
  while (i < lines.length) {
    const marker = markerOf(lines[i] ?? '')
    if (!marker || marker.indent !== first.indent || (marker.start === null) !== (first.start === null)) break
    const end = itemEnd(lines, i, marker)
    const body = [(lines[i] ?? '').slice(marker.offset), ...lines.slice(i + 1, end).map(outdent(marker.offset))]
    if (lines.slice(i, end).some((line, n) => line.trim() === '' && n < end - i - 1)) isLoose = true
    items.push(body)
    i = end
    while (i < lines.length && (lines[i] ?? '').trim() === '') i++
  }
  const views = items.map((item) => html`<li>${itemView(item, isLoose, nested(context))}</li>`)
  const view =
    first.start === null
      ? html`<ul>${views}</ul>`
      : html`<ol${first.start !== 1 && html` start="${first.start}"`}>${views}</ol>`
  return { view, next: i }
}

const outdent = (offset: number) => (line: string) => line.slice(Math.min(offset, indentOf(line)))

/** A tight item is its text; what follows it, such as a list of its own, keeps its blocks. */
function itemView(lines: readonly string[], isLoose: boolean, context: Context): Html {
  if (isLoose) return blocks(lines, context)
  const end = lines.findIndex((line, i) => i > 0 && startsBlock(lines, i, line))
  const text = end === -1 ? lines : lines.slice(0, end)
  const rest = end === -1 ? [] : lines.slice(end)
  return html`${renderInline(text.join('\n').trim(), context.links).content}${blocks(rest, context)}`
}

function itemEnd(lines: readonly string[], start: number, { indent, offset }: Marker): number {
  let isAfterBlank = false
  for (let i = start + 1; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (line.trim() === '') {
      isAfterBlank = true
      continue
    }
    const isInside = indentOf(line) >= offset
    const isLazy = !isAfterBlank && !markerOf(line) && !startsBlock(lines, i, line)
    if (!isInside && !isLazy) return i
    const next = markerOf(line)
    if (next && next.indent <= indent) return i
    isAfterBlank = false
  }
  return lines.length
}

const startsBlock = (lines: readonly string[], i: number, line: string) =>
  line.trim() === '' ||
  isComment(line) ||
  /^ *(?:```|~~~|>)/.test(line) ||
  headingLevel(line) > 0 ||
  isRule(line) ||
  markerOf(line) !== null ||
  isTableAt(lines, i)

function paragraph(lines: readonly string[], start: number, { links }: Context): Block {
  let end = start + 1
  while (end < lines.length && !startsBlock(lines, end, lines[end] ?? '')) end++
  const text = lines
    .slice(start, end)
    .map((line) => line.trim())
    .join('\n')
  return { view: html`<p>${renderInline(text, links).content}</p>`, next: end }
}
