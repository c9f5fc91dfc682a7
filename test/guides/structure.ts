// What a translated guide must share with the English one: headings, code, tables, lists, pictures, links and names in
// code style.
import { posix } from 'node:path'

export type Section = {
  heading: string
  level: number
  /** Programs and settings only; comments are translated. */
  code: string[]
  /** Number of cells in each row. */
  rows: number[]
  items: number
  links: string[]
  names: string[]
}

/** `folder`: the folder of the text below the guides, to resolve its links. */
export function sectionsOf(text: string, folder = ''): Section[] {
  const sections: Section[] = []
  const texts = new Map<Section, string[]>()
  let fence: { mark: string; lines: string[] } | null = null
  for (const line of text.split('\n')) {
    const bare = line.trim()
    const mark = /^(```|~~~)/.exec(bare)?.[1]
    const heading = fence ? null : /^(#{1,6}) (.+)$/.exec(line)
    if (heading) sections.push(emptySection(heading[2] ?? '', heading[1]?.length ?? 0))
    const section = sections.at(-1) ?? emptySection('', 0)
    if (fence && mark === fence.mark) {
      section.code.push(fence.lines.join('\n'))
      fence = null
    } else if (fence) fence.lines.push(withoutComment(bare))
    else if (mark) fence = { mark, lines: [languageOf(bare)] }
    else if (!bare.startsWith('<!--')) {
      texts.set(section, [...(texts.get(section) ?? []), bare])
      if (bare.startsWith('|')) section.rows.push(bare.replaceAll('\\|', '').split('|').length - 2)
      if (/^([-*+]|\d+\.) /.test(bare)) section.items++
    }
  }
  for (const [section, lines] of texts) addNames(section, lines.join(' '), folder)
  return sections
}

const emptySection = (heading: string, level: number): Section => ({
  heading,
  level,
  code: [],
  rows: [],
  items: 0,
  links: [],
  names: [],
})

/** Names are compared unordered, because their order depends on the language. */
function addNames(section: Section, text: string, folder: string): void {
  const targets = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target.split('#')[0] ?? '')
  section.links = targets.map((path) => (path === '' ? 'this guide' : linkOf(path, folder))).sort()
  section.names = [...new Set([...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))].sort()
}

const linkOf = (path: string, folder: string) =>
  /^[a-z]+:/.test(path) ? path : nameOf(posix.normalize(posix.join(folder, path)))
/** The same name for a guide and its translation. */
const nameOf = (path: string) => path.replace(/^pt\//, '')
const languageOf = (fence: string) => fence.slice(3).trim().split(' ', 1)[0] ?? ''
const withoutComment = (line: string) => line.replace(/(^|\s)(#|\/\/) .*$/, '').trim()

/** One sentence per difference; none if only the words differ. */
export function differences(english: readonly Section[], translated: readonly Section[]): string[] {
  if (english.length !== translated.length)
    return [`${english.length} headings in English, ${translated.length} in the translation`]
  return english.flatMap((section, i) => {
    const other = translated[i]
    if (!other) return []
    const keys = ['level', 'code', 'rows', 'items', 'links', 'names'] as const
    return keys
      .filter((key) => JSON.stringify(section[key]) !== JSON.stringify(other[key]))
      .map((key) => `“${other.heading}” (${section.heading}): ${key} ${difference(section[key], other[key])}`)
  })
}

function difference(english: Section[keyof Section], translated: Section[keyof Section]): string {
  if (!Array.isArray(english) || !Array.isArray(translated)) return `${english} in English, ${translated} here`
  const [there, here] = [english.map(String), translated.map(String)]
  const missing = there.filter((one) => !here.includes(one))
  const added = here.filter((one) => !there.includes(one))
  if (missing.length + added.length === 0) return `${there.length} in English, ${here.length} here, or in another order`
  return `missing ${JSON.stringify(missing)}, added ${JSON.stringify(added)}`
}
