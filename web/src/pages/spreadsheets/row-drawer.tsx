// A drawer that edits one row.
import { Button, Drawer, Group, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import type { SheetRow, Spreadsheet } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useUnsavedWarning } from '../../unsaved-changes.ts'
import { changesOf, draftOf } from './sheet-cells.ts'
import { spreadsheetsTexts } from './spreadsheets-texts.ts'
import type { SheetRows } from './use-sheet-rows.ts'

const MAX_CELL = 5000

export function RowDrawer({
  sheet,
  row,
  rows,
  onChanged,
  onClose,
}: {
  sheet: Spreadsheet
  /** Null for a new row. */
  row: SheetRow | null
  rows: Pick<SheetRows, 'put' | 'drop' | 'add'>
  onChanged: () => Promise<unknown>
  onClose: () => void
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(spreadsheetsTexts) }
  const { locale } = useLanguage()
  const { isPending, run } = useAction()
  const [draft, setDraft] = useState(() => draftOf(sheet.columns, row?.values ?? null))
  const [isSubmitted, setSubmitted] = useState(false)
  const changes = changesOf(sheet.columns, row?.values ?? null, draft)
  const isDirty = Object.keys(changes).length > 0
  const isEmpty = row === null && !isDirty
  useUnsavedWarning(isDirty)

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    setSubmitted(true)
    if (isEmpty) return
    if (!isDirty) return onClose()
    const body = { values: changes }
    const isDone = await run(
      async () => {
        if (row) {
          const params = { path: { id: sheet.id, rowId: row.id } }
          rows.put(await unwrap(api.PATCH('/api/spreadsheets/{id}/rows/{rowId}', { params, body })))
        } else {
          const params = { path: { id: sheet.id } }
          rows.add(await unwrap(api.POST('/api/spreadsheets/{id}/rows', { params, body })))
        }
        await onChanged()
      },
      { success: row ? t.savedRow : t.addedRow, stale: ['/api/spreadsheets'] },
    )
    if (isDone) onClose()
  }
  const remove = async ({ id: rowId }: SheetRow) => {
    const params = { path: { id: sheet.id, rowId } }
    const isDone = await run(
      async () => {
        await unwrap(api.DELETE('/api/spreadsheets/{id}/rows/{rowId}', { params }))
        rows.drop(rowId)
        await onChanged()
      },
      { success: t.removedRow, stale: ['/api/spreadsheets'] },
    )
    if (isDone) onClose()
  }
  /** Enter inserts a line break; Ctrl or Command with Enter saves. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="md"
      title={row ? t.editRow(row.number) : t.addRow}
      closeOnClickOutside={!isDirty}
      closeOnEscape={!isDirty}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <form onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown} noValidate>
        <Stack gap="md" pb="md">
          {sheet.columns.map((name, i) => (
            <Textarea
              key={name}
              label={name}
              autosize
              minRows={1}
              maxRows={10}
              maxLength={MAX_CELL}
              {...(i === 0 ? { 'data-autofocus': true } : {})}
              value={draft[name] ?? ''}
              error={isSubmitted && isEmpty && i === 0 ? t.notEmpty : undefined}
              onChange={({ currentTarget: { value } }) => setDraft((now) => ({ ...now, [name]: value }))}
            />
          ))}
          {row && (
            <Text size="xs" c="dimmed">
              {t.changed}: <RelativeTime at={row.updatedAt} /> ({new Date(row.updatedAt).toLocaleString(locale)})
            </Text>
          )}
        </Stack>
        <Group
          justify="space-between"
          py="md"
          pos="sticky"
          bottom={0}
          bg="var(--mantine-color-body)"
          style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
        >
          {row ? (
            <ConfirmButton
              variant="subtle"
              question={t.removeRowQuestion(row.number)}
              confirm={t.removeRow}
              onConfirm={() => remove(row)}
            >
              {t.removeRow}
            </ConfirmButton>
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={isPending} disabled={row !== null && !isDirty}>
              {t.save}
            </Button>
          </Group>
        </Group>
      </form>
    </Drawer>
  )
}
