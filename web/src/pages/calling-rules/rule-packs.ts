// The rule packs in the page's language: the API returns built-in names and sources in three languages.
import { useCallback } from 'react'
import type { CallingRules } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import type { Language } from '../../i18n/language.ts'
import { useLanguage } from '../../i18n/language-provider.tsx'
import { rulesTexts } from './rules-texts.ts'

const ownSources: readonly string[] = Object.values(rulesTexts).map(({ ownSource }) => ownSource)

/** For display only: the editor keeps the texts as stored. */
export function inLanguage(rules: CallingRules, language: Language): CallingRules {
  const textOf = (text: string): string =>
    ownSources.includes(text)
      ? rulesTexts[language].ownSource
      : (rules.texts?.find(({ en }) => en === text)?.[language] ?? text)
  return {
    ...rules,
    name: rules.isBuiltIn ? textOf(rules.name) : rules.name,
    pack: JSON.parse(JSON.stringify(rules.pack), (key, value) =>
      (key === 'source' || (key === 'name' && rules.isBuiltIn)) && typeof value === 'string' ? textOf(value) : value,
    ),
  }
}

export function useRulePacks() {
  const { language } = useLanguage()
  const select = useCallback((all: CallingRules[]) => all.map((rules) => inLanguage(rules, language)), [language])
  return queries.useQuery('get', '/api/calling-rules', {}, { select })
}
