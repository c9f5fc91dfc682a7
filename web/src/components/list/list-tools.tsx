// The toolbar above a list's table: selection with its bulk actions, columns, export.
import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Text, Tooltip } from '@mantine/core'
import { IconColumns3, IconDownload, IconX } from '@tabler/icons-react'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMay } from '../../organization.ts'
import type { useColumnChoice } from './columns-choice.ts'
import styles from './list.module.css'
import { listTexts } from './list-texts.ts'
import type { BulkAction, ListView, Rows } from './list-types.ts'
import { useExport } from './use-export.ts'

type Props<T> = {
  view: ListView<T>
  source: Rows<T>
  /** The selected rows among those shown. */
  selected: readonly T[]
  unselect: () => void
  choice: ReturnType<typeof useColumnChoice>
  count: string
}

export function ListTools<T>(props: Props<T>) {
  const { view, source, selected, unselect, choice, count } = props
  const t = useTexts(listTexts)
  // Exports all columns: readers of the file do not have the page at hand.
  const exporting = useExport(view.name, view.columns)
  const download = () =>
    void exporting.start(
      selected.length === 0
        ? source.all
        : async function* () {
            yield selected
          },
    )
  return (
    <div className={styles.tools}>
      {selected.length === 0 ? (
        <Text size="sm" c="dimmed" role="status" className={styles.spread}>
          {count}
        </Text>
      ) : (
        <Selection selected={selected} unselect={unselect} bulk={view.bulk ?? []} />
      )}
      {useMay('exports:read') && (
        <Tooltip label={t.export}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t.export}
            loading={exporting.isExporting}
            onClick={download}
          >
            <IconDownload size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <ColumnMenu view={view} choice={choice} />
    </div>
  )
}

function Selection<T>({
  selected,
  unselect,
  bulk,
}: {
  selected: readonly T[]
  unselect: () => void
  bulk: readonly BulkAction<T>[]
}) {
  const t = useTexts(listTexts)
  return (
    <Group gap={6} className={styles.spread} wrap="nowrap" style={{ overflowX: 'auto' }} role="group">
      <Text size="sm" fw={600} role="status" style={{ whiteSpace: 'nowrap' }}>
        {t.selected(selected.length)}
      </Text>
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={t.unselect} onClick={unselect}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
      {bulk.map(({ label, icon, isDangerous, run }) => (
        <Button
          key={label}
          size="xs"
          variant={isDangerous ? 'light' : 'default'}
          {...(isDangerous ? { color: 'red' } : {})}
          leftSection={icon}
          style={{ flexShrink: 0 }}
          onClick={() => {
            void run(selected)
            // Rows restored by undo do not come back selected.
            if (isDangerous) unselect()
          }}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}

function ColumnMenu<T>({ view, choice }: { view: ListView<T>; choice: Props<T>['choice'] }) {
  const t = useTexts(listTexts)
  // The first column identifies the row, so it cannot be hidden.
  const [, ...others] = view.columns
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Tooltip label={t.columns}>
          <ActionIcon variant="default" size={32} aria-label={t.columns} visibleFrom="sm">
            <IconColumns3 size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {others.map((column) => (
            <Checkbox
              key={column.key}
              label={column.name}
              checked={choice.isShown(column)}
              onChange={(event) => choice.show(column.key, event.currentTarget.checked)}
            />
          ))}
          <Button size="compact-xs" variant="subtle" disabled={!choice.isChosen} onClick={choice.reset}>
            {t.reset}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** "1,234 calls", or "60 of 1,234 calls". */
export function useCount(nouns?: (n: string, isOne: boolean) => string) {
  const t = useTexts(listTexts)
  const { locale } = useLanguage()
  return (n: number, hasMore: boolean, total?: { count: number; hasMore: boolean }) => {
    const number = n.toLocaleString(locale)
    const words = (shown: string, isOne: boolean) => nouns?.(shown, isOne) ?? shown
    if (!hasMore) return words(number, n === 1)
    if (!total || total.count < n) return t.more(words(number, n === 1))
    return t.of(number, words(`${total.count.toLocaleString(locale)}${total.hasMore ? '+' : ''}`, false))
  }
}
