// The list of callback requests; a row opens its details beside the list.
import { IconCheck, IconCopy, IconPhone, IconPhoneIncoming, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { Callback } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import type { MenuEntry } from '../../components/action-menu.tsx'
import { useAgentNames } from '../../components/agent-name.tsx'
import { dim, plain, ShortTime, StatusText } from '../../components/list/list-cells.tsx'
import { listTexts } from '../../components/list/list-texts.ts'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useBulk } from '../../components/list/use-bulk.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { Page } from '../../components/page.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { EmptyState } from '../../components/query-states.tsx'
import { useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { CallbackDetails } from './callback-details.tsx'
import { callbackTones, telHref } from './callback-links.ts'
import { callbacksTexts } from './callbacks-texts.ts'
import { staleCallbacks as stale, useCallbackChanges } from './use-callback-changes.ts'

const states = ['open', 'done', 'canceled'] as const satisfies readonly Callback['status'][]
const fields = [{ key: 'status', values: states }]
const sorts = ['createdAt']
const removal = { pathOf: (id: string) => `/api/callbacks/${id}`, stale }

export function Callbacks() {
  const t = useTexts(callbacksTexts)
  const shared = useTexts(commonTexts)
  const l = useTexts(listTexts)
  const used = useListAddress(fields, sorts)
  const source = useServerRows<Callback>('/api/callbacks', used)
  const [params, setParams] = useSearchParams()
  const choose = (id: string | null) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      if (id) next.set('id', id)
      else next.delete('id')
      return next
    })
  const view = useCallbacksView((id) => choose(id))
  return (
    <Page title={t.title} about={t.about}>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.searchLabel}
        inputs={[
          {
            kind: 'choice',
            key: 'status',
            label: shared.status,
            placeholder: l.anyShe,
            options: states.map((value) => ({ value, label: t.states[value] })),
          },
        ]}
        nouns={t.count}
        empty={<EmptyState icon={<IconPhoneIncoming size={28} aria-hidden />} title={t.none} text={t.noneText} />}
      />
      <Chosen id={params.get('id')} onClose={() => choose(null)} />
    </Page>
  )
}

function Chosen({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { data } = queries.useQuery(
    'get',
    '/api/callbacks/{id}',
    { params: { path: { id: id ?? '' } } },
    { enabled: id !== null, retry: false },
  )
  return id !== null && data ? <CallbackDetails callback={data} onClose={onClose} /> : null
}

function useCallbacksView(open: (id: string) => void): ListView<Callback> {
  const t = useTexts(callbacksTexts)
  const shared = useTexts(commonTexts)
  const agentName = useAgentNames()
  const remove = useRemoval()
  const { setStatus } = useCallbackChanges()
  const nameOf = ({ name, phoneNumber }: Callback) => name ?? (phoneNumber ? formatNumber(phoneNumber) : t.unnamed)
  const bulk = useBulk<Callback>({ nameOf, removal, stale })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  return useMemo((): ListView<Callback> => {
    const numberOf = ({ phoneNumber }: Callback) => (phoneNumber ? formatNumber(phoneNumber) : '–')
    const agentOf = ({ agentId }: Callback) => (agentId ? agentName(agentId) : '–')
    const status = (one: Callback) => <StatusText tone={callbackTones[one.status]} word={t.states[one.status]} />
    return {
      name: 'callbacks',
      label: t.title,
      nameOf,
      bulk,
      onOpen: ({ id }) => open(id),
      columns: [
        {
          key: 'name',
          name: t.who,
          width: 'minmax(0, 1.2fr)',
          cell: (one) => plain(one.name ?? t.unnamed),
          csv: ({ name }) => name,
        },
        {
          key: 'number',
          name: t.number,
          width: '10.5rem',
          cell: (one) => plain(numberOf(one)),
          csv: ({ phoneNumber }) => phoneNumber,
        },
        {
          key: 'matter',
          name: t.matter,
          width: 'minmax(0, 2fr)',
          cell: ({ matter }) => dim(matter ?? '–'),
          csv: ({ matter }) => matter,
        },
        {
          key: 'agent',
          name: shared.agent,
          width: 'minmax(0, 1fr)',
          from: 860,
          cell: (one) => dim(agentOf(one)),
          csv: (one) => (one.agentId ? agentOf(one) : ''),
        },
        {
          key: 'when',
          name: t.when,
          width: '8rem',
          isTime: true,
          cell: ({ createdAt }) => <ShortTime at={createdAt} />,
          csv: ({ createdAt }) => new Date(createdAt),
          sort: { by: 'createdAt', first: 'desc' },
        },
        {
          key: 'status',
          name: shared.status,
          width: '7rem',
          cell: status,
          csv: (one) => t.states[one.status],
        },
        {
          key: 'note',
          name: t.note,
          width: 'minmax(0, 1.4fr)',
          isExtra: true,
          cell: ({ note }) => dim(note ?? '–'),
          csv: ({ note }) => note,
        },
      ],
      card: (one) => ({
        title: nameOf(one),
        aside: status(one),
        line: one.matter ?? t.noMatter,
        end: <ShortTime at={one.createdAt} />,
      }),
      menu: (one) => menuOf(one),
    }

    function menuOf(one: Callback): MenuEntry[] {
      const tel = telHref(one)
      const { phoneNumber } = one
      return [
        ...(tel
          ? [
              {
                label: t.call,
                icon: <IconPhone size={16} aria-hidden />,
                onClick: () => location.assign(tel),
              },
            ]
          : []),
        one.status === 'open'
          ? {
              label: t.markDone,
              icon: <IconCheck size={16} aria-hidden />,
              onClick: () => void setStatus(one, 'done'),
            }
          : {
              label: t.reopen,
              icon: <IconRefresh size={16} aria-hidden />,
              onClick: () => void setStatus(one, 'open'),
            },
        ...(phoneNumber
          ? [
              {
                label: t.copyNumber,
                icon: <IconCopy size={16} aria-hidden />,
                onClick: () => void navigator.clipboard?.writeText(phoneNumber),
              },
            ]
          : []),
        {
          label: shared.remove,
          icon: <IconTrash size={16} aria-hidden />,
          isDangerous: true,
          onClick: () => remove([{ id: one.id, name: nameOf(one) }], removal),
        },
      ]
    }
  }, [agentName, shared, t])
}
