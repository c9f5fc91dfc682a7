// The API key form: values, request body, key state. Pure.
import type { ApiKey } from '../../../../client/paths.ts'

export type Scope = NonNullable<ApiKey['scopes']>[number]
export const scopes: readonly Scope[] = ['agents', 'calls', 'conversations', 'dids', 'gateway', 'tools', 'tts']

/** Lifetimes in days; empty means no expiry, `other` lets the user type a number. */
export const lives = ['30', '90', '365', '', 'other'] as const

export type KeyForm = {
  name: string
  access: 'full' | 'chosen'
  scopes: Scope[]
  rateLimit: number | string
  life: string
  otherDays: number | string
}
export const emptyKey: KeyForm = {
  name: '',
  access: 'full',
  scopes: [],
  rateLimit: 60,
  life: '',
  otherDays: 7,
}

export type KeyProblem = 'name' | 'scopes' | 'rateLimit' | 'otherDays'

export function problemsOf({ name, access, scopes, rateLimit, life, otherDays }: KeyForm): KeyProblem[] {
  const problems: KeyProblem[] = []
  if (name.trim() === '') problems.push('name')
  if (access === 'chosen' && scopes.length === 0) problems.push('scopes')
  if (!isWithin(rateLimit, 1, 100_000)) problems.push('rateLimit')
  if (life === 'other' && !isWithin(otherDays, 1, 36_500)) problems.push('otherDays')
  return problems
}

const isWithin = (value: number | string, least: number, most: number) =>
  typeof value === 'number' && value >= least && value <= most

export function keyBody({ name, access, scopes, rateLimit, life, otherDays }: KeyForm) {
  return {
    name: name.trim(),
    scopes: access === 'full' ? null : scopes,
    rateLimit: Number(rateLimit),
    expiresInDays: life === '' ? null : Number(life === 'other' ? otherDays : life),
  }
}

export type KeyState = 'active' | 'expired' | 'revoked'
export function stateOf({ isActive, expiresAt }: Pick<ApiKey, 'isActive' | 'expiresAt'>, now = Date.now()): KeyState {
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired'
  return isActive ? 'active' : 'revoked'
}
