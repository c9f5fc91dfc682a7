// The contacts of a campaign: search, filters, next attempt; a row opens the contact beside the list.
import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Campaign, CampaignContact } from '../../../../client/paths.ts'
import { dim, plain, ShortTime, StatusText } from '../../components/list/list-cells.tsx'
import { listTexts } from '../../components/list/list-texts.ts'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { formatNumber } from '../../components/phone-number.ts'
import { EmptyState } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { contactStates, contactTones, isOver, outcomes } from './campaign-states.ts'
import { campaignTexts } from './campaign-texts.ts'
import { variableOf } from './column-variables.ts'
import { ContactDrawer } from './contact-drawer.tsx'

const fields = [
  { key: 'status', values: contactStates },
  { key: 'outcome', values: outcomes },
]

/** The values of its columns, except the number. */
export const dataOf = (
  { variables }: Pick<CampaignContact, 'variables'>,
  { phoneColumn }: Pick<Campaign, 'phoneColumn'>,
): string => {
  const phone = phoneColumn && variableOf(phoneColumn, 0)
  return Object.entries(variables)
    .filter(([name, value]) => name !== phone && value !== '')
    .map(([, value]) => value)
    .join(' · ')
}

export function ContactsSection({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const shared = useTexts(commonTexts)
  const l = useTexts(listTexts)
  const used = useListAddress(fields)
  const source = useServerRows<CampaignContact>(`/api/campaigns/${campaign.id}/contacts`, used)
  const [params, setParams] = useSearchParams()
  const choose = (id: string | null) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      if (id) next.set('contact', id)
      else next.delete('contact')
      return next
    })
  const view = useContactsView(campaign, choose)
  const chosen = params.get('contact')
  return (
    <Section title={t.contacts} isPlain>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.contactSearch}
        inputs={[
          {
            kind: 'choice',
            key: 'status',
            label: shared.status,
            placeholder: l.anyShe,
            options: contactStates.map((value) => ({ value, label: s.contactStates[value] })),
          },
          {
            kind: 'choice',
            key: 'outcome',
            label: t.outcome,
            placeholder: l.any,
            options: outcomes.map((value) => ({ value, label: s.outcomes[value] })),
          },
        ]}
        nouns={t.contactCount}
        empty={
          <EmptyState
            icon={<IconUsers size={28} aria-hidden />}
            title={t.noContacts}
            text={t.noContactsText}
            action={
              !isOver(campaign.status) && (
                <Button component={Link} href={`/campaigns/${campaign.id}/edit?step=list`} variant="default">
                  {t.addList}
                </Button>
              )
            }
          />
        }
      />
      {chosen && <ContactDrawer campaign={campaign} contactId={chosen} onClose={() => choose(null)} />}
    </Section>
  )
}

function useContactsView(campaign: Campaign, open: (id: string) => void): ListView<CampaignContact> {
  const t = useTexts(campaignTexts)
  const s = useTexts(campaignStateTexts)
  const shared = useTexts(commonTexts)
  const { phoneColumn } = campaign
  // biome-ignore lint/correctness/useExhaustiveDependencies: the action changes with every drawing, what it does does not
  return useMemo((): ListView<CampaignContact> => {
    const numberOf = ({ phoneNumber }: CampaignContact) => (phoneNumber ? formatNumber(phoneNumber) : t.forgotten)
    const outcomeOf = ({ outcome }: CampaignContact) => (outcome ? s.outcomes[outcome] : '–')
    const status = (one: CampaignContact) => (
      <StatusText tone={contactTones[one.status]} word={s.contactStates[one.status]} />
    )
    const next = (one: CampaignContact) => <ShortTime at={one.status === 'waiting' ? one.dueAt : null} />
    return {
      name: 'campaign-contacts',
      label: t.contacts,
      nameOf: numberOf,
      onOpen: ({ id }) => open(id),
      columns: [
        {
          key: 'number',
          name: t.number,
          width: '11rem',
          cell: (one) => plain(numberOf(one)),
          csv: ({ phoneNumber }) => phoneNumber,
        },
        {
          key: 'data',
          name: t.data,
          width: 'minmax(0, 2fr)',
          cell: (one) => dim(dataOf(one, { phoneColumn }) || '–'),
          csv: (one) => dataOf(one, { phoneColumn }),
        },
        {
          key: 'status',
          name: shared.status,
          width: '8rem',
          cell: status,
          csv: (one) => s.contactStates[one.status],
        },
        {
          key: 'outcome',
          name: t.outcome,
          width: 'minmax(7rem, 1fr)',
          from: 760,
          cell: (one) => dim(outcomeOf(one)),
          csv: (one) => (one.outcome ? outcomeOf(one) : ''),
        },
        {
          key: 'tries',
          name: t.tries,
          width: '6.5rem',
          isEnd: true,
          from: 760,
          cell: ({ tries }) => dim(tries),
          csv: ({ tries }) => tries,
        },
        {
          key: 'next',
          name: t.next,
          width: '9rem',
          isEnd: true,
          isTime: true,
          cell: next,
          csv: ({ status: state, dueAt }) => (state === 'waiting' && dueAt ? new Date(dueAt) : null),
        },
      ],
      card: (one) => ({
        title: numberOf(one),
        aside: status(one),
        line: dataOf(one, { phoneColumn }) || outcomeOf(one),
        end: next(one),
      }),
    }
  }, [shared, t, s, phoneColumn])
}
