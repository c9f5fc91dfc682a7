// All calls: filtered by what stands in the address, scrolled without end.
import { Button, Group, Text } from '@mantine/core'
import { IconPhoneCall, IconPhonePlus, IconZoomQuestion } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { useLanguage, useWords } from '../../i18n/words.tsx'
import { useAgents } from '../../parts/agent-name.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Reading } from '../../parts/states.tsx'
import { CallFilterBar } from './call-filter-bar.tsx'
import { addressOf, askOf, filtersOf, isFiltered } from './call-filters.ts'
import { CallGrid } from './call-grid.tsx'
import { callsWords } from './calls-words.ts'
import { useLongList } from './use-long-list.ts'

export function Calls() {
  const t = useWords(callsWords)
  const { locale } = useLanguage()
  const [params, setParams] = useSearchParams()
  const filters = filtersOf(params)
  const list = useLongList<Call>('/api/calls', askOf(filters))
  const { data: agents } = useAgents()
  const names = useMemo(() => new Map(agents?.map(({ id, name }) => [id, name])), [agents])
  const isNone = list.rows?.length === 0 && !isFiltered(filters)
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <Button component={Link} href="/live?place" leftSection={<IconPhonePlus size={18} aria-hidden />}>
          {t.callNumber}
        </Button>
      }
    >
      {!isNone && <CallFilterBar filters={filters} change={(next) => setParams(addressOf(next), { replace: true })} />}
      <Reading of={{ data: list.rows, error: list.error, refetch: list.refetch }}>
        {(calls) => {
          if (isNone)
            return (
              <Empty
                icon={<IconPhoneCall size={28} aria-hidden />}
                title={t.none}
                text={t.noneText}
                action={
                  <Button component={Link} href="/agents" mt="sm">
                    {t.talk}
                  </Button>
                }
              />
            )
          if (calls.length === 0)
            return <Empty icon={<IconZoomQuestion size={28} aria-hidden />} title={t.notFound} text={t.notFoundText} />
          return (
            <div>
              <CallGrid calls={calls} agentNames={names} hasMore={list.hasMore} more={list.more} />
              <Group justify="space-between" mt={6}>
                <Text size="xs" c="dimmed" role="status">
                  {t.shown(calls.length.toLocaleString(locale), list.hasMore)}
                </Text>
                <Text size="xs" c="dimmed" visibleFrom="sm">
                  {t.keys}
                </Text>
              </Group>
            </div>
          )
        }}
      </Reading>
    </Page>
  )
}
