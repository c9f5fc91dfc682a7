// HTML to Markdown: the readable text. Nothing is executed or fetched.
import { convert, type FormatCallback } from 'html-to-text'
import { appError } from '../../base/errors/errors.ts'

const MAX_DEPTH = 250
const MAX_CHILDREN = 10_000
const MAX_OPEN = 2000 // nesting depth: no real page is deeper, and parsers take very long for it

/** Elements that need no end tag. */
const unclosed =
  /^(?:p|li|d[td]|t[dhr]|thead|tbody|tfoot|option|br|img|hr|meta|link|input|col|area|base|source|wbr|embed|param)$/i

function isTooDeep(html: string): boolean {
  let open = 0
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,20})/gi)) {
    if (unclosed.test(name)) continue
    open = end ? Math.max(0, open - 1) : open + 1
    if (open > MAX_OPEN) return true
  }
  return false
}

const heading: FormatCallback = (element, walk, builder, options) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addInline(`${'#'.repeat(Number(options.level ?? 2))} `, { noWordTransform: true })
  walk(element.children, builder)
  builder.closeBlock({ trailingLineBreaks: 2 })
}

type Node = { type?: string; name?: string; data?: string; children?: Node[] }

/** A table row is one line, so that it is never split; its cells are plain text. */
const row: FormatCallback = (element, _walk, builder) => {
  const cells = (element.children as Node[]).filter(({ name }) => name === 'td' || name === 'th')
  if (cells.length === 0) return
  const line = (text: string) => {
    builder.openBlock({ leadingLineBreaks: 1 })
    builder.addInline(text)
    builder.closeBlock({ trailingLineBreaks: 1 })
  }
  line(`| ${cells.map((cell) => wordsOf(cell).replaceAll('|', '/')).join(' | ')} |`)
  if (cells.every(({ name }) => name === 'th')) line('| --- |')
}

function wordsOf(node: Node): string {
  const words: string[] = []
  const left: Node[] = [node]
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.type === 'text') words.push(next.data ?? '')
    else if (next.type === 'tag') left.push(...(next.children ?? []).slice(0, MAX_CHILDREN).reverse())
  }
  return words.join(' ').replace(/\s+/g, ' ').trim()
}

const skipped =
  'img,svg,nav,footer,noscript,template,iframe,object,embed,video,audio,canvas,select,button,input,textarea'

export function htmlText(html: string): string {
  if (isTooDeep(html)) throw appError('document_nested')
  return convert(html, {
    wordwrap: false,
    preserveNewlines: false,
    formatters: { heading, row },
    limits: { maxDepth: MAX_DEPTH, maxInputLength: 16_000_000, ellipsis: '' },
    selectors: [
      ...[1, 2, 3, 4, 5, 6].map((level) => ({ selector: `h${level}`, format: 'heading', options: { level } })),
      ...skipped.split(',').map((selector) => ({ selector, format: 'skip' })),
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'table', format: 'block' },
      { selector: 'tr', format: 'row' },
      { selector: 'td', format: 'inline' },
      { selector: 'th', format: 'inline' },
      { selector: 'ul', options: { itemPrefix: '- ' } },
    ],
  })
}
