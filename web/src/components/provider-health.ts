// The health of a provider account, as data for badges and banners. Pure.
import type { Provider } from '../../../client/paths.ts'
import type { Tone } from './status-badge.tsx'

export type Kind = Provider['kind']

export type Health = Provider['health']
export type FailureReason = NonNullable<Health['reason']>

export const healthTone: Readonly<Record<Health['state'], Tone>> = {
  unused: 'off',
  ok: 'good',
  failing: 'warn',
  down: 'bad',
}

export const isTroubled = (health: Health | null | undefined): health is Health =>
  health?.state === 'failing' || health?.state === 'down'

/** The time alone if it is today, else with its date. */
export function sinceWords(since: string, locale: string, now = new Date()): string {
  const at = new Date(since)
  const isToday = at.toDateString() === now.toDateString()
  return at.toLocaleString(locale, isToday ? { timeStyle: 'short' } : { dateStyle: 'short', timeStyle: 'short' })
}
