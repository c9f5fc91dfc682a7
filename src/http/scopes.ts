// The scope that a path needs. The first segment after /api decides, wherever the code of the route is.
import { AppError } from '../base/errors.ts'
import type { Role } from '../base/role.ts'

export const scopeNames = ['agents', 'dids', 'conversations', 'calls', 'tools', 'tts', 'gateway'] as const
export type Scope = (typeof scopeNames)[number]

/**
 * `admin`: only a session or a full-access key of an administrator. `full`: only a key without scopes. `any`: every key, filtered
 * by its scopes.
 */
export type Needed = Scope | 'admin' | 'full' | 'any'
const scopeByWord: Readonly<Record<string, Needed>> = {
  'api-keys': 'full',
  webhooks: 'full',
  events: 'any',
  agents: 'agents',
  trunks: 'agents',
  conversations: 'conversations',
  did: 'dids',
  gateway: 'gateway',
  tools: 'tools',
  'knowledge-bases': 'tools',
  spreadsheets: 'tools',
  rehearsals: 'agents',
  calls: 'calls',
  'web-calls': 'calls',
  overview: 'calls',
  platform: 'full',
  settings: 'admin',
  tts: 'tts',
}

/** Called for each route at start: a route without a scope fails. */
export function scopeOf(url: string): Needed {
  const word = url.split('/')[2] ?? ''
  const scope = Object.hasOwn(scopeByWord, word) ? scopeByWord[word] : undefined
  if (!scope) throw new Error(`No scope is decided for ${url}: name its first word in http/scopes.ts`)
  return scope
}

/** Whether a request may use a route at all; scopes that depend on the body are checked with `requireScope`. */
export function requireAccess(grant: { scopes: ReadonlySet<string> | null; role: Role }, needed: Needed): void {
  requireScope(grant.scopes, needed === 'admin' ? 'full' : needed)
  if (needed === 'admin' && grant.role !== 'admin') throw new AppError('forbidden', 'Only an administrator may do this')
}

export function requireScope(scopes: ReadonlySet<string> | null, needed: Exclude<Needed, 'admin'>): void {
  if (scopes === null || needed === 'any' || (needed !== 'full' && scopes.has(needed))) return
  throw new AppError(
    'forbidden',
    needed === 'full' ? 'This needs a key with full access' : `This key does not have the scope ${needed}`,
  )
}
