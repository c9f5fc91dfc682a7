// The call list: filters, sorting and search are kept in the URL; more calls load while scrolling.
import { Button } from '@mantine/core'
import { IconPhoneCall, IconPhonePlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { ListedCall } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { listTexts } from '../../components/list/list-texts.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/query-states.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMay, useMayOpen } from '../../organization.ts'
import { callFields, callSorts, directions, statuses, testChoices } from './call-filters.ts'
import { callTexts } from './call-texts.ts'
import { callsTexts } from './calls-texts.ts'
import { useCallsView } from './calls-view.tsx'

const startOf = ({ startedAt }: ListedCall) => startedAt

export function Calls() {
  const t = useTexts(callsTexts)
  const call = useTexts(callTexts)
  const shared = useTexts(commonTexts)
  const l = useTexts(listTexts)
  const used = useListAddress(callFields, callSorts)
  const query = useMemo(() => ({ ...used.query, include: 'details' }), [used.query])
  const source = useServerRows<ListedCall>('/api/calls', { query, liveBy: startOf })
  const view = useCallsView()
  const mayOpen = useMayOpen()
  const mayTest = useMay('tests:write')
  // A search shows no count: counting would read every transcript.
  const { q, sort: _, ...filters } = used.query
  const counted = queries.useQuery('get', '/api/calls/count', { params: { query: filters } }, { enabled: !q })
  return (
    <Page
      title={t.title}
      about={t.about}
      isForAll
      actions={
        mayOpen('/live?place') && (
          <Button component={Link} href="/live?place" leftSection={<IconPhonePlus size={18} aria-hidden />}>
            {t.callNumber}
          </Button>
        )
      }
    >
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.searchLabel}
        inputs={[
          { kind: 'agent', key: 'agent' },
          {
            kind: 'choice',
            key: 'status',
            label: shared.status,
            placeholder: l.anyShe,
            options: statuses.map((value) => ({ value, label: call.status[value] })),
          },
          {
            kind: 'choice',
            key: 'direction',
            label: t.direction,
            placeholder: l.anyShe,
            options: directions.map((value) => ({ value, label: call.direction[value] })),
          },
          {
            kind: 'choice',
            key: 'test',
            label: t.tests,
            placeholder: l.anyShe,
            options: testChoices.map((value) => ({ value, label: t.testChoices[value] })),
          },
          { kind: 'days' },
        ]}
        nouns={t.count}
        total={q ? undefined : counted.data}
        empty={
          <EmptyState
            icon={<IconPhoneCall size={28} aria-hidden />}
            title={t.none}
            text={t.noneText}
            isForAll
            action={
              mayTest && (
                <Button component={Link} href="/agents" mt="sm">
                  {t.talk}
                </Button>
              )
            }
          />
        }
      />
    </Page>
  )
}
