// The spreadsheet page: rows, file actions and usage.
import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconRefresh, IconSearch, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Spreadsheet as SheetRecord, SheetRow } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { UsageSection } from '../../components/usage-section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange } from '../../organization.ts'
import { RowDrawer } from './row-drawer.tsx'
import { SheetActions } from './sheet-actions.tsx'
import { SheetGrid } from './sheet-grid.tsx'
import { spreadsheetsTexts } from './spreadsheets-texts.ts'
import { useSheetRows } from './use-sheet-rows.ts'

/** Polling interval, for changes that agents make. */
const LOOK_MS = 15_000
const PAUSE_MS = 300

export function Spreadsheet() {
  const { id = '' } = useParams()
  const t = useTexts(spreadsheetsTexts)
  const sheet = queries.useQuery(
    'get',
    '/api/spreadsheets/{id}',
    { params: { path: { id } } },
    { refetchInterval: LOOK_MS, retry: false },
  )
  if (sheet.data) return <LoadedSheet key={id} sheet={sheet.data} refresh={sheet.refetch} />
  return (
    <Page title={t.title} back={{ to: '/spreadsheets', name: t.title }}>
      <QueryResult query={sheet}>{() => null}</QueryResult>
    </Page>
  )
}

type Open = SheetRow | 'new' | null

function LoadedSheet({
  sheet,
  refresh,
}: {
  sheet: SheetRecord
  refresh: () => Promise<{ data?: SheetRecord | undefined }>
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(spreadsheetsTexts) }
  const { locale } = useLanguage()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const rows = useSheetRows(sheet.id, q)
  const [open, setOpen] = useState<Open>(null)
  // Version of the rows on screen: a later `updatedAt` means someone else changed them.
  const [readAt, setReadAt] = useState(sheet.updatedAt)
  const tools = queries.useQuery('get', '/api/spreadsheets/{id}/tools', { params: { path: { id: sheet.id } } })
  const isOld = sheet.updatedAt !== readAt

  /** Runs after the user's own change. */
  const follow = async () => {
    const { data } = await refresh()
    if (data) setReadAt(data.updatedAt)
  }
  const reload = async () => {
    await follow()
    await rows.refetch()
  }

  const mayChange = useMayChange()
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
          {t.changed.toLocaleLowerCase(locale)} <RelativeTime at={sheet.updatedAt} />
        </Text>
      }
      isForAll
      actions={
        <>
          <SheetActions sheet={sheet} tools={tools.data} onReplaced={() => void reload()} />
          {mayChange && add}
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
                    onClick={() => void reload()}
                  >
                    {t.refresh}
                  </Button>
                </>
              )}
            </Group>
          </Group>
        )}
        <QueryResult query={{ data: rows.rows, error: rows.error, refetch: rows.refetch }}>
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
              <EmptyState icon={<IconTable size={28} aria-hidden />} title={t.noRows} text={t.noRowsText} />
            ) : (
              <Paper withBorder p="xl">
                <Text c="dimmed" ta="center">
                  {t.nothing}
                </Text>
              </Paper>
            )
          }
        </QueryResult>
      </Stack>
      <UsageSection
        tools={tools.data}
        title={t.use}
        about={t.useAbout}
        notUsed={t.notUsed}
        giveHint={t.giveHint}
        success={t.given}
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
