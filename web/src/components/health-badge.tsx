// The health of a provider: working, failing, or down since when, with the reason in a sentence beside it.
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { type Health, healthTone, isTroubled, sinceWords } from './provider-health.ts'
import { providerHealthTexts } from './provider-health-texts.ts'
import { StatusBadge } from './status-badge.tsx'

export function HealthBadge({ health }: { health: Health }) {
  const t = useTexts(providerHealthTexts)
  const { locale } = useLanguage()
  const { state, since } = health
  const word = state === 'failing' || state === 'down' ? t[state](since ? sinceWords(since, locale) : '–') : t[state]
  return <StatusBadge tone={healthTone[state]} word={word} />
}

/** Null while the provider is healthy. */
export function useReasonWords(health: Health | null | undefined): string | null {
  const t = useTexts(providerHealthTexts)
  return isTroubled(health) && health.reason ? t.reason[health.reason] : null
}
