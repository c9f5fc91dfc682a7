// The guides on disk: their order and languages, and the files they show. A request never names a path on disk.
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { PageLanguage } from '../docs-layout/frame.ts'
import { filesBelow, type PageFile, pageFile } from '../page-files.ts'
import type { GuideGroupName } from './language.ts'
import type { Links, Picture } from './markdown.ts'

export type Guide = {
  name: string
  title: string
  source: string
  language: PageLanguage
  /** For a translation: the English guide. */
  original: Guide | null
}
export type GuideGroup = { name: GuideGroupName; guides: readonly Guide[] }
export type Shelf = {
  /** Pictures and examples, by their path below /guides; read on first request. */
  file(path: string): PageFile | undefined
  /** The guides in a language, in English if there is no translation, with links below `root`. */
  library(language: PageLanguage, root: string): Library
}
export type Library = {
  language: PageLanguage
  root: string
  groups: readonly GuideGroup[]
  find(name: string): Guide | undefined
  /** Whether the guide is available in that language. */
  isIn(name: string, language: PageLanguage): boolean
  linksOf(guide: Guide): Links
}

const groups: readonly (readonly [GuideGroupName, readonly string[]])[] = [
  ['Start', ['first-call', 'dashboard', 'organizations', 'troubleshooting']],
  ['Agents', ['conversation', 'tools', 'knowledge', 'speech', 'providers', 'rehearsals']],
  ['Channels', ['phone', 'trunk-recipes', 'gateway', 'web-calls', 'widget', 'live-calls', 'campaigns']],
  ['Run it', ['docker', 'nodes', 'cluster', 'capacity', 'privacy', 'benchmarks']],
  ['Program it', ['errors', 'events', 'client', 'where-things-are', 'licences']],
]

const MAX_FILES = 500
const served = new Set(['.png', '.json', '.yaml'])
const typeOf: Readonly<Record<string, string>> = { '.yaml': 'text/plain; charset=utf-8' }

/** Empty if the folder does not exist, as in an installation without it. */
export function openShelf(folder: string): Shelf {
  const paths = filesBelow(folder, MAX_FILES).sort()
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const english = new Map<string, Guide>()
  for (const path of paths.filter((one) => /^[\w-]+\.md$/.test(one))) {
    const name = path.slice(0, -3)
    english.set(name, guideFrom(name, read(path), 'en', null))
  }
  const portuguese = new Map<string, Guide>()
  for (const original of english.values())
    if (paths.includes(`pt/${original.name}.md`))
      portuguese.set(original.name, guideFrom(original.name, read(`pt/${original.name}.md`), 'pt', original))
  const translated = { en: english, pt: portuguese }
  const { file, picture, isFile } = openFiles(folder, paths)
  return {
    file,
    library(language, root) {
      const guides = [...english.values()].map((guide) => translated[language].get(guide.name) ?? guide)
      const byName = new Map(guides.map((guide) => [guide.name, guide]))
      const listed = new Set(groups.flatMap(([, names]) => names))
      const named = groups.map(([name, names]) => ({ name, guides: names.flatMap((one) => byName.get(one) ?? []) }))
      const others: GuideGroup = { name: 'More', guides: guides.filter(({ name }) => !listed.has(name)) }
      const isGuide = (name: string) => byName.has(name)
      return {
        language,
        root,
        groups: [...named, others].filter((group) => group.guides.length > 0),
        find: (name) => byName.get(name),
        isIn: (name, wanted) => translated[wanted].has(name),
        linksOf: (guide) => ({
          href: (target) => hrefOf(target, guide.language, { root, isGuide, isFile }),
          picture: (target) => picture(fromRoot(target, guide.language)),
        }),
      }
    },
  }
}

function openFiles(folder: string, paths: readonly string[]) {
  const readable = new Set(paths.filter((path) => served.has(extname(path)) && /^[\w./-]+$/.test(path)))
  const known = new Map<string, PageFile>()
  const file = (path: string): PageFile | undefined => {
    if (!readable.has(path)) return undefined
    const before = known.get(path)
    if (before) return before
    const made = pageFile(`/guides/${path}`, readFileSync(join(folder, path)))
    const fresh = { ...made, type: typeOf[extname(path)] ?? made.type }
    known.set(path, fresh)
    return fresh
  }
  const picture = (path: string): Picture | null => {
    const found = path.endsWith('.png') ? file(path) : undefined
    return found ? { src: found.path, ...sizeOf(found.bytes) } : null
  }
  return { file, picture, isFile: (path: string) => readable.has(path) }
}

function guideFrom(name: string, source: string, language: PageLanguage, original: Guide | null): Guide {
  const title = /^# (.{1,200})$/m.exec(source)?.[1]?.trim() ?? name
  return { name, title, source, language, original }
}

/** A translation is in a folder of its own and refers to other files from there. */
function fromRoot(target: string, language: PageLanguage): string {
  if (language === 'en') return target
  return target.startsWith('../') ? target.slice(3) : `${language}/${target}`
}

type Known = { root: string; isGuide: (name: string) => boolean; isFile: (path: string) => boolean }

/** Another guide, a file of the guides, a heading, or a web address; anything else becomes no link. */
function hrefOf(target: string, language: PageLanguage, { root, isGuide, isFile }: Known): string | null {
  if (/^(https?:\/\/|mailto:)/i.test(target)) return target
  const [asked = '', anchor] = target.split('#', 2)
  const end = anchor ? `#${anchor}` : ''
  if (asked === '') return end === '' ? null : end
  const path = fromRoot(asked, language)
  if (!path.endsWith('.md')) return isFile(path) ? `/guides/${path}` : null
  const name = path.slice(language !== 'en' && path.startsWith(`${language}/`) ? language.length + 1 : 0, -3)
  return isGuide(name) ? `${root}/${name}${end}` : null
}

/** Width and height from a PNG header, so that the page does not shift when the picture loads. */
function sizeOf(bytes: Buffer): Pick<Picture, 'width' | 'height'> {
  const isPng = bytes.length > 24 && bytes.toString('latin1', 12, 16) === 'IHDR'
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : { width: null, height: null }
}
