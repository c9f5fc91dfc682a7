// The columns of the call list, and the actions on its rows.
import { Badge } from '@mantine/core'
import { IconCopy, IconFileMusic, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Call, ListedCall } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { useAgentNames } from '../../components/agent-name.tsx'
import { formatDuration } from '../../components/date-time.tsx'
import { dim, plain, StatusText } from '../../components/list/list-cells.tsx'
import type { ListView } from '../../components/list/list-types.ts'
import { useBulk } from '../../components/list/use-bulk.tsx'
import type { Tone } from '../../components/status-badge.tsx'
import { useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import styles from './call-status.module.css'
import { RemoteParty, useRemoteParty } from './call-status.tsx'
import { callTexts } from './call-texts.ts'
import { callsTexts } from './calls-texts.ts'
import { endReasonTexts } from './end-reason-texts.ts'
import { endReasonText } from './end-reasons.ts'

/** Completed calls need no color. */
const tones: Readonly<Record<Call['status'], Tone>> = {
  initiating: 'busy',
  ringing: 'busy',
  in_progress: 'busy',
  transferring: 'busy',
  completed: 'good',
  failed: 'bad',
  busy: 'warn',
  no_answer: 'warn',
  canceled: 'off',
}
const stale = ['/api/calls', '/api/conversations', '/api/overview']
const removal = { pathOf: (id: string) => `/api/calls/${id}`, stale }

const byCampaign = ({ metadata }: ListedCall): string | null =>
  typeof metadata?.campaignId === 'string' ? metadata.campaignId : null

export function useCallsView(): ListView<ListedCall> {
  const t = useTexts(callsTexts)
  const shared = useTexts(commonTexts)
  const call = useTexts(callTexts)
  const reasons = useTexts(endReasonTexts)
  const { locale } = useLanguage()
  const agentName = useAgentNames()
  const other = useRemoteParty()
  const remove = useRemoval()
  const time = useMemo(() => new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }), [locale])
  const when = ({ startedAt }: Call) => time.format(new Date(startedAt))
  const nameOf = (one: Call) => `${other(one)}, ${when(one)}`
  const campaigns = queries.useQuery('get', '/api/campaigns', { params: { query: { limit: 100 } } }).data
  const bulk = useBulk<ListedCall>({ nameOf, removal, stale })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  return useMemo((): ListView<ListedCall> => {
    const agentOf = ({ agentId }: Call) => (agentId ? agentName(agentId) : '–')
    const endOf = ({ endReason }: Call) => endReasonText(reasons, endReason)?.short ?? '–'
    const seconds = (ms: number) => ms / 1000
    const responseOf = ({ medianResponseMs: ms }: ListedCall) =>
      ms === null || ms === undefined
        ? '–'
        : `${seconds(ms).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`
    const goalOf = ({ success }: ListedCall) => (success === true ? t.reached : success === false ? t.notReached : '')
    const campaignOf = (one: ListedCall) => {
      const id = byCampaign(one)
      return id === null ? '' : (campaigns?.find((campaign) => campaign.id === id)?.name ?? id)
    }
    const party = (one: ListedCall) => (
      <span className={styles.party}>
        <RemoteParty call={one} />
        {one.isTest && (
          <Badge size="sm" variant="default">
            {t.isTest}
          </Badge>
        )}
      </span>
    )
    const status = (one: Call) => <StatusText tone={tones[one.status]} word={call.status[one.status]} />
    return {
      name: 'calls',
      label: t.title,
      nameOf,
      bulk,
      openAt: ({ id }) => `/calls/${id}`,
      columns: [
        {
          key: 'other',
          name: t.other,
          width: 'minmax(0, 1.6fr)',
          cell: party,
          csv: other,
        },
        {
          key: 'when',
          name: t.when,
          width: '9.25rem',
          isTime: true,
          cell: (one) => dim(when(one)),
          csv: ({ startedAt }) => new Date(startedAt),
          sort: { by: 'startedAt', first: 'desc' },
        },
        {
          key: 'agent',
          name: shared.agent,
          width: 'minmax(0, 1.3fr)',
          from: 700,
          cell: (one) => plain(agentOf(one)),
          csv: (one) => (one.agentId ? agentOf(one) : ''),
        },
        {
          key: 'direction',
          name: t.direction,
          width: '6.5rem',
          isExtra: true,
          cell: ({ direction }) => dim(call.direction[direction]),
          csv: ({ direction }) => call.direction[direction],
        },
        {
          key: 'status',
          name: shared.status,
          width: '8rem',
          cell: status,
          csv: (one) => call.status[one.status],
        },
        {
          key: 'end',
          name: t.end,
          width: 'minmax(0, 1.3fr)',
          from: 860,
          cell: (one) => dim(endOf(one)),
          csv: (one) => (one.endReason ? endOf(one) : ''),
        },
        {
          key: 'duration',
          name: t.duration,
          width: '5.5rem',
          isEnd: true,
          cell: ({ durationSeconds }) => dim(formatDuration(durationSeconds)),
          csv: ({ durationSeconds }) => durationSeconds,
          sort: { by: 'durationSeconds', first: 'desc' },
        },
        {
          key: 'response',
          name: t.response,
          width: '5.5rem',
          isEnd: true,
          isExtra: true,
          cell: (one) => dim(responseOf(one)),
          csv: ({ medianResponseMs: ms }) => (typeof ms === 'number' ? seconds(ms) : ''),
        },
        {
          key: 'goal',
          name: t.goal,
          width: '7rem',
          isExtra: true,
          cell: (one) =>
            goalOf(one) ? <StatusText tone={one.success ? 'good' : 'warn'} word={goalOf(one)} /> : dim('–'),
          csv: goalOf,
        },
        {
          key: 'summary',
          name: t.summary,
          width: 'minmax(0, 2fr)',
          isExtra: true,
          cell: ({ summary }) => dim(summary ?? '–'),
          csv: ({ summary }) => summary ?? '',
        },
        {
          key: 'campaign',
          name: t.campaign,
          width: 'minmax(0, 1fr)',
          isExtra: true,
          cell: (one) => dim(campaignOf(one) || '–'),
          csv: campaignOf,
        },
        {
          key: 'from',
          name: t.from,
          width: '9rem',
          isExtra: true,
          cell: ({ fromNumber }) => dim(fromNumber ?? '–'),
          csv: ({ fromNumber }) => fromNumber,
        },
        {
          key: 'to',
          name: t.to,
          width: '9rem',
          isExtra: true,
          cell: ({ toNumber }) => dim(toNumber),
          csv: ({ toNumber }) => toNumber,
        },
        {
          key: 'test',
          name: t.tests,
          width: '5rem',
          isExtra: true,
          cell: ({ isTest }) => dim(isTest ? t.isTest : '–'),
          csv: ({ isTest }) => (isTest ? t.isTest : ''),
        },
        {
          key: 'recording',
          name: t.recording,
          width: '24px',
          isQuiet: true,
          from: 700,
          cell: ({ hasRecording }) =>
            hasRecording ? <IconFileMusic size={17} role="img" aria-label={t.hasRecording} /> : null,
          csv: ({ hasRecording }) => (hasRecording ? t.hasRecording : ''),
        },
        {
          key: 'id',
          name: 'ID',
          width: 'minmax(0, 1fr)',
          isExtra: true,
          cell: ({ id }) => dim(id),
          csv: ({ id }) => id,
        },
      ],
      card: (one) => ({
        title: party(one),
        aside: status(one),
        line: `${when(one)} · ${agentOf(one)}`,
        end: formatDuration(one.durationSeconds),
      }),
      menu: (one) => [
        {
          label: t.copyId,
          icon: <IconCopy size={16} aria-hidden />,
          onClick: () => void navigator.clipboard?.writeText(one.id),
        },
        {
          label: shared.remove,
          icon: <IconTrash size={16} aria-hidden />,
          isDangerous: true,
          isDisabled: one.endedAt === null,
          onClick: () => remove([{ id: one.id, name: nameOf(one) }], removal),
        },
      ],
    }
  }, [agentName, campaigns, time, reasons, shared, t, call])
}
