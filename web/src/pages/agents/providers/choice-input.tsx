// The model of a link, from the account's offer; for a voice, the account's voices with the agent's language first.
import { Autocomplete, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Provider as Account } from '../../../../../client/paths.ts'
import { queries } from '../../../api.ts'
import { commonTexts } from '../../../i18n/common-texts.ts'
import { useTexts } from '../../../i18n/language-provider.tsx'
import { voiceOptions } from './chain-choices.ts'
import type { ChainKind } from './chain-draft.ts'
import { hasModel } from './chain-links.ts'
import { chainTexts } from './chain-texts.ts'

type ChoiceInputProps = {
  kind: ChainKind
  /** The voice is selected on the voice tab. */
  isOfVoiceTab: boolean
  account: Account | null
  label: string
  language: string
  value: string
  onChange: (value: string) => void
}

/** The lists come from the vendor, so they are loaded only once the field is used. */
export function ChoiceInput({ kind, isOfVoiceTab, account, ...input }: ChoiceInputProps) {
  if (isOfVoiceTab || !account || account.model === '') return null
  return kind === 'tts' ? (
    <VoiceChoice account={account} {...input} />
  ) : (
    <ModelChoice kind={kind} account={account} {...input} />
  )
}

type Input = Pick<ChoiceInputProps, 'label' | 'language' | 'value' | 'onChange'>
const rarely = { staleTime: 5 * 60_000, retry: false }

function ModelChoice({ kind, account, label, value, onChange }: Input & { kind: 'llm' | 'stt'; account: Account }) {
  const t = useTexts(chainTexts)
  const [isUsed, setUsed] = useState(false)
  const path = { params: { path: { id: account.id } } }
  const listed = queries.useQuery('get', '/api/providers/{id}/models', path, {
    ...rarely,
    enabled: isUsed && account.models === null,
  })
  const models = account.models ?? listed.data?.map(({ id }) => id) ?? []
  return (
    <Autocomplete
      flex="1 1 160px"
      aria-label={label}
      placeholder={account.model || t.ownChoice[kind]}
      maxLength={200}
      limit={100}
      data={[...new Set([account.model, ...models].filter(Boolean))]}
      value={value}
      onFocus={() => setUsed(true)}
      onChange={onChange}
      error={hasModel(account, value) ? undefined : t.noModel}
    />
  )
}

function VoiceChoice({ account, label, language, value, onChange }: Input & { account: Account }) {
  const t = useTexts(chainTexts)
  const c = useTexts(commonTexts)
  const [isUsed, setUsed] = useState(value !== '')
  const path = { params: { path: { id: account.id } } }
  const listed = queries.useQuery('get', '/api/providers/{id}/voices', path, { ...rarely, enabled: isUsed })
  if (listed.error)
    return (
      <TextInput
        flex="1 1 160px"
        aria-label={label}
        placeholder={t.ownChoice.tts}
        maxLength={255}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <Select
      flex="1 1 160px"
      aria-label={label}
      placeholder={t.ownChoice.tts}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `${c.remove}: ${label}` }}
      limit={200}
      data={voiceOptions(listed.data ?? [], language, value)}
      value={value || null}
      onFocus={() => setUsed(true)}
      onChange={(voice) => onChange(voice ?? '')}
    />
  )
}
