// Maps pages to guides, and guides to the languages they exist in. Pure.
import type { Language } from '../i18n/language.ts'

export type GuideLink = { guide: string; anchor?: string }

/** The longest matching path wins. */
const guides: readonly (readonly [string, GuideLink])[] = [
  ['/', { guide: 'first-call' }],
  ['/agents', { guide: 'conversation' }],
  ['/agents/new', { guide: 'first-call', anchor: '3-create-an-agent' }],
  ['/tools', { guide: 'tools' }],
  ['/knowledge', { guide: 'knowledge' }],
  ['/spreadsheets', { guide: 'tools' }],
  ['/voices', { guide: 'speech' }],
  ['/rehearsals', { guide: 'rehearsals' }],
  ['/live', { guide: 'live-calls' }],
  ['/calls', { guide: 'dashboard' }],
  ['/callbacks', { guide: 'dashboard' }],
  ['/suppressions', { guide: 'dashboard', anchor: 'do-not-call' }],
  ['/campaigns', { guide: 'campaigns' }],
  ['/calling-rules', { guide: 'campaigns', anchor: 'calling-rules' }],
  ['/conversations', { guide: 'conversation' }],
  ['/numbers', { guide: 'phone' }],
  ['/trunks', { guide: 'trunk-recipes' }],
  ['/devices', { guide: 'gateway' }],
  ['/widgets', { guide: 'widget' }],
  ['/providers', { guide: 'providers' }],
  ['/keys', { guide: 'dashboard', anchor: 'for-programs' }],
  ['/organization', { guide: 'dashboard', anchor: 'signing-in' }],
  ['/users', { guide: 'dashboard', anchor: 'signing-in' }],
  ['/webhooks', { guide: 'events' }],
  ['/settings', { guide: 'providers' }],
]

export const pageGuides: readonly GuideLink[] = guides.map(([, link]) => link)

export function guideFor(path: string): GuideLink | null {
  const matches = guides.filter(([place]) =>
    place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`),
  )
  const [, link] = matches.sort(([a], [b]) => b.length - a.length)[0] ?? []
  return link ?? null
}

/** The guides translated into each language besides English; a test compares this list with the documents. */
const translated: Readonly<Partial<Record<Language, readonly string[]>>> = {
  pt: ['first-call', 'dashboard', 'troubleshooting', 'providers', 'campaigns'],
}
export const isTranslated = (guide: string, language: Language): boolean =>
  language === 'en' || (translated[language]?.includes(guide) ?? false)

/** Uses the page's language, not the browser's. Headings have the same anchors in every language. */
export const guideHref = ({ guide, anchor }: GuideLink, language: Language): string =>
  `${guidesHref(language)}/${guide}${anchor ? `#${anchor}` : ''}`
export const guidesHref = (language: Language): string =>
  language in translated ? `/guides/${language}` : '/guides/en'
