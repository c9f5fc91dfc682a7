// One spreadsheet: its rows as a table, a row to be written, its files, and who uses it.
import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconRefresh, IconSearch, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Spreadsheet as SheetRecord, SheetRow } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useLanguage, useWords } from '../../i18n/words.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Reading } from '../../parts/states.tsx'
import { UseOfThing } from '../../parts/use-of-thing.tsx'
import { When } from '../../parts/when.tsx'
import { RowDrawer } from './row-drawer.tsx'
import { SheetActions } from './sheet-actions.tsx'
import { SheetGrid } from './sheet-grid.tsx'
import { spreadsheetsWords } from './spreadsheets-words.ts'
import { useSheetRows } from './use-sheet-rows.ts'

/** So often it is asked whether an agent has written into it meanwhile. */
const LOOK_MS = 15_000
const PAUSE_MS = 300

export function Spreadsheet() {
  const { id = '' } = useParams()
  const t = useWords(spreadsheetsWords)
  const sheet = queries.useQuery(
    'get',
    '/api/spreadsheets/{id}',
    { params: { path: { id } } },
    { refetchInterval: LOOK_MS, retry: false },
  )
  if (sheet.data) return <KnownSheet key={id} sheet={sheet.data} refresh={sheet.refetch} />
  return (
    <Page title={t.title} back={{ to: '/spreadsheets', name: t.title }}>
      <Reading of={sheet}>{() => null}</Reading>
    </Page>
  )
}

type Open = SheetRow | 'new' | null

function KnownSheet({
  sheet,
  refresh,
}: {
  sheet: SheetRecord
  refresh: () => Promise<{ data?: SheetRecord | undefined }>
}) {
  const t = { ...useWords(common), ...useWords(spreadsheetsWords) }
  const { locale } = useLanguage()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const rows = useSheetRows(sheet.id, q)
  const [open, setOpen] = useState<Open>(null)
  // The moment of which the rows on the screen are: a later one means that somebody else has written.
  const [readAt, setReadAt] = useState(sheet.updatedAt)
  const tools = queries.useQuery('get', '/api/spreadsheets/{id}/tools', { params: { path: { id: sheet.id } } })
  const isOld = sheet.updatedAt !== readAt

  /** After a change of our own. */
  const follow = async () => {
    const { data } = await refresh()
    if (data) setReadAt(data.updatedAt)
  }
  const readAnew = async () => {
    await follow()
    await rows.refetch()
  }

  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
      {t.addRow}
    </Button>
  )
  return (
    <Page
      title={sheet.name}
      back={{ to: '/spreadsheets', name: t.title }}
      about={
        <Text size="sm" component="div">
          {t.rowCount(sheet.rowCount, sheet.rowCount.toLocaleString(locale))} · {t.columnCount(sheet.columns.length)} ·{' '}
          {t.changed.toLocaleLowerCase(locale)} <When at={sheet.updatedAt} />
        </Text>
      }
      actions={
        <>
          <SheetActions sheet={sheet} tools={tools.data} onReplaced={() => void readAnew()} />
          {add}
        </>
      }
    >
      <Stack gap="sm">
        {(sheet.rowCount > 0 || q !== '') && (
          <Group gap="sm" justify="space-between">
            <TextInput
              aria-label={t.searchRows}
              placeholder={t.searchRows}
              type="search"
              flex="0 1 360px"
              maxLength={255}
              leftSection={<IconSearch size={16} aria-hidden />}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Group gap="sm" role="status">
              {q !== '' && rows.rows && (
                <Text size="sm" c="dimmed">
                  {rows.rows.length === 0 ? t.nothing : t.found(rows.rows.length, rows.hasMore)}
                </Text>
              )}
              {isOld && (
                <>
                  <Text size="sm">{t.hasChanged}</Text>
                  <Button
                    size="xs"
                    variant="default"
                    loading={rows.isReading}
                    leftSection={<IconRefresh size={14} aria-hidden />}
                    onClick={() => void readAnew()}
                  >
                    {t.refresh}
                  </Button>
                </>
              )}
            </Group>
          </Group>
        )}
        <Reading of={{ data: rows.rows, error: rows.error, refetch: rows.refetch }}>
          {(all) =>
            all.length > 0 ? (
              <SheetGrid
                key={q}
                label={sheet.name}
                columns={sheet.columns}
                rows={all}
                hasMore={rows.hasMore}
                more={rows.more}
                onOpen={setOpen}
              />
            ) : q === '' ? (
              <Empty icon={<IconTable size={28} aria-hidden />} title={t.noRows} text={t.noRowsText} />
            ) : (
              <Paper withBorder p="xl">
                <Text c="dimmed" ta="center">
                  {t.nothing}
                </Text>
              </Paper>
            )
          }
        </Reading>
      </Stack>
      <UseOfThing
        tools={tools.data}
        title={t.use}
        about={t.useAbout}
        notUsed={t.notUsed}
        giveHint={t.giveHint}
        given={t.given}
        newTool={{
          name: t.toolName(sheet.name),
          description: t.toolDescription(sheet.name),
          type: 'spreadsheet',
          config: { spreadsheetId: sheet.id },
        }}
        stale={['/api/spreadsheets/{id}/tools']}
      />
      {open !== null && (
        <RowDrawer
          key={open === 'new' ? 'new' : open.id}
          sheet={sheet}
          row={open === 'new' ? null : open}
          rows={rows}
          onChanged={follow}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}
