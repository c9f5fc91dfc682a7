// An agent's numbers, trunks and devices.
import { Button, Group, Select, SimpleGrid, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, queries, unwrap } from '../../api.ts'
import { NumberDialog } from '../../components/number-dialog.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { toneOf } from '../trunks/trunk-state.ts'
import { trunksTexts } from '../trunks/trunks-texts.ts'
import type { AgentFormProps } from './agent-form.ts'
import { connectionsTexts } from './connections-texts.ts'
import { AddLink, LinkList } from './link-list.tsx'

const stale = ['/api/agents', '/api/did', '/api/trunks', '/api/trunk-links', '/api/gateway', '/api/overview']

export function PhoneTab(part: AgentFormProps) {
  return (
    <Stack gap="lg">
      <Numbers {...part} />
      <Trunks {...part} />
      <Devices {...part} />
    </Stack>
  )
}

function Numbers({ agent }: AgentFormProps) {
  const t = useTexts(connectionsTexts)
  const { isPending, run } = useAction()
  const [isAdding, { open: openDialog, close }] = useDisclosure(false)
  const numbers = queries.useQuery('get', '/api/did')
  const give = (id: string, agentId: string | null, success: string) =>
    run(() => unwrap(api.PATCH('/api/did/{id}', { params: { path: { id } }, body: { agentId } })), { success, stale })
  const others = (numbers.data ?? []).filter(({ agentId }) => agentId !== agent.id)
  return (
    <Section
      title={t.numbers}
      about={t.numbersAbout}
      actions={
        <Button variant="default" onClick={openDialog}>
          {t.makeNumber}
        </Button>
      }
    >
      <QueryResult query={numbers}>
        {(all) => (
          <LinkList
            label={t.numbers}
            isPending={isPending}
            none={t.noNumbers}
            onUnlink={(id) => void give(id, null, t.unlinked)}
            rows={all
              .filter(({ agentId }) => agentId === agent.id)
              .map(({ id, phoneNumber }) => ({ id, name: formatNumber(phoneNumber) }))}
          />
        )}
      </QueryResult>
      {others.length > 0 && (
        <AddLink
          label={t.addNumber}
          placeholder={t.chooseNumber}
          choices={others.map(({ id, phoneNumber, agentId }) => ({
            value: id,
            label: agentId ? `${formatNumber(phoneNumber)} (${t.ofOther})` : formatNumber(phoneNumber),
          }))}
          isPending={isPending}
          onAdd={(id) => give(id, agent.id, t.linked)}
        />
      )}
      {isAdding && <NumberDialog agentId={agent.id} onClose={close} />}
    </Section>
  )
}

function Trunks({ agent }: AgentFormProps) {
  const t = useTexts(connectionsTexts)
  const trunkWords = useTexts(trunksTexts)
  const { isPending, run } = useAction()
  const linked = queries.useQuery('get', '/api/agents/{id}/linked-trunks', { params: { path: { id: agent.id } } })
  const all = queries.useQuery('get', '/api/trunks')
  const unlink = (trunkId: string) =>
    run(
      () =>
        unwrap(api.DELETE('/api/agents/{id}/link-trunk/{trunkId}', { params: { path: { id: agent.id, trunkId } } })),
      { success: t.unlinked, stale },
    )
  const hasNone = all.data?.length === 0
  return (
    <Section
      title={t.trunks}
      about={hasNone ? t.noTrunksExist : t.trunksAbout}
      actions={
        <Button component={Link} href="/trunks" variant="default">
          {t.makeTrunk}
        </Button>
      }
    >
      <QueryResult query={linked}>
        {(links) => {
          const ids = [...new Set(links.map(({ trunkId }) => trunkId))]
          const rows = ids.map((id) => {
            const mine = links.filter(({ trunkId }) => trunkId === id)
            const uses = mine.map(({ trunkType, phoneNumbers }) =>
              [t[trunkType], ...phoneNumbers.map(formatNumber)].join(' '),
            )
            const status = mine[0]?.trunk.status
            return {
              id,
              name: mine[0]?.trunk.name ?? id,
              at: `/trunks/${id}`,
              badge: status && <StatusBadge tone={toneOf[status]} word={trunkWords.status[status]} />,
              about: uses.join(' · '),
            }
          })
          return (
            <LinkList
              label={t.trunks}
              isPending={isPending}
              none={t.noTrunks}
              onUnlink={(id) => void unlink(id)}
              rows={rows}
            />
          )
        }}
      </QueryResult>
      {!hasNone && <LinkTrunk agentId={agent.id} trunks={all.data ?? []} />}
    </Section>
  )
}

function LinkTrunk({ agentId, trunks }: { agentId: string; trunks: readonly { id: string; name: string }[] }) {
  const t = useTexts(connectionsTexts)
  const { isPending, run } = useAction()
  const [trunkId, setTrunk] = useState<string | null>(null)
  const [trunkType, setType] = useState<'inbound' | 'outbound'>('inbound')
  const link = async () => {
    if (!trunkId) return
    const body = { trunkId, trunkType }
    const isDone = await run(
      () => unwrap(api.POST('/api/agents/{id}/link-trunk', { params: { path: { id: agentId } }, body })),
      { success: t.linked, stale },
    )
    if (isDone) setTrunk(null)
  }
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'start' }}>
        <Select
          label={t.trunk}
          data={trunks.map(({ id, name }) => ({ value: id, label: name }))}
          value={trunkId}
          onChange={setTrunk}
        />
        <Select
          label={t.use}
          allowDeselect={false}
          data={(['inbound', 'outbound'] as const).map((value) => ({ value, label: t[value] }))}
          value={trunkType}
          onChange={(chosen) => setType(chosen as typeof trunkType)}
        />
      </SimpleGrid>
      <Group>
        <Button variant="light" loading={isPending} disabled={!trunkId} onClick={() => void link()}>
          {t.addTrunk}
        </Button>
      </Group>
    </Stack>
  )
}

function Devices({ agent }: AgentFormProps) {
  const t = useTexts(connectionsTexts)
  const { isPending, run } = useAction()
  const devices = queries.useQuery('get', '/api/gateway/devices')
  const give = (id: string, agentId: string | null, success: string) =>
    run(() => unwrap(api.PATCH('/api/gateway/devices/{id}', { params: { path: { id } }, body: { agentId } })), {
      success,
      stale,
    })
  const nameOf = (device: { name: string | null; displayName: string | null; deviceId: string }) =>
    device.name ?? device.displayName ?? device.deviceId
  const others = (devices.data ?? []).filter(({ agentId }) => agentId !== agent.id)
  return (
    <Section
      title={t.devices}
      about={t.devicesAbout}
      actions={
        <Button component={Link} href="/devices" variant="default">
          {t.makeDevice}
        </Button>
      }
    >
      <QueryResult query={devices}>
        {(all) => (
          <LinkList
            label={t.devices}
            isPending={isPending}
            none={t.noDevices}
            onUnlink={(id) => void give(id, null, t.unlinked)}
            rows={all
              .filter(({ agentId }) => agentId === agent.id)
              .map((device) => ({
                id: device.id,
                name: nameOf(device),
                about: device.phone && formatNumber(device.phone),
                badge: (
                  <StatusBadge
                    tone={device.connected ? 'good' : 'off'}
                    word={device.connected ? t.connected : t.notConnected}
                  />
                ),
              }))}
          />
        )}
      </QueryResult>
      {others.length > 0 && (
        <AddLink
          label={t.addDevice}
          placeholder={t.chooseDevice}
          choices={others.map((device) => ({
            value: device.id,
            label: device.agentId ? `${nameOf(device)} (${t.ofOther})` : nameOf(device),
          }))}
          isPending={isPending}
          onAdd={(id) => give(id, agent.id, t.linked)}
        />
      )}
    </Section>
  )
}
