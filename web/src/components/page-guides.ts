// Which guide explains which page. Pure.
export type GuideLink = { guide: string; anchor?: string }

/** The longest match wins. */
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

export const guideHref = ({ guide, anchor }: GuideLink): string => `/guides/${guide}${anchor ? `#${anchor}` : ''}`
