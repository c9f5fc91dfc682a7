// The fields of an imported list, for importing and editing it.
import { Group, TextInput } from '@mantine/core'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { ListDraft } from './list-draft.ts'
import { suppressionsTexts } from './suppressions-texts.ts'

export function ListFields({
  draft,
  change,
  isSubmitted,
}: {
  draft: ListDraft
  change: (draft: ListDraft) => void
  isSubmitted: boolean
}) {
  const t = useTexts(suppressionsTexts)
  return (
    <>
      <TextInput
        label={t.listName}
        placeholder={t.listNamePlaceholder}
        required
        maxLength={100}
        data-autofocus
        value={draft.name}
        error={isSubmitted && draft.name.trim() === '' ? t.nameNeeded : undefined}
        onChange={({ currentTarget: { value } }) => change({ ...draft, name: value })}
      />
      <TextInput
        label={t.sector}
        description={t.sectorHint}
        placeholder={t.sectorPlaceholder}
        maxLength={64}
        value={draft.sector}
        onChange={({ currentTarget: { value } }) => change({ ...draft, sector: value })}
      />
      <Group>
        <TextInput
          type="date"
          label={t.effective}
          description={t.effectiveHint}
          value={draft.effectiveDay}
          onChange={({ currentTarget: { value } }) => change({ ...draft, effectiveDay: value })}
        />
      </Group>
    </>
  )
}
