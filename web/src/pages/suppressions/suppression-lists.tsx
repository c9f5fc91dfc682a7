// Imported suppression lists: import, replace, edit and remove.
import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconFileImport, IconListCheck, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { SuppressionList } from '../../../../client/paths.ts'
import { ActionMenu, type MenuEntry } from '../../components/action-menu.tsx'
import { RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { useHiddenRows, useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { EditList } from './edit-list.tsx'
import { ImportList } from './import-list.tsx'
import { ListUploads, staleLists, useListUploads } from './list-uploads.tsx'
import { LISTS, SuppressionTabs } from './suppression-tabs.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

const removal = { pathOf: (id: string) => `/api/suppression-lists/${id}`, stale: staleLists }
/** `list` is null for a new list. */
type Open = { dialog: 'import'; list: SuppressionList | null } | { dialog: 'edit'; list: SuppressionList }

export function SuppressionLists() {
  const t = useTexts(suppressionsTexts)
  const lists = usePages<SuppressionList>('/api/suppression-lists')
  const hidden = useHiddenRows()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ dialog: 'import', list: null })}>
      {t.newList}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={add}>
      <SuppressionTabs at={LISTS}>
        <ListUploads />
        <Text c="dimmed">{t.listsAbout}</Text>
        <QueryResult query={lists}>
          {(all) => {
            const rows = all.filter(({ id }) => !hidden.has(id))
            return rows.length === 0 ? (
              <EmptyState icon={<IconFileImport size={28} aria-hidden />} title={t.noLists} text={t.noListsText} />
            ) : (
              <Table rows={rows} open={setOpen} />
            )
          }}
        </QueryResult>
        <LoadMore pages={lists} />
      </SuppressionTabs>
      {open?.dialog === 'import' && <ImportList list={open.list} onClose={close} />}
      {open?.dialog === 'edit' && <EditList list={open.list} onClose={close} />}
    </Page>
  )
}

function Table({ rows, open }: { rows: readonly SuppressionList[]; open: (open: Open) => void }) {
  const t = useTexts(suppressionsTexts)
  const c = useTexts(commonTexts)
  const { locale } = useLanguage()
  const remove = useRemoval()
  const menuOf = (list: SuppressionList): MenuEntry[] => [
    {
      label: t.upload,
      icon: <IconFileImport size={16} aria-hidden />,
      onClick: () => open({ dialog: 'import', list }),
    },
    { label: t.seeNumbers, icon: <IconListCheck size={16} aria-hidden />, href: `${LISTS}/${list.id}` },
    {
      label: c.edit,
      icon: <IconPencil size={16} aria-hidden />,
      onClick: () => open({ dialog: 'edit', list }),
    },
    {
      label: c.remove,
      icon: <IconTrash size={16} aria-hidden />,
      isDangerous: true,
      onClick: () => remove([{ id: list.id, name: list.name }], removal),
    },
  ]
  const columns: Column<SuppressionList>[] = [
    {
      name: t.listName,
      cell: ({ id, name }) => (
        <Anchor component={Link} href={`${LISTS}/${id}`} fw={600} c="var(--mantine-color-text)">
          {name}
        </Anchor>
      ),
    },
    { name: c.status, cell: (list) => <ListState list={list} onUpload={() => open({ dialog: 'import', list })} /> },
    { name: t.numbers, cell: ({ entryCount }) => t.count(entryCount.toLocaleString(locale), entryCount === 1) },
    { name: t.sector, cell: ({ sector }) => sector ?? '–' },
    { name: t.imported, cell: ({ importedAt }) => <RelativeTime at={importedAt} fallback={c.never} /> },
    {
      name: c.actions,
      isEnd: true,
      cell: (list) => <ActionMenu label={`${c.actions}: ${list.name}`} entries={() => menuOf(list)} />,
    },
  ]
  return <RecordTable label={t.listsTab} rows={rows} columns={columns} keyOf={({ id }) => id} />
}

function ListState({
  list: { id, effectiveAt, entryCount },
  onUpload,
}: {
  list: SuppressionList
  onUpload: () => void
}) {
  const t = useTexts(suppressionsTexts)
  const { locale } = useLanguage()
  const { uploads } = useListUploads()
  if (uploads.some(({ target, state }) => target === id && state === 'sending'))
    return <StatusBadge tone="busy" word={t.isSending} />
  if (entryCount === 0)
    return (
      <Stack gap={2} align="flex-start">
        <StatusBadge tone="warn" word={t.isEmpty} />
        <Anchor component="button" type="button" size="sm" onClick={onUpload}>
          {t.upload}
        </Anchor>
      </Stack>
    )
  if (Date.parse(effectiveAt) <= Date.now()) return <StatusBadge tone="good" word={t.holds} />
  const date = new Date(effectiveAt).toLocaleDateString(locale, { dateStyle: 'medium' })
  return <StatusBadge tone="busy" word={t.holdsFrom(date)} />
}
