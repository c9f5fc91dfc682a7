// One row of a list: single-line cells, or a card of two lines.
// biome-ignore-all lint/a11y/useSemanticElements: a table of elements cannot leave out rows; this one tells their numbers
import { type CSSProperties, type MouseEvent, memo, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useTexts } from '../../i18n/language-provider.tsx'
import { ActionMenu } from '../action-menu.tsx'
import { removalTexts } from '../removal-texts.ts'
import styles from './list.module.css'
import { listTexts } from './list-texts.ts'
import type { ListColumn, ListView } from './list-types.ts'

export type RowProps<T> = {
  row: T
  id: string
  index: number
  view: ListView<T>
  columns: readonly ListColumn<T>[]
  tracks: string
  isCard: boolean
  isActive: boolean
  isSelected: boolean
  start: number
  size: number
  toggle: (id: string) => void
}

const isControl = (target: EventTarget) => (target as HTMLElement).closest('a, button, input, label') !== null

function ListRowOf<T>(props: RowProps<T>) {
  const { row, id, index, view, columns, tracks, isCard, isActive, isSelected, start, size, toggle } = props
  const [, go] = useLocation()
  const opens = view.openAt !== undefined || view.onOpen !== undefined
  const open = (event: MouseEvent) => {
    if (isControl(event.target)) return
    if (view.openAt) go(view.openAt(row))
    else view.onOpen?.(row)
  }
  const classes = [styles.row, styles.line, index === 0 && styles.first, opens && styles.opens]
  const states = [isSelected && styles.selected, isActive && styles.active, isCard && styles.card]
  const place: CSSProperties = { height: size, transform: `translateY(${start}px)` }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the grid
    <div
      id={`row-${id}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={[...classes, ...states].filter(Boolean).join(' ')}
      style={isCard ? place : { ...place, gridTemplateColumns: tracks }}
      onClick={opens ? open : undefined}
    >
      <Tick {...props} className={isCard ? styles.cardBox : styles.cell} toggle={toggle} />
      {isCard ? (
        <Card {...props} />
      ) : (
        columns.map((column, i) => (
          <div
            key={column.key}
            role="gridcell"
            tabIndex={-1}
            className={`${styles.cell} ${column.isEnd ? styles.end : ''}`}
          >
            {i === 0 ? <Title row={row} view={view} text={column.cell(row)} /> : column.cell(row)}
          </div>
        ))
      )}
      <Menu {...props} className={isCard ? styles.cardMenu : `${styles.cell} ${styles.end}`} />
    </div>
  )
}

/** Memoized: visible rows do not re-render while scrolling. */
export const ListRow = memo(ListRowOf) as typeof ListRowOf

function Title<T>({ row, view, text }: { row: T; view: ListView<T>; text: ReactNode }) {
  if (!view.openAt) return text
  return (
    <Link href={view.openAt(row)} className={styles.link ?? ''} tabIndex={-1}>
      {text}
    </Link>
  )
}

function Tick<T>({ row, id, view, isSelected, toggle, className }: RowProps<T> & { className: string | undefined }) {
  const t = useTexts(listTexts)
  return (
    <div role="gridcell" tabIndex={-1} className={className}>
      <input
        type="checkbox"
        className={styles.box}
        aria-label={t.select(view.nameOf(row))}
        checked={isSelected}
        onChange={() => toggle(id)}
      />
    </div>
  )
}

function Menu<T>({ row, view, className }: RowProps<T> & { className: string | undefined }) {
  const t = useTexts(removalTexts)
  const { menu, nameOf } = view
  if (!menu) return null
  return (
    <div role="gridcell" tabIndex={-1} className={className}>
      <ActionMenu label={t.moreOf(nameOf(row))} entries={() => menu(row)} />
    </div>
  )
}

function Card<T>({ row, view }: RowProps<T>) {
  const { title, aside, line, end } = view.card(row)
  const cell = (name: string | undefined, content: ReactNode) => (
    <div role="gridcell" tabIndex={-1} className={`${styles.cell} ${name}`}>
      {content}
    </div>
  )
  return (
    <>
      {cell(styles.cardTitle, <Title row={row} view={view} text={title} />)}
      {aside && cell(styles.cardAside, aside)}
      {line && cell(styles.cardLine, line)}
      {end && cell(styles.cardEnd, end)}
    </>
  )
}
