// The guides on disk: which there are, in what order, and the files that they show. A request never names a path on disk.
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { filesBelow, type PageFile, pageFile } from '../page-files.ts'
import type { Links, Picture } from './markdown-inline.ts'

export type Guide = { name: string; title: string; source: string }
export type GuideGroup = { name: string; guides: readonly Guide[] }
export type Library = {
  groups: readonly GuideGroup[]
  find(name: string): Guide | undefined
  /** Pictures and examples, by their path below /guides; read when first asked for. */
  file(path: string): PageFile | undefined
  links: Links
}

const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Start', ['first-call', 'dashboard', 'troubleshooting']],
  ['Agents', ['conversation', 'tools', 'knowledge', 'speech', 'providers', 'rehearsals']],
  ['Channels', ['phone', 'trunk-recipes', 'gateway', 'web-calls', 'widget', 'live-calls', 'campaigns']],
  ['Run it', ['docker', 'nodes', 'cluster', 'capacity', 'privacy', 'benchmarks']],
  ['Program it', ['errors', 'events', 'client', 'where-things-are', 'licences']],
]

const MAX_FILES = 500
const served = new Set(['.png', '.json', '.yaml'])
const typeOf: Readonly<Record<string, string>> = { '.yaml': 'text/plain; charset=utf-8' }

/** Empty if the folder does not exist, as in an installation that left it out. */
export function openLibrary(folder: string): Library {
  const paths = filesBelow(folder, MAX_FILES).sort()
  const guides = paths
    .filter((path) => /^[\w-]+\.md$/.test(path))
    .map((path): Guide => {
      const source = readFileSync(join(folder, path), 'utf8')
      const name = path.slice(0, -3)
      return { name, source, title: titleOf(source) ?? name }
    })
  const byName = new Map(guides.map((guide) => [guide.name, guide]))
  const readable = new Set(paths.filter((path) => served.has(extname(path)) && /^[\w./-]+$/.test(path)))
  const read = new Map<string, PageFile>()
  const file = (path: string): PageFile | undefined => {
    if (!readable.has(path)) return undefined
    const known = read.get(path)
    if (known) return known
    const made = pageFile(`/guides/${path}`, readFileSync(join(folder, path)))
    const type = typeOf[extname(path)] ?? made.type
    const fresh = { ...made, type }
    read.set(path, fresh)
    return fresh
  }
  const picture = (target: string): Picture | null => {
    const found = target.endsWith('.png') ? file(target) : undefined
    return found ? { src: found.path, ...sizeOf(found.bytes) } : null
  }
  const listed = new Set(groups.flatMap(([, names]) => names))
  const named = groups.map(([name, names]) => ({ name, guides: names.flatMap((one) => byName.get(one) ?? []) }))
  const others = guides.filter(({ name }) => !listed.has(name))
  return {
    groups: [...named, { name: 'More', guides: others }].filter((group) => group.guides.length > 0),
    find: (name) => byName.get(name),
    file,
    links: { href: (target) => hrefOf(target, byName, readable), picture },
  }
}

const titleOf = (source: string) => /^# (.{1,200})$/m.exec(source)?.[1]?.trim()

/** Another guide, a file of the guides, a heading, or an address on the web; anything else leads nowhere. */
function hrefOf(target: string, guides: ReadonlyMap<string, Guide>, files: ReadonlySet<string>): string | null {
  if (/^(https?:\/\/|mailto:)/i.test(target)) return target
  const [path = '', anchor] = target.split('#', 2)
  const end = anchor ? `#${anchor}` : ''
  if (path === '') return end === '' ? null : end
  const name = path.endsWith('.md') ? path.slice(0, -3) : null
  if (name !== null) return guides.has(name) ? `/guides/${name}${end}` : null
  return files.has(path) ? `/guides/${path}` : null
}

/** Width and height from the header of a PNG: the page does not move when the picture arrives. */
function sizeOf(bytes: Buffer): Pick<Picture, 'width' | 'height'> {
  const isPng = bytes.length > 24 && bytes.toString('latin1', 12, 16) === 'IHDR'
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : { width: null, height: null }
}
