// A select of agent languages, named in the page's language.
import { Select, type SelectProps } from '@mantine/core'
import { commonTexts } from '../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'

const offered = 'pt-BR pt-PT en-US en-GB es-ES es-MX es-AR es-CO fr-FR de-DE it-IT nl-NL pl-PL ja-JP zh-CN'.split(' ')

export function languageName(tag: string, locale: string): string {
  try {
    const name = new Intl.DisplayNames([locale], { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
  } catch {
    return tag
  }
}

export function LanguageSelect({
  value,
  onChange,
  isOptional = false,
  ...select
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string
  onChange: (language: string) => void
  /** Allows an empty selection. */
  isOptional?: boolean
}) {
  const t = useTexts(commonTexts)
  const { locale } = useLanguage()
  const tags = value === '' || offered.includes(value) ? offered : [value, ...offered]
  return (
    <Select
      searchable
      allowDeselect={isOptional}
      clearable={isOptional}
      clearButtonProps={{ 'aria-label': t.none }}
      {...select}
      value={value || null}
      onChange={(chosen) => (chosen || isOptional) && onChange(chosen ?? '')}
      data={tags.map((tag) => ({ value: tag, label: `${languageName(tag, locale)} (${tag})` }))}
    />
  )
}
