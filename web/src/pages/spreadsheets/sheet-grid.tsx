// The virtualized spreadsheet grid: only visible cells are in the DOM.
// biome-ignore-all lint/a11y/useSemanticElements: a table of elements cannot leave out rows; this one tells their numbers
import { Paper, Skeleton } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import type { SheetRow } from '../../../../client/paths.ts'
import { rowAfterKey } from '../../components/list/merge-first-page.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type ColumnLayout, cellText, columnLayouts, fitWidths } from './sheet-cells.ts'
import styles from './sheet-grid.module.css'
import { spreadsheetsTexts } from './spreadsheets-texts.ts'

const ROW = 40
const NUMBER = 64
/** Fetch the next page this many rows before the end. */
const AHEAD = 250
const WAITING = 8

type ColumnPosition = { index: number; start: number; size: number }

export function SheetGrid({
  label,
  columns,
  rows,
  hasMore,
  more,
  onOpen,
}: {
  label: string
  columns: readonly string[]
  rows: readonly SheetRow[]
  hasMore: boolean
  more: () => void
  onOpen: (row: SheetRow) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | null>(null)
  // Computed from the first rows only, so that widths stay stable while scrolling.
  const isRead = rows.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const looks = useMemo(() => columnLayouts(columns, rows), [columns, isRead])
  const { ref: sized, width: boxWidth } = useElementSize<HTMLDivElement>()
  const widths = useMemo(() => fitWidths(looks, boxWidth - NUMBER), [looks, boxWidth])
  const down = useVirtualizer({
    count: rows.length + (hasMore ? WAITING : 0),
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 10,
    scrollPaddingStart: ROW,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => box.current,
    estimateSize: (i) => widths[i] ?? 0,
    paddingStart: NUMBER,
    overscan: 4,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are of another width now
  useEffect(() => across.measure(), [widths])
  const items = down.getVirtualItems()
  const places = across.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each row that is reached
  useEffect(() => {
    if (hasMore && last > rows.length - AHEAD) more()
  }, [hasMore, last, rows.length])

  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ id }) => id === active)
    const row = rows[at]
    if (event.key === 'Enter' && row) {
      event.preventDefault()
      return onOpen(row)
    }
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / ROW) - 2)
    const to = rowAfterKey(event.key, at, rows.length, page)
    if (to === null) return
    event.preventDefault()
    setActive(rows[to]?.id ?? null)
    down.scrollToIndex(to)
  }
  const isActiveSeen = active !== null && items.some(({ index }) => rows[index]?.id === active)
  const width = across.getTotalSize()
  // Return the same array while the same columns are visible, so that memoized rows do not re-render.
  const seen = places.map(({ index, start, size }) => ({ index, start, size }))
  const key = `${seen[0]?.index}-${seen.at(-1)?.index}-${width}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says it all
  const shown = useMemo(() => seen, [key])
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <div
        ref={useMergedRef(box, sized)}
        className={styles.box}
        style={{
          height: `min(max(300px, calc(100dvh - 330px)), ${(rows.length + (hasMore ? WAITING : 0) + 1) * ROW + 16}px)`,
        }}
        role="grid"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-readonly
        aria-activedescendant={isActiveSeen ? `row-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => setActive((now) => now ?? rows[0]?.id ?? null)}
      >
        <Head columns={columns} looks={looks} places={shown} width={width} />
        <div role="rowgroup" style={{ height: down.getTotalSize(), position: 'relative', width, minWidth: '100%' }}>
          {items.map(({ index, start }) => {
            const row = rows[index]
            return row ? (
              <Row
                key={row.id}
                row={row}
                index={index}
                start={start}
                columns={columns}
                places={shown}
                isActive={row.id === active}
                onOpen={onOpen}
              />
            ) : (
              <div key={index} className={styles.row} style={{ transform: `translateY(${start}px)` }} aria-hidden>
                <Skeleton height={12} m={14} width={240} />
              </div>
            )
          })}
        </div>
      </div>
    </Paper>
  )
}

const positionStyle = ({ start, size }: ColumnPosition) => ({ left: start, width: size })

const Head = memo(
  ({
    columns,
    looks,
    places,
    width,
  }: {
    columns: readonly string[]
    looks: readonly ColumnLayout[]
    places: readonly ColumnPosition[]
    width: number
  }) => (
    <div role="row" tabIndex={-1} aria-rowindex={1} className={styles.head} style={{ width }}>
      <div role="columnheader" tabIndex={-1} aria-colindex={1} className={styles.corner}>
        #
      </div>
      {places.map((place) => (
        <div
          key={place.index}
          role="columnheader"
          tabIndex={-1}
          aria-colindex={place.index + 2}
          className={`${styles.cell} ${looks[place.index]?.isFigures ? styles.figure : ''}`}
          style={positionStyle(place)}
          title={columns[place.index]}
        >
          {columns[place.index]}
        </div>
      ))}
    </div>
  ),
)

const Row = memo(
  ({
    row,
    index,
    start,
    columns,
    places,
    isActive,
    onOpen,
  }: {
    row: SheetRow
    index: number
    start: number
    columns: readonly string[]
    places: readonly ColumnPosition[]
    isActive: boolean
    onOpen: (row: SheetRow) => void
  }) => {
    const t = useTexts(spreadsheetsTexts)
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the grid
      <div
        id={`row-${row.id}`}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + 2}
        aria-selected={isActive}
        className={`${styles.row} ${isActive ? styles.active : ''}`}
        style={{ transform: `translateY(${start}px)` }}
        onClick={() => onOpen(row)}
      >
        <div role="rowheader" tabIndex={-1} aria-colindex={1} className={styles.number} title={t.openRow(row.number)}>
          {row.number}
        </div>
        {places.map((place) => {
          const cell = row.values[columns[place.index] ?? '']
          return (
            <div
              key={place.index}
              role="gridcell"
              tabIndex={-1}
              aria-colindex={place.index + 2}
              className={`${styles.cell} ${typeof cell === 'number' ? styles.figure : ''}`}
              style={positionStyle(place)}
            >
              {cellText(cell)}
            </div>
          )
        })}
      </div>
    )
  },
)
