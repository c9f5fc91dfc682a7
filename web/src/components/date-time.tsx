// Relative times and durations in the page's language.
import { Tooltip } from '@mantine/core'
import { useLanguage } from '../i18n/language-provider.tsx'

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

export function timeAgo(at: string, locale: string, now = Date.now()): string {
  let value = (Date.parse(at) - now) / 1000
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size)
      return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(value), unit)
    value /= size
  }
  return at
}

/** "3 minutes ago", with the exact time in a tooltip. */
export function RelativeTime({ at, fallback = '–' }: { at: string | null | undefined; fallback?: string }) {
  const { locale } = useLanguage()
  if (!at) return fallback
  const exact = new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <Tooltip label={exact}>
      <time dateTime={at}>{timeAgo(at, locale)}</time>
    </Tooltip>
  )
}

/** Formats 75 seconds as 1:15. */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–'
  const whole = Math.max(0, Math.round(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
