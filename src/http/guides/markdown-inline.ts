// The inside of a Markdown paragraph: code, links, pictures and emphasis. Everything else is text, and is escaped.
import { escapeHtml, type Html } from '../frame/html.ts'

export type Picture = { src: string; width: number | null; height: number | null }
export type Links = {
  /** Where a link leads; null where it must not lead anywhere. */
  href(target: string): string | null
  picture(target: string): Picture | null
}

/** `text`: without any markup. */
export type Inline = { content: Html; text: string }

/** Open brackets and stars at one time. More of them are text: the search for a partner stays bounded. */
const MAX_OPEN = 20
const MAX_TARGET = 500

type Open = { mark: '[' | '![' | '**' | '*'; at: number; textAt: number }

export function renderInline(source: string, links: Links): Inline {
  const out: string[] = []
  const plain: string[] = []
  const open: Open[] = []
  const missingRuns = new Set<number>()
  const write = (text: string) => {
    out.push(escapeHtml(text))
    plain.push(text)
  }
  const begin = (mark: Open['mark']) => {
    if (open.length < MAX_OPEN) open.push({ mark, at: out.length, textAt: plain.length })
    write(mark)
  }

  /** Wraps what was written since the opening mark, and drops the mark. */
  const close = ({ mark, at, textAt }: Open, wrap: (inside: string, text: string) => string) => {
    const inside = out.splice(at).slice(1).join('')
    const text = plain.splice(textAt).join('').slice(mark.length)
    out.push(wrap(inside, text))
    plain.push(text)
  }

  let i = 0
  while (i < source.length) {
    const char = source[i] ?? ''
    if (char === '\\' && isPunctuation(source[i + 1])) {
      write(source[i + 1] ?? '')
      i += 2
    } else if (char === '`') {
      const run = runLength(source, i, '`')
      const end = missingRuns.has(run) ? -1 : closingRun(source, i + run, run)
      if (end === -1) {
        missingRuns.add(run)
        write('`'.repeat(run))
        i += Math.max(1, run)
      } else {
        const code = source.slice(i + run, end).replaceAll('\n', ' ')
        out.push(`<code>${escapeHtml(code.trim() === '' ? code : code.trim())}</code>`)
        plain.push(code.trim())
        i = end + run
      }
    } else if (char === '!' && source[i + 1] === '[') {
      begin('![')
      i += 2
    } else if (char === '[') {
      begin('[')
      i++
    } else if (char === ']') {
      const target = targetAt(source, i + 1)
      const from = open.findLastIndex(({ mark }) => mark === '[' || mark === '![')
      const opened = open[from]
      if (target === null || !opened) {
        write(']')
        i++
        // A bracket that closes nothing closes the last open one, as text.
        if (from !== -1) open.splice(from)
      } else {
        open.splice(from)
        close(opened, (inside, text) =>
          opened.mark === '[' ? link(links.href(target.url), inside) : image(links.picture(target.url), text),
        )
        i = target.end
      }
    } else if (char === '*') {
      i += Math.max(1, stars(source, i, { open, begin, close }))
    } else {
      const end = nextSpecial(source, i + 1)
      write(source.slice(i, end))
      i = end
    }
  }
  return { content: { html: out.join('') }, text: plain.join('') }
}

type Parts = {
  open: Open[]
  begin: (mark: Open['mark']) => void
  close: (opened: Open, wrap: (inside: string, text: string) => string) => void
}

/** Emphasis opens before a letter and closes after one; returns how many characters were read. */
function stars(source: string, i: number, { open, begin, close }: Parts): number {
  const mark = source[i + 1] === '*' ? '**' : '*'
  const isSpace = (char: string | undefined) => char === undefined || /\s/.test(char)
  const from = isSpace(source[i - 1]) ? -1 : open.findLastIndex((one) => one.mark === mark)
  const opened = open[from]
  // A pair must not span the beginning of a link.
  const isCrossing = open.slice(from + 1).some((one) => one.mark === '[' || one.mark === '![')
  if (opened && !isCrossing) {
    open.splice(from)
    const name = mark === '**' ? 'strong' : 'em'
    close(opened, (inside) => `<${name}>${inside}</${name}>`)
  } else begin(mark)
  return mark.length
}

const link = (href: string | null, inside: string) => {
  if (href === null) return inside
  const isOutside = /^https?:/.test(href)
  return `<a href="${escapeHtml(href)}"${isOutside ? ' rel="noreferrer noopener"' : ''}>${inside}</a>`
}

const image = (picture: Picture | null, text: string) => {
  if (!picture) return escapeHtml(text)
  const size = picture.width === null ? '' : ` width="${picture.width}" height="${picture.height}"`
  return `<img src="${escapeHtml(picture.src)}" alt="${escapeHtml(text)}"${size} loading="lazy">`
}

/** `(address)` right after a bracket. */
function targetAt(source: string, at: number): { url: string; end: number } | null {
  if (source[at] !== '(') return null
  const end = source.slice(at, at + MAX_TARGET).indexOf(')')
  const url = end === -1 ? '' : source.slice(at + 1, at + end)
  return url === '' || /\s/.test(url) ? null : { url, end: at + end + 1 }
}

function runLength(source: string, at: number, char: string): number {
  let end = at
  while (source[end] === char) end++
  return end - at
}

/** Where a run of exactly so many backticks begins. */
function closingRun(source: string, from: number, run: number): number {
  let at = source.indexOf('`', from)
  while (at !== -1) {
    const length = runLength(source, at, '`')
    if (length === run) return at
    at = source.indexOf('`', at + length)
  }
  return -1
}

const special = new Set('\\`![]*')
const isPunctuation = (char: string | undefined) => char !== undefined && /^[!-/:-@[-`{-~]$/.test(char)

function nextSpecial(source: string, from: number): number {
  let end = from
  while (end < source.length && !special.has(source[end] ?? '')) end++
  return end
}
