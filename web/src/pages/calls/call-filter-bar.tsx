// The filters of the call list.
import { ActionIcon, Button, Group, Paper, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconFilterOff, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { AgentSelect } from '../../components/agent-select.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type CallFilters, directions, isFiltered, noFilters, statuses } from './call-filters.ts'
import { callTexts } from './call-texts.ts'
import { callsTexts } from './calls-texts.ts'

/** Debounce of the search field. */
const PAUSE_MS = 350

export function CallFilterBar({ filters, change }: { filters: CallFilters; change: (next: CallFilters) => void }) {
  const t = useTexts(callsTexts)
  const call = useTexts(callTexts)
  const shared = useTexts(commonTexts)
  const [text, setText] = useState(filters.q)
  useEffect(() => setText(filters.q), [filters.q])
  const search = useDebouncedCallback((q: string) => change({ ...filters, q }), PAUSE_MS)
  const set = (some: Partial<CallFilters>) => change({ ...filters, ...some })
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false
  const [isOpen, { toggle }] = useDisclosure(isFiltered({ ...filters, q: '' }))
  const isBackwards = filters.from !== null && filters.to !== null && filters.from > filters.to
  return (
    <Paper withBorder p="md" component="search" aria-label={t.title}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={t.searchLabel}
          type="search"
          flex={isNarrow ? '1 1 200px' : '2 1 220px'}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={255}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            search(event.currentTarget.value)
          }}
        />
        {isNarrow && (
          <ActionIcon
            variant={isOpen ? 'filled' : 'default'}
            size={36}
            aria-label={t.filters}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            <IconAdjustmentsHorizontal size={20} aria-hidden />
          </ActionIcon>
        )}
        {(isOpen || !isNarrow) && (
          <>
            <AgentSelect
              flex="1 1 150px"
              placeholder={t.anyAgent}
              value={filters.agentId}
              onChange={(agentId) => set({ agentId })}
            />
            <Select
              label={shared.status}
              flex="1 1 140px"
              placeholder={t.anyStatus}
              clearable
              clearButtonProps={{ 'aria-label': `${t.clear}: ${shared.status}` }}
              data={statuses.map((value) => ({ value, label: call.status[value] }))}
              value={filters.status}
              onChange={(status) => set({ status: status as CallFilters['status'] })}
            />
            <Select
              label={t.direction}
              flex="1 1 140px"
              placeholder={t.anyDirection}
              clearable
              clearButtonProps={{ 'aria-label': `${t.clear}: ${t.direction}` }}
              data={directions.map((value) => ({ value, label: call.direction[value] }))}
              value={filters.direction}
              onChange={(direction) => set({ direction: direction as CallFilters['direction'] })}
            />
            <TextInput
              type="date"
              label={t.from}
              flex="1 1 130px"
              value={filters.from ?? ''}
              error={isBackwards ? t.fromAfterTo : undefined}
              onChange={(event) => set({ from: event.currentTarget.value || null })}
            />
            <TextInput
              type="date"
              label={t.to}
              flex="1 1 130px"
              value={filters.to ?? ''}
              onChange={(event) => set({ to: event.currentTarget.value || null })}
            />
          </>
        )}
        {isFiltered(filters) && (
          <Button
            variant="subtle"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            onClick={() => {
              setText('')
              change(noFilters)
            }}
          >
            {t.clear}
          </Button>
        )}
      </Group>
    </Paper>
  )
}
