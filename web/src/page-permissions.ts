// The permissions that pages and their queries need; the server decides (src/http/permissions.ts). Pure.
import type { Permission, ResourceKind } from '../../src/base/domain/organization-roles.ts'
import { kindByWord, routePermission } from '../../src/base/domain/route-permissions.ts'

/** By the first word of a page's path, where the API has another word. Words that are in neither need no permission. */
const kindByPage: Readonly<Record<string, ResourceKind>> = {
  knowledge: 'tools',
  voices: 'voices',
  live: 'calls',
  numbers: 'numbers',
  devices: 'devices',
  keys: 'keys',
}

function kindOf(word = ''): ResourceKind | null | undefined {
  const table = Object.hasOwn(kindByPage, word) ? kindByPage : kindByWord
  return Object.hasOwn(table, word) ? table[word] : undefined
}

/** Of a query of the page; its path has placeholders: `/api/calls/{id}`. */
export function permissionOfQuery(path: string): Permission | null {
  if (path === '/api/providers/local') return null // the platform's
  return routePermission('GET', path.replaceAll(/\{(\w+)\}/g, ':$1')) ?? null
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
