// Imports a list from a file: a new one, or the numbers of one that exists. Then tells what became of the rows.
import { Button, FileInput, Group, Modal, Select, Stack, Table, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { SuppressionImport, SuppressionList } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { countries, usualCountry } from '../../components/phone-countries.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { acceptedFiles, emptyDraft, fileTypeOf, newListOf } from './list-draft.ts'
import { ListFields } from './list-fields.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

const stale = ['/api/suppression-lists', '/api/suppressions']

const upload = (id: string, file: File, defaultCountry: string): Promise<SuppressionImport> =>
  unwrap(
    api.PUT('/api/suppression-lists/{id}/content', {
      params: { path: { id }, query: { defaultCountry } },
      headers: { 'content-type': fileTypeOf(file.name) ?? '' },
      body: file as never,
      bodySerializer: (body: unknown) => body as never,
    }),
  )

/** `list` null: a new one. */
export function ImportList({ list, onClose }: { list: SuppressionList | null; onClose: () => void }) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const [result, setResult] = useState<SuppressionImport | null>(null)
  return (
    <Modal
      opened
      onClose={onClose}
      title={result ? t.resultTitle : list ? t.upload : t.newList}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      {result ? <Result result={result} onClose={onClose} /> : <Form {...{ list, onClose }} onDone={setResult} />}
    </Modal>
  )
}

function Form({
  list,
  onClose,
  onDone,
}: {
  list: SuppressionList | null
  onClose: () => void
  onDone: (result: SuppressionImport) => void
}) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const { language, locale } = useLanguage()
  const { isPending, run } = useAction()
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
    await run(
      async () => {
        const { id } = list ?? (await unwrap(api.POST('/api/suppression-lists', { body: newListOf(draft) })))
        try {
          onDone(await upload(id, file, country))
        } catch (error) {
          // A list whose first file cannot be read is not kept.
          if (!list) await api.DELETE('/api/suppression-lists/{id}', { params: { path: { id } } }).catch(() => {})
          throw error
        }
      },
      { stale },
    )
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        {list ? (
          <Text size="sm">{t.uploadText(list.name)}</Text>
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

function Result({ result, onClose }: { result: SuppressionImport; onClose: () => void }) {
  const t = useTexts(suppressionsTexts)
  const { locale } = useLanguage()
  return (
    <Stack>
      <Text fw={600}>{result.list.name}</Text>
      <Table>
        <Table.Tbody>
          {(['added', 'duplicates', 'rejected'] as const).map((key) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {t.result[key]}
              </Table.Th>
              <Table.Td ta="right" className="numbers">
                {result[key].toLocaleString(locale)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {t.done}
        </Button>
      </Group>
    </Stack>
  )
}
