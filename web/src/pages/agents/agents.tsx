// The list of agents.
import { Button } from '@mantine/core'
import { IconPlus, IconRobot } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import type { Agent } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { dim, LanguageCode, plain, ShortTime, StatusText } from '../../components/list/list-cells.tsx'
import { listTexts } from '../../components/list/list-texts.ts'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useBulk } from '../../components/list/use-bulk.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { Page } from '../../components/page.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { EmptyState } from '../../components/query-states.tsx'
import { useAgentMenu } from '../../components/remove-agent.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { agentsTexts } from './agents-texts.ts'

const fields = [
  { key: 'direction', values: ['inbound', 'outbound', 'both'] },
  { key: 'active', param: 'isActive', values: ['true', 'false'] },
] as const
const sorts = ['name', 'language', 'updatedAt', 'createdAt']
const nameOf = ({ name }: Agent) => name

export function Agents() {
  const t = { ...useTexts(commonTexts), ...useTexts(agentsTexts) }
  const l = useTexts(listTexts)
  const used = useListAddress(fields, sorts)
  const source = useServerRows<Agent>('/api/agents', used)
  const { view, dialog } = useAgentsView()
  const create = (
    <Button component={Link} href="/agents/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t.newAgent}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={source.rows?.length || used.address.q ? create : undefined}>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.search}
        inputs={[
          {
            kind: 'choice',
            key: 'direction',
            label: t.direction,
            placeholder: l.anyShe,
            options: (['inbound', 'outbound', 'both'] as const).map((value) => ({ value, label: t[value] })),
          },
          {
            kind: 'choice',
            key: 'active',
            label: t.status,
            placeholder: l.anyShe,
            options: [
              { value: 'true', label: t.active },
              { value: 'false', label: t.inactive },
            ],
          },
        ]}
        nouns={t.count}
        empty={
          <EmptyState
            icon={<IconRobot size={28} aria-hidden />}
            title={t.emptyTitle}
            text={t.emptyText}
            action={create}
          />
        }
      />
      {dialog}
    </Page>
  )
}

/** Loads the numbers and call counts of all agents once, not once per row. */
function useAgentsView(): { view: ListView<Agent>; dialog: ReactNode } {
  const t = { ...useTexts(agentsTexts), ...useTexts(commonTexts) }
  const { locale } = useLanguage()
  const { data: dids } = queries.useQuery('get', '/api/did')
  const { data: counts } = queries.useQuery('get', '/api/overview/agents')
  const { entriesOf, talkTo, dialog } = useAgentMenu()
  const bulk = useBulk<Agent>({
    nameOf,
    stale: ['/api/agents'],
    isActive: ({ isActive }) => isActive,
    setActive: ({ id }, isActive) =>
      unwrap(api.PATCH('/api/agents/{id}', { params: { path: { id } }, body: { isActive } })),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  const view = useMemo((): ListView<Agent> => {
    const numbers = Map.groupBy(dids ?? [], ({ agentId }) => agentId)
    const calls = new Map(counts?.map((count) => [count.agentId, count.calls]))
    const numbersOf = ({ id }: Agent) => (numbers.get(id) ?? []).map(({ phoneNumber }) => formatNumber(phoneNumber))
    const callsOf = ({ id }: Agent) => (counts ? (calls.get(id) ?? 0) : null)
    const callsText = (agent: Agent) => callsOf(agent)?.toLocaleString(locale) ?? ''
    const status = ({ isActive }: Agent) => (
      <StatusText tone={isActive ? 'good' : 'off'} word={isActive ? t.active : t.inactive} />
    )
    return {
      name: 'agents',
      label: t.title,
      nameOf,
      bulk,
      openAt: ({ id }) => `/agents/${id}`,
      menu: (agent) => [talkTo(agent), ...entriesOf(agent)],
      columns: [
        {
          key: 'name',
          name: t.name,
          width: 'minmax(0, 2fr)',
          cell: nameOf,
          csv: nameOf,
          sort: { by: 'name', first: 'asc' },
        },
        {
          key: 'number',
          name: t.number,
          width: 'minmax(0, 1.4fr)',
          from: 620,
          cell: (agent) => {
            const [first, ...more] = numbersOf(agent)
            return first ? plain(more.length > 0 ? `${first} +${more.length}` : first) : dim('–')
          },
          csv: (agent) => numbersOf(agent).join(', '),
        },
        {
          key: 'calls',
          name: t.calls7,
          width: '7.5rem',
          isEnd: true,
          from: 700,
          cell: (agent) => dim(callsText(agent)),
          csv: callsOf,
        },
        {
          key: 'language',
          name: t.language,
          width: '5rem',
          from: 760,
          cell: ({ language }) => <LanguageCode tag={language} />,
          csv: ({ language }) => language,
          sort: { by: 'language', first: 'asc' },
        },
        {
          key: 'direction',
          name: t.direction,
          width: 'minmax(0, 1fr)',
          from: 820,
          cell: ({ direction }) => dim(t[direction]),
          csv: ({ direction }) => t[direction],
        },
        {
          key: 'status',
          name: t.status,
          width: '6.5rem',
          cell: status,
          csv: ({ isActive }) => (isActive ? t.active : t.inactive),
        },
        {
          key: 'changed',
          name: t.changed,
          width: 'minmax(0, 1fr)',
          from: 900,
          isTime: true,
          cell: ({ updatedAt }) => <ShortTime at={updatedAt} />,
          csv: ({ updatedAt }) => new Date(updatedAt),
          sort: { by: 'updatedAt', first: 'desc' },
        },
      ],
      card: (agent) => ({
        title: agent.name,
        aside: agent.isActive ? <LanguageCode tag={agent.language} /> : status(agent),
        line: [numbersOf(agent)[0], t[agent.direction]].filter(Boolean).join(' · '),
        end: callsOf(agent) ? t.callsShort(callsText(agent)) : '',
      }),
    }
  }, [dids, counts, locale])
  return { view, dialog }
}
