// The list of spreadsheets; creates one, empty or from a file.
import { Button, FileButton, Group, Modal, Stack, TagsInput, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus, IconTable, IconTool, IconUpload } from '@tabler/icons-react'
import { type FormEvent, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Spreadsheet } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { dim, ShortTime } from '../../components/list/list-cells.tsx'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useLocalRows } from '../../components/list/use-local-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/query-states.tsx'
import { useStay } from '../../components/stay.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { accepted } from './sheet-cells.ts'
import { createFromFile, fileProblem } from './sheet-upload.ts'
import { spreadsheetsTexts } from './spreadsheets-texts.ts'

const stale = ['/api/spreadsheets']
const MAX_COLUMNS = 200

const noFields = [] as const
const sorts = ['name', 'rowCount', 'updatedAt']
const rules = {
  textsOf: ({ name, columns }: Spreadsheet) => [name, ...columns],
  valueOf: (sheet: Spreadsheet, key: string) => sheet[key as 'name'],
}

export function Spreadsheets() {
  const t = { ...useTexts(commonTexts), ...useTexts(spreadsheetsTexts) }
  const { locale } = useLanguage()
  const sheets = queries.useQuery('get', '/api/spreadsheets')
  const [isOpen, { open, close }] = useDisclosure(false)
  const actions = (
    <>
      <Upload />
      <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
        {t.make}
      </Button>
    </>
  )
  const nameOf = ({ name }: Spreadsheet) => name
  const used = useListAddress(noFields, sorts)
  const source = useLocalRows(sheets, used.address, rules)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change with the language
  const view = useMemo(
    (): ListView<Spreadsheet> => ({
      name: 'spreadsheets',
      label: t.title,
      nameOf,
      openAt: ({ id }) => `/spreadsheets/${id}`,
      columns: [
        {
          key: 'name',
          name: t.name,
          width: 'minmax(0, 1.2fr)',
          cell: nameOf,
          csv: nameOf,
          sort: { by: 'name', first: 'asc' },
        },
        {
          key: 'columns',
          name: t.columns,
          width: 'minmax(0, 2fr)',
          cell: ({ columns: names }) => dim(names.join(' · ')),
          csv: ({ columns: names }) => names.join(', '),
        },
        {
          key: 'rows',
          name: t.rows,
          width: '7rem',
          isEnd: true,
          cell: ({ rowCount }) => dim(rowCount.toLocaleString(locale)),
          csv: ({ rowCount }) => rowCount,
          sort: { by: 'rowCount', first: 'desc' },
        },
        {
          key: 'changed',
          name: t.changed,
          width: 'minmax(0, 1fr)',
          isEnd: true,
          isTime: true,
          cell: ({ updatedAt }) => <ShortTime at={updatedAt} />,
          csv: ({ updatedAt }) => new Date(updatedAt),
          sort: { by: 'updatedAt', first: 'desc' },
        },
      ],
      card: ({ name, rowCount, columns: names, updatedAt }) => ({
        title: name,
        aside: t.rowCount(rowCount, rowCount.toLocaleString(locale)),
        line: names.join(' · '),
        end: <ShortTime at={updatedAt} />,
      }),
    }),
    [locale],
  )
  return (
    <Page title={t.title} about={t.about} actions={sheets.data?.length ? actions : undefined}>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.search}
        nouns={t.sheetCount}
        empty={
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
        }
      />
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
  useStay(isPending)
  const send = async (file: File | null) => {
    if (!file) return
    const fault = fileProblem(file, t)
    if (fault)
      return void notifications.show({ title: t.couldNot.send, message: fault, color: 'red', autoClose: 10_000 })
    await run(
      async () => {
        const { id, rowCount } = await createFromFile(file)
        notifications.show({
          message: t.uploaded(t.rowCount(rowCount, rowCount.toLocaleString(locale))),
          color: 'ramal',
        })
        go(`/spreadsheets/${id}`)
      },
      { stale, verb: 'send' },
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
  /** Includes a name that the user typed but did not confirm with Enter. */
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
