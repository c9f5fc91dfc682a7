// The conversation list: who, channel, agent and outcome.
import { IconBrandWhatsapp, IconMessage, IconMessages, IconPhone, IconTrash, IconWorld } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { ListedConversation } from '../../../../client/paths.ts'
import { useAgentNames } from '../../components/agent-name.tsx'
import { formatDuration } from '../../components/date-time.tsx'
import { dim, plain, StatusText } from '../../components/list/list-cells.tsx'
import { listTexts } from '../../components/list/list-texts.ts'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useBulk } from '../../components/list/use-bulk.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/query-states.tsx'
import { useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import styles from '../calls/call-status.module.css'
import { useRemoteParty } from '../calls/call-status.tsx'
import { conversationTexts } from './conversation-texts.ts'
import { NewConversation } from './new-conversation.tsx'

const channels = ['sip', 'web', 'whatsapp', 'text'] as const
type Channel = (typeof channels)[number]
const fields = [
  { key: 'agent', param: 'agentId' },
  { key: 'channel', values: channels },
  { key: 'from', values: 'day' },
  { key: 'to', values: 'day', isEnd: true },
] as const
const sorts = ['startedAt']
const startOf = ({ startedAt }: ListedConversation) => startedAt
const stale = ['/api/conversations', '/api/calls', '/api/overview']
const removal = { pathOf: (id: string) => `/api/conversations/${id}`, stale }
const icons: Readonly<Record<Channel, typeof IconPhone>> = {
  sip: IconPhone,
  web: IconWorld,
  whatsapp: IconBrandWhatsapp,
  text: IconMessage,
}
const channelOf = ({ call }: ListedConversation): Channel => call?.channel ?? 'text'

export function Conversations() {
  const t = useTexts(conversationTexts)
  const l = useTexts(listTexts)
  const used = useListAddress(fields, sorts)
  // Includes number and channel in each conversation, to avoid a request per row.
  const query = useMemo(() => ({ ...used.query, include: 'call' }), [used.query])
  const source = useServerRows<ListedConversation>('/api/conversations', { query, liveBy: startOf })
  const view = useConversationsView()
  return (
    <Page title={t.title} about={t.about} actions={<NewConversation />}>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.search}
        inputs={[
          { kind: 'agent', key: 'agent' },
          {
            kind: 'choice',
            key: 'channel',
            label: t.channel,
            placeholder: l.any,
            options: channels.map((value) => ({ value, label: t.channels[value] })),
          },
          { kind: 'days' },
        ]}
        nouns={t.count}
        empty={
          <EmptyState
            icon={<IconMessages size={28} aria-hidden />}
            title={t.none}
            text={t.noneText}
            action={<NewConversation />}
          />
        }
      />
    </Page>
  )
}

function useConversationsView(): ListView<ListedConversation> {
  const t = useTexts(conversationTexts)
  const shared = useTexts(commonTexts)
  const { locale } = useLanguage()
  const agentName = useAgentNames()
  const other = useRemoteParty()
  const remove = useRemoval()
  const who = (row: ListedConversation) => row.title ?? (row.call ? other(row.call) : t.chat)
  const bulk = useBulk<ListedConversation>({ nameOf: who, removal, stale })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  return useMemo((): ListView<ListedConversation> => {
    const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' })
    const when = ({ startedAt }: ListedConversation) => time.format(new Date(startedAt))
    const seconds = ({ startedAt, endedAt }: ListedConversation) =>
      endedAt ? Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000) : null
    const outcome = ({ analysis }: ListedConversation) =>
      analysis?.success === true ? t.reached : analysis?.success === false ? t.notReached : ''
    const subject = (row: ListedConversation) => {
      const channel = channelOf(row)
      const Icon = icons[channel]
      return (
        <span className={styles.other}>
          <Icon size={17} role="img" aria-label={t.channels[channel]} />
          <span className={`${styles.number} numbers`}>{who(row)}</span>
        </span>
      )
    }
    return {
      name: 'conversations',
      label: t.title,
      nameOf: who,
      bulk,
      openAt: ({ id }) => `/conversations/${id}`,
      columns: [
        { key: 'subject', name: t.subject, width: 'minmax(0, 1.5fr)', cell: subject, csv: who },
        {
          key: 'channel',
          name: t.channel,
          width: '6.5rem',
          isExtra: true,
          cell: (row) => dim(t.channels[channelOf(row)]),
          csv: (row) => t.channels[channelOf(row)],
        },
        {
          key: 'agent',
          name: shared.agent,
          width: 'minmax(0, 1.2fr)',
          cell: ({ agentId }) => plain(agentName(agentId)),
          csv: ({ agentId }) => agentName(agentId),
        },
        {
          key: 'started',
          name: t.started,
          width: '9.25rem',
          isTime: true,
          cell: (row) => dim(when(row)),
          csv: ({ startedAt }) => new Date(startedAt),
          sort: { by: 'startedAt', first: 'desc' },
        },
        {
          key: 'summary',
          name: t.summary,
          width: 'minmax(0, 2.2fr)',
          from: 820,
          cell: ({ analysis }) => dim(analysis?.summary ?? '–'),
          csv: ({ analysis }) => analysis?.summary ?? '',
        },
        {
          key: 'outcome',
          name: t.outcome,
          width: '7rem',
          from: 900,
          cell: (row) =>
            outcome(row) ? <StatusText tone={row.analysis?.success ? 'good' : 'warn'} word={outcome(row)} /> : dim('–'),
          csv: outcome,
        },
        {
          key: 'status',
          name: shared.status,
          width: '7.5rem',
          isExtra: true,
          cell: ({ status }) => <StatusText tone={tones[status]} word={t.status[status]} />,
          csv: ({ status }) => t.status[status],
        },
        {
          key: 'length',
          name: t.length,
          width: '5.5rem',
          isEnd: true,
          cell: (row) =>
            row.status === 'active' ? <StatusText tone="busy" word={t.now} /> : dim(formatDuration(seconds(row))),
          csv: seconds,
        },
      ],
      card: (row) => ({
        title: subject(row),
        aside: row.status === 'active' ? <StatusText tone="busy" word={t.now} /> : outcome(row),
        line: `${when(row)} · ${agentName(row.agentId)}`,
        end: formatDuration(seconds(row)),
      }),
      menu: (row) => [
        {
          label: shared.remove,
          icon: <IconTrash size={16} aria-hidden />,
          isDangerous: true,
          isDisabled: row.status === 'active',
          onClick: () => remove([{ id: row.id, name: who(row) }], removal),
        },
      ],
    }
  }, [agentName, locale, shared, t])
}
const tones = { active: 'busy', ended: 'good', failed: 'bad' } as const
