// The phone numbers, with their agents and trunks.
import { ActionIcon, Anchor, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconHash, IconPencil, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Did } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { AgentName } from '../../components/agent-name.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { useTrunkLinks } from '../../components/use-trunk-links.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { NumberForm } from './number-form.tsx'
import { numbersTexts } from './numbers-texts.ts'
import { formatNumber, trunksByNumber } from './phone-number.ts'

export function Numbers() {
  const t = useTexts(numbersTexts)
  const dids = usePages<Did>('/api/did')
  const [form, setForm] = useState<{ did: Did | null; trunkId: string | null } | null>(null)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setForm({ did: null, trunkId: null })}>
      {t.add}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={dids.data?.length !== 0 && add}>
      <QueryResult query={dids}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconHash aria-hidden />}
              title={t.emptyTitle}
              text={t.emptyText}
              action={
                <Group justify="center">
                  {add}
                  <Button component={Link} href="/devices" variant="default">
                    {t.toDevices}
                  </Button>
                </Group>
              }
            />
          ) : (
            <NumberList rows={rows} onEdit={(did, trunkId) => setForm({ did, trunkId })} />
          )
        }
      </QueryResult>
      <LoadMore pages={dids} />
      {form && <NumberForm {...form} onClose={() => setForm(null)} />}
    </Page>
  )
}

function NumberList({ rows, onEdit }: { rows: Did[]; onEdit: (did: Did, trunkId: string | null) => void }) {
  const t = useTexts(numbersTexts)
  const c = useTexts(commonTexts)
  const { run } = useAction()
  const links = useTrunkLinks()
  const { data: trunks } = queries.useQuery('get', '/api/trunks')
  const bringing = useMemo(() => trunksByNumber(links ?? [], trunks ?? []), [links, trunks])
  const remove = ({ id }: Did) =>
    run(() => unwrap(api.DELETE('/api/did/{id}', { params: { path: { id } } })), {
      success: c.removed,
      stale: ['/api/did', '/api/agents/{id}/linked-trunks', '/api/overview'],
    })

  const columns: Column<Did>[] = [
    {
      name: t.number,
      cell: ({ phoneNumber, provider }) => (
        <>
          <Text fw={600} className="numbers">
            {formatNumber(phoneNumber)}
          </Text>
          {provider !== 'gateway' && (
            <Text size="xs" c="dimmed">
              {provider}
            </Text>
          )}
        </>
      ),
    },
    { name: t.agent, cell: ({ agentId }) => <AgentName id={agentId} fallback={t.nobody} /> },
    {
      name: t.trunk,
      cell: ({ phoneNumber }) => {
        const found = bringing.get(phoneNumber) ?? []
        if (found.length === 0)
          return (
            <Text size="sm" c="dimmed">
              {t.trunkNone}
            </Text>
          )
        return found.map(({ trunkId, trunkName }) => (
          <Anchor key={trunkId} component={Link} href={`/trunks/${trunkId}`} size="sm" display="block">
            {trunkName}
          </Anchor>
        ))
      },
    },
    {
      name: c.status,
      cell: ({ status, agentId }) => {
        if (status === 'inactive') return <StatusBadge tone="off" word={t.inactive} />
        return <StatusBadge tone={agentId ? 'good' : 'warn'} word={agentId ? t.active : t.noAgent} />
      },
    },
    {
      name: c.actions,
      isEnd: true,
      cell: (did) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Tooltip label={c.edit}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t.editNamed(formatNumber(did.phoneNumber))}
              onClick={() => onEdit(did, bringing.get(did.phoneNumber)?.[0]?.trunkId ?? null)}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <ConfirmButton
            size="xs"
            variant="subtle"
            aria-label={t.removeNamed(formatNumber(did.phoneNumber))}
            question={t.removeQuestion(formatNumber(did.phoneNumber))}
            warning={t.removeWarning}
            onConfirm={() => remove(did)}
          >
            {c.remove}
          </ConfirmButton>
        </Group>
      ),
    },
  ]
  return <RecordTable label={t.title} rows={rows} columns={columns} keyOf={({ id }) => id} />
}
