// The telephone numbers: who answers each, and which trunk brings it.
import { ActionIcon, Anchor, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconHash, IconPencil, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Did } from '../../../../client/paths.ts'
import { api, done, queries } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { AgentName } from '../../parts/agent-name.tsx'
import { ConfirmButton, useAction } from '../../parts/doing.tsx'
import { useTrunkLinks } from '../../parts/linked-trunks.ts'
import { Page } from '../../parts/page.tsx'
import { More, usePaged } from '../../parts/paged.tsx'
import { type Column, RecordTable } from '../../parts/record-table.tsx'
import { Empty, Reading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { NumberForm } from './number-form.tsx'
import { numbersWords } from './numbers-words.ts'
import { shownNumber, trunksByNumber } from './phone-number.ts'

export function Numbers() {
  const t = useWords(numbersWords)
  const dids = usePaged<Did>('/api/did')
  const [form, setForm] = useState<{ did: Did | null; trunkId: string | null } | null>(null)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setForm({ did: null, trunkId: null })}>
      {t.add}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={dids.data?.length !== 0 && add}>
      <Reading of={dids}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
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
      </Reading>
      <More of={dids} />
      {form && <NumberForm {...form} onClose={() => setForm(null)} />}
    </Page>
  )
}

function NumberList({ rows, onEdit }: { rows: Did[]; onEdit: (did: Did, trunkId: string | null) => void }) {
  const t = useWords(numbersWords)
  const c = useWords(common)
  const { run } = useAction()
  const links = useTrunkLinks()
  const { data: trunks } = queries.useQuery('get', '/api/trunks')
  const bringing = useMemo(() => trunksByNumber(links ?? [], trunks ?? []), [links, trunks])
  const remove = ({ id }: Did) =>
    run(() => done(api.DELETE('/api/did/{id}', { params: { path: { id } } })), {
      success: c.removed,
      stale: ['/api/did', '/api/agents/{id}/linked-trunks', '/api/overview'],
    })

  const columns: Column<Did>[] = [
    {
      name: t.number,
      cell: ({ phoneNumber, provider }) => (
        <>
          <Text fw={600} className="numbers">
            {shownNumber(phoneNumber)}
          </Text>
          {provider !== 'gateway' && (
            <Text size="xs" c="dimmed">
              {provider}
            </Text>
          )}
        </>
      ),
    },
    { name: t.agent, cell: ({ agentId }) => <AgentName id={agentId} otherwise={t.nobody} /> },
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
              aria-label={t.editNamed(shownNumber(did.phoneNumber))}
              onClick={() => onEdit(did, bringing.get(did.phoneNumber)?.[0]?.trunkId ?? null)}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <ConfirmButton
            size="xs"
            variant="subtle"
            aria-label={t.removeNamed(shownNumber(did.phoneNumber))}
            question={t.removeQuestion(shownNumber(did.phoneNumber))}
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
