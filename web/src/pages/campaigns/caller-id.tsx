// The caller ID: one of the user's numbers, or another one typed in.
import { Autocomplete } from '@mantine/core'
import { useState } from 'react'
import { queries } from '../../api.ts'
import { countries, fullNumber } from '../../components/phone-countries.ts'
import { formatNumber, normalizeNumber } from '../../components/phone-number.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { StepProps } from './agent-step.tsx'
import { wizardTexts } from './wizard-texts.ts'

export function CallerId({ form, set, problems, isLocked }: StepProps) {
  const t = useTexts(wizardTexts)
  const dids = queries.useQuery('get', '/api/did')
  const [typed, setTyped] = useState(form.callerId && formatNumber(form.callerId))
  const isDevice = form.route === 'device'
  const type = (text: string) => {
    setTyped(text)
    const country = countries.find(({ id }) => id === form.defaultCountry)
    const number = text.trim() === '' ? '' : normalizeNumber(text)
    set({ callerId: (country && fullNumber(text, country)) ?? number })
  }
  return (
    <Autocomplete
      label={t.callerId}
      inputMode="tel"
      autoComplete="off"
      disabled={isLocked || isDevice}
      description={isDevice ? t.deviceNumber : t.callerIdHint}
      data={[...new Set((dids.data ?? []).map(({ phoneNumber }) => formatNumber(phoneNumber)))]}
      value={isDevice ? '' : typed}
      onChange={type}
      error={problems.includes('callerId') ? t.callerIdWrong : undefined}
    />
  )
}
