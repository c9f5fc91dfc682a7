// Imports a file into a new or existing list. The upload continues across page changes.
import { Button, FileInput, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { SuppressionList } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { countries, usualCountry } from '../../components/phone-countries.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useUnsavedWarning } from '../../unsaved-changes.ts'
import { acceptedFiles, emptyDraft, fileTypeOf, type NewList, newListOf } from './list-draft.ts'
import { ListFields } from './list-fields.tsx'
import { staleLists as stale, useListUploads } from './list-uploads.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

/** `list` is null for a new list. */
export function ImportList({ list, onClose }: { list: SuppressionList | null; onClose: () => void }) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const { send } = useListUploads()
  const { isPending, run } = useAction()
  useUnsavedWarning(isPending)
  const start = (target: SuppressionList | NewList, file: File, country: string) =>
    run(
      async () => {
        const made = 'id' in target ? target : await unwrap(api.POST('/api/suppression-lists', { body: target }))
        void send(made, file, country)
        onClose()
      },
      { stale, verb: 'send' },
    )
  return (
    <Modal opened onClose={onClose} title={list ? t.upload : t.newList} closeButtonProps={{ 'aria-label': c.close }}>
      <Form list={list} onClose={onClose} isPending={isPending} send={start} />
    </Modal>
  )
}

function Form({
  list,
  onClose,
  isPending,
  send,
}: {
  list: SuppressionList | null
  onClose: () => void
  isPending: boolean
  send: (target: SuppressionList | NewList, file: File, country: string) => Promise<unknown>
}) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const { language, locale } = useLanguage()
  const [draft, setDraft] = useState(emptyDraft)
  const [file, setFile] = useState<File | null>(null)
  const [country, setCountry] = useState(() => usualCountry(language, navigator.languages).id)
  const [isSubmitted, setSubmitted] = useState(false)
  const isFile = file !== null && fileTypeOf(file.name) !== undefined
  const names = new Intl.DisplayNames([locale], { type: 'region' })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (!file || !isFile || (!list && draft.name.trim() === '')) return
    await send(list ?? newListOf(draft), file, country)
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        {list ? (
          <Text size="sm">{list.version > 0 ? t.uploadText(list.name) : t.uploadFirst(list.name)}</Text>
        ) : (
          <ListFields draft={draft} change={setDraft} isSubmitted={isSubmitted} />
        )}
        <FileInput
          label={t.file}
          description={t.fileHint}
          placeholder={t.chooseFile}
          accept={acceptedFiles}
          required
          leftSection={<IconFileImport size={16} aria-hidden />}
          value={file}
          onChange={setFile}
          error={isSubmitted && !isFile ? t.fileNeeded : undefined}
        />
        <Select
          label={t.country}
          searchable
          allowDeselect={false}
          data={countries
            .map(({ id }) => ({ value: id, label: names.of(id) ?? id }))
            .sort((a, b) => a.label.localeCompare(b.label, locale))}
          value={country}
          onChange={(id) => setCountry(id ?? country)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {c.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {t.import}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
