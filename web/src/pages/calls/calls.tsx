// The call list, filtered by the address, with infinite scrolling.
import { Button, Group, Text } from '@mantine/core'
import { IconPhoneCall, IconPhonePlus, IconZoomQuestion } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { CallFilterBar } from './call-filter-bar.tsx'
import { filtersOf, isFiltered, queryOf, searchParamsOf } from './call-filters.ts'
import { CallGrid } from './call-grid.tsx'
import { callsTexts } from './calls-texts.ts'
import { useInfiniteList } from './use-infinite-list.ts'

export function Calls() {
  const t = useTexts(callsTexts)
  const { locale } = useLanguage()
  const [params, setParams] = useSearchParams()
  const filters = filtersOf(params)
  const list = useInfiniteList<Call>('/api/calls', queryOf(filters))
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
      {!isNone && (
        <CallFilterBar filters={filters} change={(next) => setParams(searchParamsOf(next), { replace: true })} />
      )}
      <QueryResult query={{ data: list.rows, error: list.error, refetch: list.refetch }}>
        {(calls) => {
          if (isNone)
            return (
              <EmptyState
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
            return (
              <EmptyState icon={<IconZoomQuestion size={28} aria-hidden />} title={t.notFound} text={t.notFoundText} />
            )
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
      </QueryResult>
    </Page>
  )
}
