// The scope that a path requires. Determined by the first segment after /api, wherever the route's code is.

import type { Role } from '../base/domain/role.ts'
import { appError } from '../base/errors/errors.ts'

export const scopeNames = ['agents', 'dids', 'conversations', 'calls', 'tools', 'tts', 'gateway'] as const
export type Scope = (typeof scopeNames)[number]

/**
 * `admin`: only a session or a full-access key of an administrator. `full`: only a key without scopes. `any`: every
 * key, filtered by its scopes.
 */
export type Needed = Scope | 'admin' | 'full' | 'any'
const scopeByWord: Readonly<Record<string, Needed>> = {
  'api-keys': 'full',
  webhooks: 'full',
  widgets: 'full', // a widget opens calls and chats long after its key has expired
  events: 'any',
  agents: 'agents',
  trunks: 'agents',
  'trunk-links': 'agents',
  conversations: 'conversations',
  did: 'dids',
  gateway: 'gateway',
  tools: 'tools',
  'knowledge-bases': 'tools',
  spreadsheets: 'tools',
  rehearsals: 'agents',
  'rehearsal-scripts': 'agents',
  calls: 'calls',
  callbacks: 'calls',
  campaigns: 'calls',
  suppressions: 'calls',
  'suppression-lists': 'calls',
  'calling-rules': 'calls',
  'web-calls': 'calls',
  overview: 'calls',
  platform: 'full',
  providers: 'full',
  settings: 'admin',
  users: 'admin',
  invitations: 'admin',
  organizations: 'full',
  audit: 'full',
  tts: 'tts',
}

/** Paths that require more than their first segment implies. */
const scopeByPath: Readonly<Record<string, Needed>> = { '/api/providers/local': 'admin' }
/** An answer hook sees callers and redirects calls long after its key has expired. */
const isHook = (url: string) => /^\/api\/(did|agents)\/:id\/answer-hook(\/|$)/.test(url)

/** Called for each route at startup: a route without a scope fails. */
export function scopeOf(url: string): Needed {
  if (Object.hasOwn(scopeByPath, url)) return scopeByPath[url] as Needed
  if (isHook(url)) return 'full'
  const word = url.split('/')[2] ?? ''
  const scope = Object.hasOwn(scopeByWord, word) ? scopeByWord[word] : undefined
  if (!scope) throw new Error(`No scope is decided for ${url}: name its first word in http/scopes.ts`)
  return scope
}

/** Whether a request may use a route at all; scopes that depend on the body are checked with `requireScope`. */
export function requireAccess(grant: { scopes: ReadonlySet<string> | null; role: Role }, needed: Needed): void {
  requireScope(grant.scopes, needed === 'admin' ? 'full' : needed)
  if (needed === 'admin' && grant.role !== 'admin') throw appError('admin_only')
}

export function requireScope(scopes: ReadonlySet<string> | null, needed: Exclude<Needed, 'admin'>): void {
  if (scopes === null || needed === 'any' || (needed !== 'full' && scopes.has(needed))) return
  throw needed === 'full' ? appError('full_access_needed') : appError('scope_missing', { scope: needed })
}
