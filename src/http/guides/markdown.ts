// Markdown to HTML for our own guides, through markdown-it: the constructs that the guides use, no raw HTML, and links
// that the caller resolves.
import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'
import { loadMarkdownIt } from '../../base/process/lazy-packages.ts'
import { type Html, html } from '../docs-layout/html.ts'

export type Picture = { src: string; width: number | null; height: number | null }
export type Links = {
  /** Where a link leads; null if it must not be a link. */
  href(target: string): string | null
  picture(target: string): Picture | null
}
export type Heading = { level: number; text: string; id: string }
export type Rendered = { content: Html; headings: readonly Heading[] }

export type MarkdownOptions = {
  /** Additional ids of the headings, in order: links to the English headings also work in a translation. */
  otherIds?: readonly string[] | undefined
  /** Precedes a heading's name, for screen readers. */
  linkTo?: string | undefined
}

const blockRules = ['comment', 'fence', 'heading', 'hr', 'list', 'blockquote', 'table']
const inlineRules = ['backticks', 'emphasis', 'escape', 'image', 'link']

let parser: MarkdownIt | undefined

export function renderMarkdown(source: string, links: Links, options: MarkdownOptions = {}): Rendered {
  parser ??= openParser()
  const tokens = withoutEmptyHeads(parser.parse(source, {}))
  const headings = nameHeadings(tokens, options)
  for (const { children } of tokens) resolve(children ?? [], links)
  return { content: { html: parser.renderer.render(tokens, parser.options, {}) }, headings }
}

function openParser(): MarkdownIt {
  const md = new (loadMarkdownIt())('zero')
  md.block.ruler.before('fence', 'comment', comment, { alt: ['paragraph', 'blockquote', 'list', 'table'] })
  md.enable([...blockRules, ...inlineRules])
  md.inline.ruler.before('emphasis', 'underscore', underscore)
  // `Links` decides where a link may lead, based on the address as written.
  md.validateLink = () => true
  md.normalizeLink = (url) => url
  md.renderer.renderToken = (tokens, i) => tagOf(tokens[i] as Token)
  md.renderer.rules = { ...md.renderer.rules, ...views }
  return md
}

/** A note for writers, on a line of its own. */
function comment(state: StateBlock, line: number, _end: number, silent: boolean): boolean {
  const text = state.getLines(line, line + 1, 0, false)
  if (!text.startsWith('<!--') || !text.trimEnd().endsWith('-->')) return false
  if (!silent) state.line = line + 1
  return true
}

/** Plain text, not emphasis: the guides contain names such as __proto__. */
function underscore(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== '_') return false
  if (!silent) state.pending += '_'
  state.pos++
  return true
}

/** Without the line breaks that markdown-it puts between blocks. */
function tagOf({ hidden, nesting, tag, attrs }: Token): string {
  if (hidden) return ''
  const given = (attrs ?? []).map(([name, value]) => html` ${name}="${value}"`)
  return nesting === -1 ? `</${tag}>` : `<${tag}${html`${given}`.html}>`
}

/** Renders a token that needs more than its tag. Context it depends on is in `meta`. */
const view = (show: (token: Token, meta: Meta) => Html) => (tokens: Token[], i: number) => {
  const token = tokens[i] as Token
  return show(token, token.meta as Meta).html
}
type Meta = { id: string; otherId?: string; text: string; linkTo: string | false } & Picture

const isEnd = (token: Token) => /right|center/.test(attributeOf(token, 'style')) && html` class="end"`

const views = {
  heading_open: view(
    ({ tag }, { id, otherId }) =>
      html`${raw(`<${tag}`)} id="${id}">${otherId && otherId !== id && html`<span id="${otherId}"></span>`}`,
  ),
  heading_close: view(
    ({ tag }, { id, text, linkTo }) =>
      html`${linkTo && html` <a class="anchor" href="#${id}" aria-label="${linkTo} ${text}">#</a>`}${raw(`</${tag}>`)}`,
  ),
  fence: view(({ info, content }) => {
    // Anything after the language is for programs, such as the test that runs the commands.
    const [language = ''] = info.trim().split(' ', 1)
    const named = language !== '' && html` data-language="${language}"`
    return html`<pre class="code" tabindex="0"${named}><code>${content.replace(/\n$/, '')}</code></pre>`
  }),
  table_open: view(() => html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>`),
  table_close: view(() => html`</table></div>`),
  th_open: view((token) => html`<th scope="col"${isEnd(token)}>`),
  td_open: view((token) => html`<td${isEnd(token)}>`),
  image: view(({ content }, picture) => {
    if (!picture) return html`${content}`
    const { src, width, height } = picture
    const size = width !== null && html` width="${width}" height="${height}"`
    return html`<img src="${src}" alt="${content}"${size} loading="lazy">`
  }),
}

const attributeOf = (token: Token, name: string) => String(token.attrGet(name) ?? '')
const raw = (text: string): Html => ({ html: text })

/** The ids used by links, and a link to each section. */
function nameHeadings(tokens: readonly Token[], { otherIds, linkTo = 'Link to' }: MarkdownOptions): Heading[] {
  const ids = new Map<string, number>()
  const headings: Heading[] = []
  for (const [i, open] of tokens.entries()) {
    const [inline, close] = tokens.slice(i + 1, i + 3)
    if (open.type !== 'heading_open' || !inline || !close) continue
    const level = Number(open.tag.slice(1))
    const text = textOf(inline.children ?? [])
    const id = uniqueId(text, ids)
    const tag = `h${Math.min(level, 4)}`
    Object.assign(open, { tag, meta: { id, otherId: otherIds?.[headings.length] } })
    Object.assign(close, { tag, meta: { id, text, linkTo: (level === 2 || level === 3) && linkTo } })
    headings.push({ level, text, id })
  }
  return headings
}

const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ children, content }) => (children ? textOf(children) : content)).join('')

/** A link that may not lead anywhere becomes its text; a missing picture becomes its description. */
function resolve(inline: readonly Token[], links: Links): void {
  let isHidden = false // links are not nested
  for (const token of inline) {
    if (token.type === 'link_open') {
      const href = links.href(attributeOf(token, 'href'))
      isHidden = href === null
      token.attrs = [['href', href ?? '']]
      if (/^https?:/.test(href ?? '')) token.attrPush(['rel', 'noreferrer noopener'])
    }
    if (token.type === 'link_open' || token.type === 'link_close') token.hidden = isHidden
    if (token.type !== 'image') continue
    token.meta = links.picture(attributeOf(token, 'src'))
    token.content = textOf(token.children ?? [])
  }
}

/** A table whose column names are all empty gets no header. */
function withoutEmptyHeads(tokens: readonly Token[]): Token[] {
  const heads = tokens.flatMap(({ type }, i) => {
    if (type !== 'thead_open') return []
    const end = tokens.findIndex((token, at) => at > i && token.type === 'thead_close')
    return tokens.slice(i, end).every(({ content }) => content === '') ? [{ start: i, end }] : []
  })
  return tokens.filter((_, i) => !heads.some(({ start, end }) => i >= start && i <= end))
}

/** The same as GitHub's, so that a link works in both places. */
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
