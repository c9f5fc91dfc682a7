// The list of campaigns.
import { Button } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus, IconSpeakerphone, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Campaign } from '../../../../client/paths.ts'
import type { MenuEntry } from '../../components/action-menu.tsx'
import { useAgentNames } from '../../components/agent-name.tsx'
import { dim, ShortTime, StatusText } from '../../components/list/list-cells.tsx'
import { listTexts } from '../../components/list/list-texts.ts'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/query-states.tsx'
import { useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { campaignStates, campaignTones, progressOf } from './campaign-states.ts'
import { campaignsTexts } from './campaigns-texts.ts'
import { ProgressBar } from './progress-bar.tsx'
import { staleCampaigns as stale, useCampaignActs } from './use-campaign-acts.ts'

const fields = [{ key: 'status', values: campaignStates }, { key: 'agentId' }]
const sorts = ['name', 'createdAt', 'updatedAt']
const removal = { pathOf: (id: string) => `/api/campaigns/${id}`, stale }

export function Campaigns() {
  const t = useTexts(campaignsTexts)
  const s = useTexts(campaignStateTexts)
  const shared = useTexts(commonTexts)
  const l = useTexts(listTexts)
  const used = useListAddress(fields, sorts)
  const source = useServerRows<Campaign>('/api/campaigns', used)
  const view = useCampaignsView()
  const make = (
    <Button component={Link} href="/campaigns/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t.make}
    </Button>
  )
  const rules = (
    <Button component={Link} href="/calling-rules" variant="default">
      {t.rules}
    </Button>
  )
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <>
          {rules}
          {source.rows?.length !== 0 && make}
        </>
      }
    >
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
            options: campaignStates.map((value) => ({ value, label: s.states[value] })),
          },
          { kind: 'agent', key: 'agentId' },
        ]}
        nouns={t.count}
        empty={
          <EmptyState
            icon={<IconSpeakerphone size={28} aria-hidden />}
            title={t.none}
            text={t.noneText}
            action={make}
          />
        }
      />
    </Page>
  )
}

function useCampaignsView(): ListView<Campaign> {
  const t = useTexts(campaignsTexts)
  const s = useTexts(campaignStateTexts)
  const shared = useTexts(commonTexts)
  const { locale } = useLanguage()
  const agentName = useAgentNames()
  const remove = useRemoval()
  const { act } = useCampaignActs()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  return useMemo((): ListView<Campaign> => {
    const nameOf = ({ name }: Campaign) => name
    const agentOf = ({ agentId }: Campaign) => (agentId ? agentName(agentId) : '–')
    const stateOf = ({ status, statusReason }: Campaign) =>
      statusReason && statusReason !== 'user' ? `${s.states[status]}: ${s.reasons[statusReason]}` : s.states[status]
    const status = (one: Campaign) => <StatusText tone={campaignTones[one.status]} word={stateOf(one)} />
    return {
      name: 'campaigns',
      label: t.title,
      nameOf,
      openAt: ({ id }) => `/campaigns/${id}`,
      columns: [
        {
          key: 'name',
          name: shared.name,
          width: 'minmax(0, 1.6fr)',
          cell: nameOf,
          csv: nameOf,
          sort: { by: 'name', first: 'asc' },
        },
        {
          key: 'status',
          name: shared.status,
          width: 'minmax(8rem, 1.8fr)',
          cell: status,
          csv: stateOf,
        },
        {
          key: 'agent',
          name: shared.agent,
          width: 'minmax(0, 1.2fr)',
          from: 860,
          cell: (one) => dim(agentOf(one)),
          csv: (one) => (one.agentId ? agentOf(one) : ''),
        },
        {
          key: 'progress',
          name: t.progress,
          width: '10rem',
          cell: (one) => (one.contacts.total === 0 ? dim('–') : <ProgressBar campaign={one} />),
          csv: (one) => progressOf(one),
        },
        {
          key: 'contacts',
          name: t.contacts,
          width: '6.5rem',
          isEnd: true,
          cell: ({ contacts: { total } }) => dim(total.toLocaleString(locale)),
          csv: ({ contacts: { total } }) => total,
        },
        {
          key: 'created',
          name: t.created,
          width: '8rem',
          isEnd: true,
          isTime: true,
          cell: ({ createdAt }) => <ShortTime at={createdAt} />,
          csv: ({ createdAt }) => new Date(createdAt),
          sort: { by: 'createdAt', first: 'desc' },
        },
      ],
      card: (one) => ({
        title: one.name,
        // Without the reason: a long one would leave no room for the name.
        aside: <StatusText tone={campaignTones[one.status]} word={s.states[one.status]} />,
        line:
          one.contacts.total === 0
            ? t.noContacts
            : `${t.progressOf((progressOf(one) / 100).toLocaleString(locale, { style: 'percent' }))} · ${one.contacts.total.toLocaleString(locale)}`,
        end: <ShortTime at={one.createdAt} />,
      }),
      menu: (one) => menuOf(one),
    }

    function menuOf(one: Campaign): MenuEntry[] {
      const { id, status: state } = one
      const entries: MenuEntry[] = []
      if (state === 'draft')
        entries.push({
          label: t.edit,
          icon: <IconPencil size={16} aria-hidden />,
          href: `/campaigns/${id}/edit`,
        })
      if (state === 'running' || state === 'scheduled')
        entries.push({
          label: t.pause,
          icon: <IconPlayerPause size={16} aria-hidden />,
          onClick: () => void act(one, 'pause', t.isPaused),
        })
      if (state === 'paused')
        entries.push({
          label: t.resume,
          icon: <IconPlayerPlay size={16} aria-hidden />,
          onClick: () => void act(one, 'resume', t.isResumed),
        })
      if (state !== 'running' && state !== 'scheduled')
        entries.push({
          label: shared.remove,
          icon: <IconTrash size={16} aria-hidden />,
          isDangerous: true,
          onClick: () => remove([{ id, name: one.name }], removal),
        })
      return entries
    }
  }, [agentName, shared, t, s, locale])
}
