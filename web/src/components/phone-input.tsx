// A phone number input: national format with a country select, or international format with + and country code.
import { Group, Select, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { type Country, countries, fullNumber, usualCountry } from './phone-countries.ts'
import { formatNumber } from './phone-number.ts'
import { phoneTexts } from './phone-texts.ts'

export type TypedPhone = {
  typed: string
  setTyped: (typed: string) => void
  country: Country
  setCountry: (country: Country) => void
  /** In E.164; null while incomplete. */
  number: string | null
}

export function useTypedPhone(initial = ''): TypedPhone {
  const { language } = useLanguage()
  const [typed, setTyped] = useState(initial)
  const [country, setCountry] = useState(() => usualCountry(language, navigator.languages))
  return { typed, setTyped, country, setCountry, number: fullNumber(typed, country) }
}

export function PhoneInput({
  phone,
  label,
  isWrong = false,
  isRequired = false,
  hasFocus = false,
}: {
  phone: TypedPhone
  label: string
  /** Shows an error if the number is invalid. */
  isWrong?: boolean
  isRequired?: boolean
  hasFocus?: boolean
}) {
  const t = useTexts(phoneTexts)
  const { locale } = useLanguage()
  const { typed, setTyped, country, setCountry, number } = phone
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames([locale], { type: 'region' })
    return countries
      .map(({ id, code }) => ({ value: id, label: `${names.of(id) ?? id} (+${code})` }))
      .sort((a, b) => a.label.localeCompare(b.label, locale))
  }, [locale])
  const isForeign = typed.trim().startsWith('+') || typed.trim().startsWith('00')
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <Select
        label={t.country}
        w={150}
        searchable
        allowDeselect={false}
        disabled={isForeign}
        data={choices}
        value={country.id}
        onChange={(id) => setCountry(countries.find((one) => one.id === id) ?? country)}
      />
      <TextInput
        flex={1}
        label={label}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        required={isRequired}
        {...(hasFocus ? { 'data-autofocus': true } : {})}
        placeholder={country.example}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        // Always takes one line, so the form does not jump while typing.
        description={number ? formatNumber(number) : t.hint(country.example)}
        descriptionProps={{ 'aria-live': 'polite', className: 'numbers' }}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={isWrong && !number ? t.wrong : undefined}
      />
    </Group>
  )
}
