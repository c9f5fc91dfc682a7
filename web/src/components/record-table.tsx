// A short table of records, with two-line cards on a phone. If rows can be opened, the first cell is a link. For long
// lists see list/.
import { Anchor, Box, Paper, Stack, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { useMayChange } from '../organization.ts'
import styles from './record-table.module.css'

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  /** Aligned to the end: numbers and buttons. */
  isEnd?: boolean
}

export function RecordTable<T>({
  label,
  rows,
  columns: all,
  keyOf,
  openAt,
}: {
  label: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  openAt?: (row: T) => string
}) {
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false
  const [, go] = useLocation()
  const { actions } = useTexts(commonTexts)
  const mayChange = useMayChange()
  const columns = mayChange ? all : all.filter(({ name }) => name !== actions)
  const cell = (row: T, column: Column<T>) =>
    openAt && column === columns[0] ? (
      <Anchor
        component={Link}
        href={openAt(row)}
        fw={600}
        c="var(--mantine-color-text)"
        onClick={(event: { stopPropagation(): void }) => event.stopPropagation()}
      >
        {column.cell(row)}
      </Anchor>
    ) : (
      column.cell(row)
    )

  if (isNarrow) {
    const [first, second, ...others] = columns.filter(({ isEnd }) => !isEnd)
    const last = columns.find(({ isEnd }) => isEnd)
    return (
      <Stack gap={0} component="ul" p={0} m={0} aria-label={label} className={styles.cards}>
        {rows.map((row) => (
          <li key={keyOf(row)} className={styles.card}>
            <div className={styles.title}>{first && cell(row, first)}</div>
            <div className={styles.end}>{second && cell(row, second)}</div>
            <div className={styles.line}>
              {others.map((column) => (
                <Box key={column.name} component="span" title={column.name}>
                  {cell(row, column)}
                </Box>
              ))}
            </div>
            <div className={styles.end}>{last && cell(row, last)}</div>
          </li>
        ))}
      </Stack>
    )
  }

  return (
    <Paper withBorder className={styles.box}>
      <Table
        className={styles.table}
        horizontalSpacing="md"
        verticalSpacing={0}
        highlightOnHover={openAt !== undefined}
        aria-label={label}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, isEnd }) => (
              <Table.Th key={name} ta={isEnd ? 'right' : 'left'} c="dimmed" fz="xs" fw={600}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={keyOf(row)}
              className={openAt ? 'row-link' : undefined}
              onClick={openAt ? () => go(openAt(row)) : undefined}
            >
              {columns.map((column) => (
                <Table.Td key={column.name} ta={column.isEnd ? 'right' : 'left'}>
                  {cell(row, column)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}
