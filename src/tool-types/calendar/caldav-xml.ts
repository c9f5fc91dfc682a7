// A minimal XML reader for WebDAV responses: elements, namespaces and text. No DOCTYPE, hence no custom entities; depth
// and size are limited.

export type Element = {
  space: string
  name: string
  attributes: Readonly<Record<string, string>>
  text: string
  children: Element[]
}

const MAX_DEPTH = 50
const none: Readonly<Record<string, string>> = {}
const MAX_ELEMENTS = 50_000
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** An opening or closing tag; attributes are parsed separately. */
const tag = /<(\/?)([\w.-]+(?::[\w.-]+)?)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const attribute = /(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

type Spaces = Readonly<Record<string, string>>

/** The root element; null if the text is not well-formed or exceeds the limits. */
export function readXml(text: string): Element | null {
  const root: Element = { space: '', name: '', attributes: {}, text: '', children: [] }
  const open: { element: Element; spaces: Spaces; written: string }[] = [{ element: root, spaces: {}, written: '' }]
  let elements = 0
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < text.length) {
    const inner = open.at(-1) as (typeof open)[number]
    const next = text.indexOf('<', at)
    const plain = unescaped(text.slice(at, next === -1 ? text.length : next))
    if (plain === null) return null
    inner.element.text += plain
    if (next === -1) break
    at = next
    const skipped = skip(text, at)
    if (skipped === null) return null
    if (skipped.end > at) {
      inner.element.text += skipped.text
      at = skipped.end
      continue
    }
    tag.lastIndex = at
    const found = tag.exec(text)
    if (!found) return null
    at = tag.lastIndex
    const [, isEnd, written = '', inTag = '', isEmpty] = found
    if (isEnd) {
      if (open.length === 1 || inner.written !== written) return null
      open.pop()
      continue
    }
    const attributes = inTag === '' ? none : attributesOf(inTag)
    const spaces = inTag.includes('xmlns') ? spacesIn(attributes, inner.spaces) : inner.spaces
    const [name = '', prefix = ''] = written.split(':').reverse()
    const element: Element = { space: spaces[prefix] ?? '', name, attributes, text: '', children: [] }
    inner.element.children.push(element)
    if (++elements > MAX_ELEMENTS) return null
    if (!isEmpty && open.push({ element, spaces, written }) > MAX_DEPTH) return null
  }
  return open.length === 1 && root.children.length === 1 ? (root.children[0] ?? null) : null
}

/** Skips a comment, a processing instruction or CDATA (whose text counts). Null if it is not closed or is a DOCTYPE. */
function skip(text: string, at: number): { end: number; text: string } | null {
  const past = (ending: string, start: number): number => {
    const end = text.indexOf(ending, start)
    return end === -1 ? -1 : end + ending.length
  }
  if (text.startsWith('<![CDATA[', at)) {
    const end = past(']]>', at + 9)
    return end === -1 ? null : { end, text: text.slice(at + 9, end - 3) }
  }
  const end = text.startsWith('<!--', at) ? past('-->', at + 4) : text.startsWith('<?', at) ? past('?>', at + 2) : at
  return end === -1 || (end === at && text[at + 1] === '!') ? null : { end, text: '' }
}

const attributesOf = (inTag: string): Record<string, string> =>
  Object.fromEntries(
    [...inTag.matchAll(attribute)].map(([, name = '', one, other]) => [name, unescaped(one ?? other ?? '') ?? '']),
  )

function spacesIn(attributes: Readonly<Record<string, string>>, outer: Spaces): Spaces {
  const own = Object.entries(attributes).flatMap(([name, value]) =>
    name === 'xmlns' ? [['', value]] : name.startsWith('xmlns:') ? [[name.slice(6), value]] : [],
  )
  return { ...outer, ...Object.fromEntries(own) }
}

function unescaped(text: string): string | null {
  if (!text.includes('&')) return text
  let isWrong = false
  const plain = text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));|&/gi, (_, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    if (name && Object.hasOwn(named, name)) return named[name] as string
    if (!name && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
    isWrong = true
    return ''
  })
  return isWrong ? null : plain
}

export const DAV = 'DAV:'
export const CALDAV = 'urn:ietf:params:xml:ns:caldav'

export const childrenOf = (element: Element | undefined, space: string, name: string): Element[] =>
  element?.children.filter((child) => child.space === space && child.name === name) ?? []
export const childOf = (element: Element | undefined, space: string, name: string): Element | undefined =>
  childrenOf(element, space, name)[0]

export type Answered = { href: string; props: Element }

/** The resources of a 207 response and the properties found for each; null if it is not a multistatus. */
export function readMultistatus(text: string): Answered[] | null {
  const root = readXml(text)
  if (root?.space !== DAV || root.name !== 'multistatus') return null
  return childrenOf(root, DAV, 'response').map((response) => {
    const found = childrenOf(response, DAV, 'propstat').filter((part) =>
      /^HTTP\/[\d.]+ 2\d\d\b/.test(childOf(part, DAV, 'status')?.text.trim() ?? ''),
    )
    const children = found.flatMap((part) => childOf(part, DAV, 'prop')?.children ?? [])
    return {
      href: childOf(response, DAV, 'href')?.text.trim() ?? '',
      props: { space: DAV, name: 'prop', attributes: {}, text: '', children },
    }
  })
}
