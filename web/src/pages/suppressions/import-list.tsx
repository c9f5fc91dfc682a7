// Imports a list from a file: a new one, or the numbers of one that exists. Then tells what became of the rows.
import { Button, FileInput, Group, Modal, Select, Stack, Table, Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { SuppressionImport, SuppressionList } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { countries, usualCountry } from '../../components/phone-countries.ts'
import { useStay } from '../../components/stay.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { acceptedFiles, emptyDraft, fileTypeOf, type NewList, newListOf } from './list-draft.ts'
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

/** `list` null: a new one. While the file is sent, the dialog stays: what became of the rows is told here and nowhere else. */
export function ImportList({ list: given, onClose }: { list: SuppressionList | null; onClose: () => void }) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const [list, setList] = useState(given)
  const [result, setResult] = useState<SuppressionImport | null>(null)
  const client = useQueryClient()
  const { isPending, run } = useAction()
  useStay(isPending)
  const send = (target: SuppressionList | NewList, file: File, country: string) =>
    run(
      async () => {
        const made = 'id' in target ? target : await unwrap(api.POST('/api/suppression-lists', { body: target }))
        // A list whose file is refused or cut off stays, and says that it is incomplete: it may be one that the law demands.
        setList(made)
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === stale[0] })
        setResult(await upload(made.id, file, country))
      },
      { stale, verb: 'send' },
    )
  return (
    <Modal
      opened
      onClose={() => !isPending && onClose()}
      closeOnEscape={!isPending}
      closeOnClickOutside={!isPending}
      withCloseButton={!isPending}
      title={result ? t.resultTitle : list ? t.upload : t.newList}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      {result ? <Result result={result} onClose={onClose} /> : <Form {...{ list, onClose, isPending, send }} />}
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
        {isPending && (
          <Text size="sm" role="status">
            {t.sending}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={isPending} onClick={onClose}>
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
