// The heading of a call's page: who, when and how long. Pure.
import type { Call } from '../../../../client/paths.ts'
import { formatDuration } from '../../components/date-time.tsx'

/** For example "15 nov, 20:18", with the year if it is not the current one. */
export function shortTime(at: string, locale: string, now = new Date()): string {
  const date = new Date(at)
  const isThisYear = date.getFullYear() === now.getFullYear()
  const day = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(date)
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(date)
  return `${day.replaceAll('.', '').replace(' de ', ' ')}, ${time}`
}

/** A call in progress has no duration yet. */
export function callHeading(
  { startedAt, durationSeconds }: Pick<Call, 'startedAt' | 'durationSeconds'>,
  who: string,
  locale: string,
): { who: string; rest: string; title: string } {
  const rest = [shortTime(startedAt, locale), ...(durationSeconds === null ? [] : [formatDuration(durationSeconds)])]
  return { who, rest: rest.join(' · '), title: [who, ...rest].join(' · ') }
}
