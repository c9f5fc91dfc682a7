// A virtualized list table: it grows with its rows, but only the visible ones are in the DOM.
// biome-ignore-all lint/a11y/useSemanticElements: a table of elements cannot leave out rows; this one tells their numbers
import { Paper, Skeleton, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useTexts } from '../../i18n/language-provider.tsx'
import styles from './list.module.css'
import { nextSort } from './list-address.ts'
import { ListRow } from './list-row.tsx'
import { listTexts } from './list-texts.ts'
import type { ListColumn, ListView } from './list-types.ts'
import { rowAfterKey } from './merge-first-page.ts'
import { useScrollMemory } from './scroll-memory.ts'

const [ROW, CARD, HEAD] = [44, 60, 38]
/** Height at the top that the page's sticky header covers. */
const COVERED = 56 + HEAD
/** Fetch the next page this many rows before the end. */
const AHEAD = 150
const WAITING = 8
/** Below this width, in pixels, rows become cards. */
const CARDS_BELOW = 620

export type TableProps<T> = {
  view: ListView<T>
  columns: readonly ListColumn<T>[]
  rows: readonly T[]
  idOf: (row: T) => string
  sort: string | null
  onSort: (sort: string | null) => void
  selected: ReadonlySet<string>
  select: (ids: ReadonlySet<string>) => void
  hasMore: boolean
  more: () => void
  isStale: boolean
}

export function ListTable<T>(props: TableProps<T>) {
  const { view, rows, idOf, selected, select, hasMore, more, isStale } = props
  const [, go] = useLocation()
  const { ref: box, width } = useElementSize<HTMLDivElement>()
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const [top, setTop] = useState(0)
  const isCard = width > 0 && width < CARDS_BELOW
  const columns = props.columns.filter(({ from = 0 }) => width === 0 || width >= from)
  const tracks = ['16px', ...columns.map((column) => column.width), ...(view.menu ? ['30px'] : [])].join(' ')
  const size = isCard ? CARD : ROW
  const virtual = useWindowVirtualizer({
    count: rows.length + (hasMore ? WAITING : 0),
    estimateSize: () => size,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: isCard ? COVERED - HEAD : COVERED,
    scrollPaddingEnd: 16,
  })
  // The bar above may have grown: measure after every render, update only if it moved.
  useLayoutEffect(() => {
    const now = Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (Math.abs(now - top) > 1) setTop(now)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are of another height now
  useEffect(() => virtual.measure(), [size])
  useScrollMemory(rows.length > 0)
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each row that is reached
  useEffect(() => {
    if (hasMore && last > rows.length - AHEAD) more()
  }, [hasMore, last, rows.length])

  // Stable callbacks, so that selecting one row does not re-render the others.
  const latest = useRef(selected)
  latest.current = selected
  const toggle = useCallback(
    (id: string) => {
      const next = new Set(latest.current)
      if (!next.delete(id)) next.add(id)
      select(next)
    },
    [select],
  )

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const at = rows.findIndex((row) => idOf(row) === active)
    const row = rows[at]
    if (row !== undefined && event.key === 'Enter') {
      if (view.openAt) go(view.openAt(row))
      else view.onOpen?.(row)
      return
    }
    if (row !== undefined && event.key === ' ') {
      event.preventDefault()
      return toggle(idOf(row))
    }
    const page = Math.max(1, Math.floor((window.innerHeight - COVERED) / size) - 2)
    const to = rowAfterKey(event.key, at, rows.length, page)
    if (to === null) return
    event.preventDefault()
    const next = rows[to]
    setActive(next === undefined ? null : idOf(next))
    virtual.scrollToIndex(to)
  }

  const isActiveSeen = items.some(({ index }) => rows[index] !== undefined && idOf(rows[index]) === active)
  return (
    <Paper withBorder ref={box}>
      <div
        className={`${styles.grid} ${isStale ? styles.stale : ''}`}
        role="grid"
        aria-label={view.label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-multiselectable
        aria-readonly
        aria-activedescendant={active !== null && isActiveSeen ? `row-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => setActive((now) => now ?? (rows[0] === undefined ? null : idOf(rows[0])))}
      >
        <Head {...props} columns={columns} tracks={tracks} isCard={isCard} />
        <div ref={list} role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, start }) => {
            const row = rows[index]
            const place = { start: start - top, size }
            if (row === undefined) return <WaitingRow key={`waiting-${index}`} {...place} />
            const id = idOf(row)
            return (
              <ListRow
                key={id}
                row={row}
                id={id}
                index={index}
                view={view}
                columns={columns}
                tracks={tracks}
                isCard={isCard}
                toggle={toggle}
                {...place}
                isActive={id === active}
                isSelected={selected.has(id)}
              />
            )
          })}
        </div>
      </div>
    </Paper>
  )
}

type HeadProps<T> = TableProps<T> & { tracks: string; isCard: boolean }

function Head<T>({ view, columns, rows, idOf, selected, select, sort, onSort, tracks, isCard }: HeadProps<T>) {
  const t = useTexts(listTexts)
  const isAll = rows.length > 0 && rows.every((row) => selected.has(idOf(row)))
  const all = (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={t.selectAll}
      checked={isAll}
      ref={(box) => {
        if (box) box.indeterminate = !isAll && selected.size > 0
      }}
      onChange={() => select(new Set(isAll ? [] : rows.map(idOf)))}
    />
  )
  if (isCard)
    return (
      <div role="row" tabIndex={-1} aria-rowindex={1} hidden>
        <div role="columnheader" tabIndex={-1}>
          {all}
        </div>
      </div>
    )
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={1}
      className={`${styles.row} ${styles.head}`}
      style={{ gridTemplateColumns: tracks }}
    >
      <div role="columnheader" tabIndex={-1} className={styles.headCell}>
        {all}
      </div>
      {columns.map((column) => (
        <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
      ))}
      {view.menu && (
        <div role="columnheader" tabIndex={-1} className={styles.headCell}>
          <VisuallyHidden>{t.menu}</VisuallyHidden>
        </div>
      )}
    </div>
  )
}

function HeadCell<T>({
  column: { name, sort: order, isEnd, isQuiet },
  sort,
  onSort,
}: {
  column: ListColumn<T>
  sort: string | null
  onSort: (sort: string | null) => void
}) {
  const t = useTexts(listTexts)
  const isDown = order !== undefined && sort === `-${order.by}`
  const isUp = order !== undefined && sort === order.by
  const Arrow = isDown ? IconArrowDown : isUp ? IconArrowUp : IconArrowsSort
  return (
    <div
      role="columnheader"
      tabIndex={-1}
      aria-sort={isDown ? 'descending' : isUp ? 'ascending' : order ? 'none' : undefined}
      className={`${styles.headCell} ${isEnd ? styles.end : ''}`}
    >
      {order ? (
        <button
          type="button"
          className={`${styles.sort} ${isDown || isUp ? styles.sorted : ''}`}
          title={t.sortBy(name)}
          onClick={() => onSort(nextSort(sort, order.by, order.first))}
        >
          <span>{name}</span>
          <Arrow size={13} aria-hidden />
        </button>
      ) : isQuiet ? (
        <VisuallyHidden>{name}</VisuallyHidden>
      ) : (
        <span className={styles.name}>{name}</span>
      )}
    </div>
  )
}

const WaitingRow = memo(({ start, size }: { start: number; size: number }) => (
  <div
    className={`${styles.row} ${styles.line}`}
    style={{ height: size, transform: `translateY(${start}px)`, gridTemplateColumns: '1fr 1fr' }}
    aria-hidden
  >
    <Skeleton height={14} />
    <Skeleton height={14} />
  </div>
))
