// Cells shared by many lists: status, language codes, plain and dimmed text, times.
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { timeAgo } from '../date-time.tsx'
import { languageName } from '../language-select.tsx'
import type { Tone } from '../status-badge.tsx'
import styles from './list.module.css'

export const plain = (text: ReactNode) => <span className="numbers">{text}</span>
export const dim = (text: ReactNode) => <span className={`${styles.dim} numbers`}>{text}</span>

const colors: Readonly<Record<Exclude<Tone, 'good'>, string>> = {
  busy: 'var(--mantine-color-blue-5)',
  warn: 'var(--mantine-color-yellow-6)',
  bad: 'var(--mantine-color-red-6)',
  off: 'var(--mantine-color-gray-5)',
}

/** Only states that need attention are colored. */
export function StatusText({ tone, word }: { tone: Tone; word: string }) {
  if (tone === 'good') return <span className={styles.dim}>{word}</span>
  return (
    <span className={styles.status} data-tone={tone}>
      <span className={styles.dot} aria-hidden style={{ background: colors[tone] }} />
      <span>{word}</span>
    </span>
  )
}

/** Shows pt-BR, with the name of the language in a tooltip. */
export function LanguageCode({ tag }: { tag: string }) {
  const { locale } = useLanguage()
  return (
    <abbr className={styles.code} title={languageName(tag, locale)}>
      {tag}
    </abbr>
  )
}

/** "3 minutes ago", with the exact time in a native title: cheaper than a tooltip in every row. */
export function ShortTime({ at, fallback = '–' }: { at: string | null | undefined; fallback?: string }) {
  const { locale } = useLanguage()
  if (!at) return <span className={styles.dim}>{fallback}</span>
  const exact = new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <time dateTime={at} title={exact} className={`${styles.dim} numbers`}>
      {timeAgo(at, locale)}
    </time>
  )
}
