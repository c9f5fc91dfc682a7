// A table of records; cards on a phone. Rows that open have a link in the first cell.
import { Anchor, Box, Group, Paper, Stack, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  /** Aligned to the end: numbers and buttons. */
  isEnd?: boolean
}

export function RecordTable<T>({
  label,
  rows,
  columns,
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

  if (isNarrow)
    return (
      <Stack gap="xs" component="ul" p={0} m={0} aria-label={label}>
        {rows.map((row) => (
          <Paper key={keyOf(row)} withBorder p="sm" component="li" style={{ listStyle: 'none' }}>
            <Stack gap={4}>
              {columns.map((column) => (
                <Group key={column.name} justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
                  <Text size="xs" c="dimmed">
                    {column.name}
                  </Text>
                  <Box ta="right" fz="sm" style={{ overflowWrap: 'anywhere' }}>
                    {cell(row, column)}
                  </Box>
                </Group>
              ))}
            </Stack>
          </Paper>
        ))}
      </Stack>
    )

  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover={openAt !== undefined} aria-label={label}>
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
      </Table.ScrollContainer>
    </Paper>
  )
}
