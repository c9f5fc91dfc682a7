// The spreadsheet list; creates one, empty or from a file.
import { Button, FileButton, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconTable, IconTool, IconUpload } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Spreadsheet } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { accepted } from './sheet-cells.ts'
import { createFromFile, fileProblem } from './sheet-upload.ts'
import { spreadsheetsTexts } from './spreadsheets-texts.ts'

const stale = ['/api/spreadsheets']
const MAX_COLUMNS = 200

export function Spreadsheets() {
  const t = { ...useTexts(commonTexts), ...useTexts(spreadsheetsTexts) }
  const { locale } = useLanguage()
  const sheets = usePages<Spreadsheet>('/api/spreadsheets')
  const [isOpen, { open, close }] = useDisclosure(false)
  const actions = (
    <>
      <Upload />
      <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
        {t.make}
      </Button>
    </>
  )
  const columns: Column<Spreadsheet>[] = [
    { name: t.name, cell: ({ name }) => name },
    {
      name: t.columns,
      cell: ({ columns: names }) => (
        <Text size="sm" c="dimmed" lineClamp={1} maw={460}>
          {names.join(' · ')}
        </Text>
      ),
    },
    {
      name: t.rows,
      cell: ({ rowCount }) => <span className="numbers">{rowCount.toLocaleString(locale)}</span>,
    },
    { name: t.changed, isEnd: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ]
  return (
    <Page title={t.title} about={t.about} actions={sheets.data?.length ? actions : undefined}>
      <QueryResult query={sheets}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconTable size={28} aria-hidden />}
              title={t.emptyTitle}
              text={t.emptyText}
              action={
                <Stack gap="xs" align="center" mt="xs">
                  <Group justify="center" gap="xs">
                    {actions}
                  </Group>
                  <Button
                    variant="subtle"
                    component={Link}
                    href="/tools/new?type=spreadsheet"
                    leftSection={<IconTool size={16} aria-hidden />}
                  >
                    {t.makeTool}
                  </Button>
                </Stack>
              }
            />
          ) : (
            <RecordTable
              label={t.title}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              openAt={({ id }) => `/spreadsheets/${id}`}
            />
          )
        }
      </QueryResult>
      <LoadMore pages={sheets} />
      <Modal opened={isOpen} onClose={close} title={t.make} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
        <NewSheet onCancel={close} />
      </Modal>
    </Page>
  )
}

function Upload() {
  const t = { ...useTexts(commonTexts), ...useTexts(spreadsheetsTexts) }
  const { locale } = useLanguage()
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const send = async (file: File | null) => {
    if (!file) return
    const fault = fileProblem(file, t)
    if (fault) return void notifications.show({ title: t.failed, message: fault, color: 'red', autoClose: 10_000 })
    await run(
      async () => {
        const { id, rowCount } = await createFromFile(file)
        notifications.show({
          message: t.uploaded(t.rowCount(rowCount, rowCount.toLocaleString(locale))),
          color: 'ramal',
        })
        go(`/spreadsheets/${id}`)
      },
      { stale },
    )
  }
  return (
    <FileButton accept={accepted} onChange={(file) => void send(file)}>
      {(props) => (
        <Button {...props} variant="default" loading={isPending} leftSection={<IconUpload size={16} aria-hidden />}>
          {t.upload}
        </Button>
      )}
    </FileButton>
  )
}

function NewSheet({ onCancel }: { onCancel: () => void }) {
  const t = { ...useTexts(commonTexts), ...useTexts(spreadsheetsTexts) }
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const [name, setName] = useState('')
  const [columns, setColumns] = useState<string[]>([])
  const [typing, setTyping] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  /** Includes text not yet confirmed with Enter. */
  const all = [...new Set([...columns, typing.trim()].filter((column) => column !== ''))]

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (name.trim() === '' || all.length === 0) return
    await run(
      async () => {
        const body = { name: name.trim(), columns: all }
        const { id } = await unwrap(api.POST('/api/spreadsheets', { body }))
        go(`/spreadsheets/${id}`)
      },
      { stale },
    )
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <TextInput
          label={t.name}
          placeholder={t.nameExample}
          required
          maxLength={255}
          data-autofocus
          value={name}
          error={isSubmitted && name.trim() === '' ? t.nameNeeded : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TagsInput
          label={t.columns}
          description={t.columnsHint}
          required
          maxTags={MAX_COLUMNS}
          maxLength={255}
          splitChars={[',', ';', '\t', '\n']}
          value={columns}
          onChange={setColumns}
          searchValue={typing}
          onSearchChange={setTyping}
          error={isSubmitted && all.length === 0 ? t.columnsNeeded : undefined}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
