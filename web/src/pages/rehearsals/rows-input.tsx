// Editable rows of a script: change, move, remove and add.
import { ActionIcon, Button, Flex, Group, Paper, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/language-provider.tsx'
import { moved } from './script-form.ts'
import { scriptTexts } from './script-texts.ts'

type Props<T> = {
  rows: readonly T[]
  /** The accessible name of a row, counted from 1. */
  nameOf: (place: number) => string
  none: string
  add: { label: string; row: () => T }
  fields: (row: T, index: number, onChange: (next: T) => void) => ReactNode
  onChange: (rows: T[]) => void
}

export function RowsInput<T>({ rows, nameOf, none, add, fields, onChange }: Props<T>) {
  return (
    <Stack gap="xs">
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {rows.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and every input is controlled
        <Paper key={i} withBorder p="sm" role="group" aria-label={nameOf(i + 1)}>
          <Group align="flex-start" gap="sm" wrap="nowrap">
            {fields(row, i, (next) => onChange(rows.map((each, at) => (at === i ? next : each))))}
            <RowButtons
              index={i}
              count={rows.length}
              onMove={(by) => onChange(moved(rows, i, by))}
              onRemove={() => onChange(rows.filter((_, at) => at !== i))}
            />
          </Group>
        </Paper>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...rows, add.row()])}
        >
          {add.label}
        </Button>
      </div>
    </Stack>
  )
}

function RowButtons(props: { index: number; count: number; onMove: (by: 1 | -1) => void; onRemove: () => void }) {
  const { index, count, onMove, onRemove } = props
  const t = useTexts(scriptTexts)
  const icon = { variant: 'subtle', color: 'gray', size: 28 } as const
  return (
    <Flex gap={2} direction={{ base: 'column', sm: 'row' }}>
      <ActionIcon {...icon} disabled={index === 0} aria-label={t.up(index + 1)} onClick={() => onMove(-1)}>
        <IconArrowUp size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon {...icon} disabled={index === count - 1} aria-label={t.down(index + 1)} onClick={() => onMove(1)}>
        <IconArrowDown size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon {...icon} aria-label={t.removeItem(index + 1)} onClick={onRemove}>
        <IconTrash size={15} aria-hidden />
      </ActionIcon>
    </Flex>
  )
}
