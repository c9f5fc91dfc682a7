// The trunk list with live status.
import { Button, Group, Text } from '@mantine/core'
import { IconPlus, IconRouteAltLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Trunk } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { NewTrunk } from './new-trunk.tsx'
import { addressOf, directionOf, toneOf } from './trunk-state.ts'
import { trunksTexts } from './trunks-texts.ts'

export function Trunks() {
  const t = useTexts(trunksTexts)
  const c = useTexts(commonTexts)
  const trunks = queries.useQuery('get', '/api/trunks', {}, { refetchInterval: 15_000 })
  const [isMaking, setMaking] = useState(false)
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  )
  const columns: Column<Trunk>[] = [
    { name: t.name, cell: ({ name }) => name },
    {
      name: c.status,
      cell: ({ status, statusDetail }) => (
        <>
          <StatusBadge tone={toneOf[status]} word={t.status[status]} />
          {statusDetail && toneOf[status] === 'bad' && (
            <Text size="xs" c="dimmed" maw={280}>
              {statusDetail}
            </Text>
          )}
        </>
      ),
    },
    {
      name: t.place,
      cell: (trunk) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} c={trunk.host ? undefined : 'dimmed'}>
          {addressOf(trunk) ?? t.noPlace}
        </Text>
      ),
    },
    { name: t.way, cell: ({ authMode }) => <Text size="sm">{t.auth[authMode]}</Text> },
    { name: t.directions, cell: ({ directions }) => <Text size="sm">{t.direction[directionOf(directions)]}</Text> },
    { name: t.lastSeen, isEnd: true, cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} fallback={c.never} /> },
  ]
  return (
    <Page title={t.title} about={t.about} actions={trunks.data?.length !== 0 && make}>
      <QueryResult query={trunks}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconRouteAltLeft aria-hidden />}
              title={t.emptyTitle}
              text={t.emptyText}
              action={
                <Group justify="center">
                  {make}
                  <Button component={Link} href="/devices" variant="default">
                    {t.toDevices}
                  </Button>
                </Group>
              }
            />
          ) : (
            <RecordTable
              label={t.title}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              openAt={({ id }) => `/trunks/${id}`}
            />
          )
        }
      </QueryResult>
      {isMaking && <NewTrunk onClose={() => setMaking(false)} />}
    </Page>
  )
}
