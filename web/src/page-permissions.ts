// The permissions that pages and their queries need; the server decides (src/http/permissions.ts). Pure.
import type { Permission, ResourceKind } from '../../src/base/domain/organization-roles.ts'

/** By the first word of a page's path, or of an API path. Words that are missing need no permission. */
const kindByWord: Readonly<Record<string, ResourceKind>> = {
  agents: 'agents',
  rehearsals: 'agents',
  'rehearsal-scripts': 'agents',
  tools: 'tools',
  knowledge: 'tools',
  'knowledge-bases': 'tools',
  spreadsheets: 'tools',
  voices: 'voices',
  tts: 'voices',
  live: 'calls',
  calls: 'calls',
  overview: 'calls',
  callbacks: 'callbacks',
  campaigns: 'campaigns',
  'calling-rules': 'campaigns',
  suppressions: 'suppressions',
  'suppression-lists': 'suppressions',
  conversations: 'conversations',
  numbers: 'numbers',
  did: 'numbers',
  trunks: 'trunks',
  'trunk-links': 'trunks',
  devices: 'devices',
  gateway: 'devices',
  widgets: 'widgets',
  providers: 'providers',
  keys: 'keys',
  'api-keys': 'keys',
  webhooks: 'webhooks',
  'web-calls': 'tests',
}

const kindOf = (word = ''): ResourceKind | undefined => (Object.hasOwn(kindByWord, word) ? kindByWord[word] : undefined)

/** Of a query of the page; its path has placeholders: `/api/calls/{id}`. */
export function permissionOfQuery(path: string): Permission | null {
  if (/^\/api\/gateway\/(sip\/)?credentials$/.test(path)) return 'devices:write'
  if (path === '/api/providers/local') return null // the platform's
  const [, , word, id, part] = path.split('/')
  if (word === 'organizations') return id ? (part ? 'members:read' : 'organization:read') : null
  if (part === 'answer-hook' && word !== 'calls') return 'webhooks:read'
  const kind = kindOf(word)
  return kind ? `${kind}:read` : null
}

/** What it takes to open a page. */
export function permissionOfPage(path: string): Permission | null {
  const [, word, ...rest] = path.split('/')
  const kind = kindOf(word)
  if (!kind) return null
  if (word === 'agents' && rest[1] === 'talk') return 'tests:write'
  return `${kind}:${rest.includes('new') || rest.includes('edit') ? 'write' : 'read'}`
}

/** What it takes to use a link. Placing a call also needs the names of the agents, to choose one. */
export function permissionsOfLink(to: string): (Permission | null)[] {
  if (to === '/live?place' || to.startsWith('/live?place=')) return ['calls:write', 'agents:read']
  return [permissionOfPage(to.split('?', 1)[0] ?? '')]
}

/** What it takes to change the records that a page shows. */
export function changeOfPage(path: string): Permission | null {
  const kind = kindOf(path.split('/')[1])
  return kind ? `${kind}:write` : null
}

export function removalOnPage(path: string): Permission | null {
  const change = changeOfPage(path)
  return change === 'calls:write' || change === 'conversations:write' ? 'erasure:write' : change
}
