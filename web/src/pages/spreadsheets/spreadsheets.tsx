// All spreadsheets; a new one, empty or from a file.
import { Button, FileButton, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconTable, IconTool, IconUpload } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Spreadsheet } from '../../../../client/paths.ts'
import { api, done } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useLanguage, useWords } from '../../i18n/words.tsx'
import { useAction } from '../../parts/doing.tsx'
import { Page } from '../../parts/page.tsx'
import { More, usePaged } from '../../parts/paged.tsx'
import { type Column, RecordTable } from '../../parts/record-table.tsx'
import { Empty, Reading } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { accepted } from './sheet-cells.ts'
import { fileFault, sheetOfFile } from './sheet-files.ts'
import { spreadsheetsWords } from './spreadsheets-words.ts'

const stale = ['/api/spreadsheets']
const MAX_COLUMNS = 200

export function Spreadsheets() {
  const t = { ...useWords(common), ...useWords(spreadsheetsWords) }
  const { locale } = useLanguage()
  const sheets = usePaged<Spreadsheet>('/api/spreadsheets')
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
    { name: t.changed, isEnd: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
  ]
  return (
    <Page title={t.title} about={t.about} actions={sheets.data?.length ? actions : undefined}>
      <Reading of={sheets}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
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
      </Reading>
      <More of={sheets} />
      <Modal opened={isOpen} onClose={close} title={t.make} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
        <NewSheet onCancel={close} />
      </Modal>
    </Page>
  )
}

function Upload() {
  const t = { ...useWords(common), ...useWords(spreadsheetsWords) }
  const { locale } = useLanguage()
  const [, go] = useLocation()
  const { isDoing, run } = useAction()
  const send = async (file: File | null) => {
    if (!file) return
    const fault = fileFault(file, t)
    if (fault) return void notifications.show({ title: t.failed, message: fault, color: 'red', autoClose: 10_000 })
    await run(
      async () => {
        const { id, rowCount } = await sheetOfFile(file)
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
        <Button {...props} variant="default" loading={isDoing} leftSection={<IconUpload size={16} aria-hidden />}>
          {t.upload}
        </Button>
      )}
    </FileButton>
  )
}

function NewSheet({ onCancel }: { onCancel: () => void }) {
  const t = { ...useWords(common), ...useWords(spreadsheetsWords) }
  const [, go] = useLocation()
  const { isDoing, run } = useAction()
  const [name, setName] = useState('')
  const [columns, setColumns] = useState<string[]>([])
  const [typing, setTyping] = useState('')
  const [isTried, setTried] = useState(false)
  /** What was typed and not closed by Enter counts too. */
  const all = [...new Set([...columns, typing.trim()].filter((column) => column !== ''))]

  async function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '' || all.length === 0) return
    await run(
      async () => {
        const body = { name: name.trim(), columns: all }
        const { id } = await done(api.POST('/api/spreadsheets', { body }))
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
          error={isTried && name.trim() === '' ? t.nameNeeded : undefined}
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
          error={isTried && all.length === 0 ? t.columnsNeeded : undefined}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={isDoing}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
