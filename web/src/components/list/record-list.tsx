// A list of records: search, filters, sorting and columns; selection with bulk actions; export. Rows with a pending
// removal are hidden.
import { Button } from '@mantine/core'
import { IconZoomQuestion } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange, useMayRemove } from '../../organization.ts'
import { EmptyState, QueryResult } from '../query-states.tsx'
import { useHiddenRows } from '../use-removal.tsx'
import { useColumnChoice } from './columns-choice.ts'
import { FilterBar, type FilterInput } from './filter-bar.tsx'
import { isNarrowed } from './list-address.ts'
import { ListTable } from './list-table.tsx'
import { listTexts } from './list-texts.ts'
import { ListTools, useCount } from './list-tools.tsx'
import type { ListView, Rows } from './list-types.ts'
import type { UsedAddress } from './use-list-address.ts'

const NONE: ReadonlySet<string> = new Set()

export function RecordList<T extends { id: string }>({
  view: whole,
  used,
  source,
  searchLabel,
  inputs = [],
  nouns,
  total,
  empty,
}: {
  /** Must be memoized. */
  view: ListView<T>
  used: UsedAddress
  source: Rows<T>
  searchLabel: string
  inputs?: readonly FilterInput[]
  /** For example "12 calls". */
  nouns?: (n: string, isOne: boolean) => string
  /** Number of all rows that match the filters. */
  total?: { count: number; hasMore: boolean } | undefined
  /** Shown when there are no records at all. */
  empty: ReactNode
}) {
  const t = useTexts(listTexts)
  const view = usePermittedView(whole)
  const countText = useCount(nouns)
  const hidden = useHiddenRows()
  const choice = useColumnChoice(view.name)
  const [selected, setSelected] = useState(NONE)
  const { rows: read } = source
  const rows = useMemo(() => (hidden.size === 0 ? read : read?.filter(({ id }) => !hidden.has(id))), [read, hidden])
  // Rows that a filter hides are no longer selected.
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : (rows ?? []).filter(({ id }) => selected.has(id))),
    [rows, selected],
  )
  const columns = view.columns.filter((column, i) => i === 0 || choice.isShown(column))
  const hasFilter = isNarrowed(used.address)
  if (rows?.length === 0 && !hasFilter && !source.hasMore && !source.isStale && !source.error) return empty
  const shown = { data: rows, error: source.error, refetch: source.refetch }
  return (
    <>
      <FilterBar used={used} label={view.label} searchLabel={searchLabel} inputs={inputs} />
      <QueryResult query={shown}>
        {(all) =>
          all.length === 0 && !source.hasMore ? (
            <EmptyState
              icon={<IconZoomQuestion size={28} aria-hidden />}
              title={t.notFound}
              text={t.notFoundText}
              isForAll
              action={
                hasFilter && (
                  <Button variant="default" onClick={used.clear}>
                    {t.clear}
                  </Button>
                )
              }
            />
          ) : (
            <div>
              <ListTools
                view={view}
                source={source}
                choice={choice}
                selected={chosen}
                unselect={() => setSelected(NONE)}
                count={countText(all.length, source.hasMore, total)}
              />
              <div style={{ height: 8 }} />
              <ListTable
                view={view}
                columns={columns}
                rows={all}
                idOf={idOf}
                sort={used.address.sort}
                onSort={(sort) => used.change({ sort })}
                selected={selected}
                select={setSelected}
                hasMore={source.hasMore}
                more={source.more}
                isStale={source.isStale}
              />
            </div>
          )
        }
      </QueryResult>
    </>
  )
}

/** Without what the member may not do to the rows. */
function usePermittedView<T>(view: ListView<T>): ListView<T> {
  const mayChange = useMayChange()
  const mayRemove = useMayRemove()
  return useMemo(() => {
    const { menu, bulk = [], ...rest } = view
    if (!mayChange) return rest
    return { ...view, bulk: bulk.filter(({ isDangerous }) => mayRemove || !isDangerous) }
  }, [view, mayChange, mayRemove])
}

const idOf = ({ id }: { id: string }) => id
