// The phone numbers with their agents and trunks.
import { Anchor, Button, Group } from '@mantine/core'
import { IconHash, IconPencil, IconPlus, IconTrash, IconWebhook } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Did } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { useAgentNames } from '../../components/agent-name.tsx'
import { AnswerHookDialog } from '../../components/answer-hook/answer-hook-dialog.tsx'
import { answerHookTexts } from '../../components/answer-hook/answer-hook-texts.ts'
import { dim, StatusText } from '../../components/list/list-cells.tsx'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useBulk } from '../../components/list/use-bulk.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { NumberDialog, type NumberPreset } from '../../components/number-dialog.tsx'
import { Page } from '../../components/page.tsx'
import { Phone } from '../../components/phone.tsx'
import { formatNumber, trunksByNumber } from '../../components/phone-number.ts'
import { EmptyState } from '../../components/query-states.tsx'
import { useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { numbersTexts } from './numbers-texts.ts'

const fields = [
  { key: 'agent', param: 'agentId' },
  { key: 'status', values: ['active', 'inactive'] },
] as const
const sorts = ['phoneNumber', 'status', 'createdAt']
const stale = ['/api/did', '/api/trunk-links', '/api/overview']
const removal = { pathOf: (id: string) => `/api/did/${id}`, stale }
const nameOf = ({ phoneNumber }: Did) => formatNumber(phoneNumber)

export function Numbers() {
  const t = useTexts(numbersTexts)
  const c = useTexts(commonTexts)
  const used = useListAddress(fields, sorts)
  const source = useServerRows<Did>('/api/did', used)
  const [form, setForm] = useState<NumberPreset | null>(null)
  const [hookOf, setHookOf] = useState<string | null>(null)
  const view = useNumbersView(setForm, setHookOf)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setForm({})}>
      {t.add}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={add}>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.search}
        inputs={[
          { kind: 'agent', key: 'agent' },
          {
            kind: 'choice',
            key: 'status',
            label: c.status,
            placeholder: t.anyStatus,
            options: [
              { value: 'active', label: t.active },
              { value: 'inactive', label: t.inactive },
            ],
          },
        ]}
        nouns={t.count}
        empty={
          <EmptyState
            icon={<IconHash aria-hidden />}
            title={t.emptyTitle}
            text={t.emptyText}
            action={
              <Group justify="center">
                <Button variant="light" onClick={() => setForm({})}>
                  {t.add}
                </Button>
                <Button component={Link} href="/devices" variant="default">
                  {t.toDevices}
                </Button>
              </Group>
            }
          />
        }
      />
      {hookOf && <AnswerHookDialog owner={{ kind: 'did', id: hookOf }} onClose={() => setHookOf(null)} />}
      {form && <NumberDialog {...form} onClose={() => setForm(null)} />}
    </Page>
  )
}

/** Loads agents, links and trunks once, not once per row. */
function useNumbersView(edit: (preset: NumberPreset) => void, editHook: (didId: string) => void): ListView<Did> {
  const h = useTexts(answerHookTexts)
  const t = useTexts(numbersTexts)
  const c = useTexts(commonTexts)
  const agentName = useAgentNames()
  const { data: links } = queries.useQuery('get', '/api/trunk-links')
  const { data: trunks } = queries.useQuery('get', '/api/trunks')
  const remove = useRemoval()
  const bulk = useBulk<Did>({
    nameOf,
    removal,
    stale,
    isActive: ({ status }) => status === 'active',
    setActive: ({ id }, isActive) => {
      const body = { status: isActive ? ('active' as const) : ('inactive' as const) }
      return unwrap(api.PATCH('/api/did/{id}', { params: { path: { id } }, body }))
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  return useMemo(() => {
    const bringing = trunksByNumber(links ?? [])
    const trunkNames = new Map(trunks?.map(({ id, name }) => [id, name]))
    const trunksOf = ({ phoneNumber }: Did) => bringing.get(phoneNumber) ?? []
    const trunkText = (did: Did) =>
      trunksOf(did)
        .map(({ trunkId }) => trunkNames.get(trunkId) ?? trunkId)
        .join(', ')
    const open = (did: Did) => edit({ did, trunkId: trunksOf(did)[0]?.trunkId ?? null })
    const agentText = ({ agentId }: Did) => (agentId ? agentName(agentId) : t.nobody)
    const status = ({ status, agentId }: Did) => {
      if (status === 'inactive') return <StatusText tone="off" word={t.inactive} />
      return <StatusText tone={agentId ? 'good' : 'warn'} word={agentId ? t.active : t.noAgent} />
    }
    return {
      name: 'numbers',
      label: t.title,
      nameOf,
      onOpen: open,
      bulk,
      columns: [
        {
          key: 'number',
          name: t.number,
          width: 'minmax(150px, 1.2fr)',
          cell: ({ phoneNumber }) => (
            <strong>
              <Phone number={phoneNumber} />
            </strong>
          ),
          csv: ({ phoneNumber }) => phoneNumber,
          sort: { by: 'phoneNumber', first: 'asc' },
        },
        {
          key: 'agent',
          name: t.agent,
          width: 'minmax(0, 1.6fr)',
          cell: (did) =>
            did.agentId ? (
              <Anchor component={Link} href={`/agents/${did.agentId}`} size="sm">
                {agentText(did)}
              </Anchor>
            ) : (
              dim(t.nobody)
            ),
          csv: (did) => (did.agentId ? agentText(did) : ''),
        },
        {
          key: 'trunk',
          name: t.trunk,
          width: 'minmax(0, 1.2fr)',
          from: 640,
          cell: (did) => {
            const [first] = trunksOf(did)
            return first ? (
              <Anchor component={Link} href={`/trunks/${first.trunkId}`} size="sm">
                {trunkText(did)}
              </Anchor>
            ) : (
              dim(t.trunkNone)
            )
          },
          csv: trunkText,
        },
        {
          key: 'provider',
          name: t.provider,
          width: 'minmax(0, 1fr)',
          from: 900,
          cell: ({ provider }) => dim(provider === 'gateway' ? '–' : provider),
          csv: ({ provider }) => (provider === 'gateway' ? '' : provider),
        },
        {
          key: 'status',
          name: c.status,
          width: '8rem',
          cell: status,
          csv: ({ status }) => (status === 'active' ? t.active : t.inactive),
          sort: { by: 'status', first: 'asc' },
        },
      ],
      card: (did) => ({
        title: <Phone number={did.phoneNumber} />,
        aside: status(did),
        line: agentText(did),
        end: trunkText(did),
      }),
      menu: (did) => [
        { label: c.edit, icon: <IconPencil size={16} aria-hidden />, onClick: () => open(did) },
        { label: h.open, icon: <IconWebhook size={16} aria-hidden />, onClick: () => editHook(did.id) },
        {
          label: c.remove,
          icon: <IconTrash size={16} aria-hidden />,
          isDangerous: true,
          onClick: () => remove([{ id: did.id, name: nameOf(did) }], removal),
        },
      ],
    }
  }, [links, trunks, agentName, t, c])
}
