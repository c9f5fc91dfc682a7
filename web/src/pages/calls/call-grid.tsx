// The virtualised call table: only visible rows are in the document.
// biome-ignore-all lint/a11y/useSemanticElements: a table of elements cannot leave out rows; this one tells their numbers
import { Paper, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type Cell, useCells } from './call-cells.tsx'
import styles from './call-grid.module.css'
import { callsTexts } from './calls-texts.ts'
import { rowAfterKey } from './infinite-list.ts'

const [ROW, ROW_NARROW] = [46, 68]
/** The next page is read this many rows before the end. */
const AHEAD = 150
const WAITING = 8
/** Restores the scroll position on return from a call. */
const scrollPositions = new Map<string, number>()

type Props = {
  calls: readonly Call[]
  agentNames: ReadonlyMap<string, string>
  hasMore: boolean
  more: () => void
}

export function CallGrid({ calls, agentNames, hasMore, more }: Props) {
  const t = useTexts(callsTexts)
  const [, go] = useLocation()
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false
  const cells = useCells(agentNames, isNarrow)
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const search = useSearch()
  const size = isNarrow ? ROW_NARROW : ROW
  const virtual = useVirtualizer({
    count: calls.length + (hasMore ? WAITING : 0),
    getScrollElement: () => box.current,
    estimateSize: () => size,
    overscan: 8,
    initialOffset: scrollPositions.get(search) ?? 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are of another height now
  useEffect(() => virtual.measure(), [size])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each row that is reached
  useEffect(() => {
    if (hasMore && last > calls.length - AHEAD) more()
  }, [hasMore, last, calls.length])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active) return go(`/calls/${active}`)
    const at = calls.findIndex(({ id }) => id === active)
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / size) - 2)
    const to = rowAfterKey(event.key, at, calls.length, page)
    if (to === null) return
    event.preventDefault()
    setActive(calls[to]?.id ?? null)
    virtual.scrollToIndex(to)
  }

  const isActiveSeen = active !== null && items.some(({ index }) => calls[index]?.id === active)
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <div
        ref={box}
        className={styles.box}
        role="grid"
        aria-label={t.title}
        aria-rowcount={hasMore ? -1 : calls.length + 1}
        aria-readonly
        aria-activedescendant={isActiveSeen ? `row-${active}` : undefined}
        tabIndex={0}
        onScroll={(event) => scrollPositions.set(search, event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
        onFocus={() => setActive((now) => now ?? calls[0]?.id ?? null)}
      >
        <Head cells={cells} isNarrow={isNarrow} />
        <div
          style={{ height: virtual.getTotalSize(), position: 'relative', minWidth: isNarrow ? 0 : 880 }}
          role="rowgroup"
        >
          {items.map(({ index, start }) => {
            const call = calls[index]
            const shared = { start, size, isNarrow }
            return call ? (
              <Row key={call.id} {...shared} call={call} index={index} cells={cells} isActive={call.id === active} />
            ) : (
              <WaitingRow key={index} {...shared} />
            )
          })}
        </div>
      </div>
    </Paper>
  )
}

type RowPosition = { start: number; size: number; isNarrow: boolean }

const rowClass = (isNarrow: boolean) => `${styles.row} ${isNarrow ? styles.narrow : ''}`
const positionStyle = ({ start, size }: RowPosition) => ({ height: size, transform: `translateY(${start}px)` })

const Head = memo(({ cells, isNarrow }: { cells: readonly Cell[]; isNarrow: boolean }) => (
  <div
    role="row"
    tabIndex={-1}
    aria-rowindex={1}
    className={isNarrow ? undefined : `${rowClass(false)} ${styles.head}`}
    hidden={isNarrow}
  >
    {cells.map(({ name, isQuiet }) => (
      <Text key={name} role="columnheader" size="xs" fw={600} c="dimmed" component="div" truncate>
        {isQuiet ? <VisuallyHidden>{name}</VisuallyHidden> : name}
      </Text>
    ))}
  </div>
))

/** Memoised: rows that stay in view are not rendered again while scrolling. */
const Row = memo(
  ({
    call,
    index,
    cells,
    isActive,
    ...place
  }: RowPosition & { call: Call; index: number; cells: readonly Cell[]; isActive: boolean }) => {
    const [, go] = useLocation()
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the grid
      <div
        id={`row-${call.id}`}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + 2}
        aria-selected={isActive}
        className={`${rowClass(place.isNarrow)} ${styles.line} ${isActive ? styles.active : ''}`}
        style={positionStyle(place)}
        onClick={() => go(`/calls/${call.id}`)}
      >
        {cells.map(({ name, value }) => (
          <div key={name} role="gridcell" tabIndex={-1} className={styles.cell}>
            {value(call)}
          </div>
        ))}
      </div>
    )
  },
)

const WaitingRow = (place: RowPosition) => (
  <div className={`${rowClass(place.isNarrow)} ${styles.line}`} style={positionStyle(place)} aria-hidden>
    <Skeleton height={14} />
    <Skeleton height={14} />
  </div>
)
