// The agents linked to a trunk, with their numbers.
import { Anchor, Badge, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Trunk, TrunkAgent } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { NumberDialog } from '../../components/number-dialog.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { Loading } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { trunksTexts } from './trunks-texts.ts'

const stale = [
  '/api/trunks/{id}/agents',
  '/api/agents/{id}/linked-trunks',
  '/api/trunk-links',
  '/api/did',
  '/api/overview',
]

/** Undefined while loading. */
export const useAgentsOfTrunk = (id: string) =>
  queries.useQuery('get', '/api/trunks/{id}/agents', { params: { path: { id } } }).data

export function TrunkLinks({ trunk }: { trunk: Trunk }) {
  const t = useTexts(trunksTexts)
  const agents = useAgentsOfTrunk(trunk.id)
  const [isLinking, { open, close }] = useDisclosure(false)
  const [isAdding, { open: openNumber, close: closeNumber }] = useDisclosure(false)
  return (
    <Section
      title={t.links}
      about={t.linksAbout}
      actions={
        <Group gap="xs">
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={openNumber}>
            {t.addNumber}
          </Button>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t.link}
          </Button>
        </Group>
      }
    >
      {agents === undefined ? (
        <Loading />
      ) : agents.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t.linksEmpty}
        </Text>
      ) : (
        <Stack gap={0} component="ul" p={0} m={0}>
          {agents.map((agent) => (
            <LinkedAgent key={agent.id} trunk={trunk} agent={agent} />
          ))}
        </Stack>
      )}
      {isLinking && <NewLink trunk={trunk} onClose={close} />}
      {isAdding && <NumberDialog trunkId={trunk.id} onClose={closeNumber} />}
    </Section>
  )
}

function LinkedAgent({ trunk, agent: { id, name, trunkTypes, phoneNumbers } }: { trunk: Trunk; agent: TrunkAgent }) {
  const t = useTexts(trunksTexts)
  const { run } = useAction()
  const unlink = () =>
    run(
      () =>
        unwrap(api.DELETE('/api/agents/{id}/link-trunk/{trunkId}', { params: { path: { id, trunkId: trunk.id } } })),
      { success: t.unlinked, stale },
    )
  return (
    <Group
      component="li"
      justify="space-between"
      py="sm"
      style={{ listStyle: 'none', borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <div>
        <Group gap="xs">
          <Anchor component={Link} href={`/agents/${id}`} fw={600}>
            {name}
          </Anchor>
          {trunkTypes.map((trunkType) => (
            <Badge key={trunkType} variant="default" tt="none" fw={500}>
              {trunkType === 'inbound' ? t.linkInbound : t.linkOutbound}
            </Badge>
          ))}
        </Group>
        <Text size="sm" c="dimmed" className="numbers">
          {phoneNumbers.length > 0 ? phoneNumbers.map(formatNumber).join(', ') : t.noNumbers}
        </Text>
      </div>
      <ConfirmButton
        size="xs"
        variant="subtle"
        aria-label={t.unlinkNamed(name)}
        question={t.unlinkQuestion(name)}
        warning={t.unlinkWarning}
        confirm={t.unlink}
        onConfirm={unlink}
      >
        {t.unlink}
      </ConfirmButton>
    </Group>
  )
}

function NewLink({ trunk, onClose }: { trunk: Trunk; onClose: () => void }) {
  const t = useTexts(trunksTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const [agentId, setAgentId] = useState<string | null>(null)
  const [trunkType, setTrunkType] = useState<'inbound' | 'outbound'>('inbound')
  const [isSubmitted, setSubmitted] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (!agentId) return focusFirstError()
    const body = { trunkId: trunk.id, trunkType }
    const task = () => unwrap(api.POST('/api/agents/{id}/link-trunk', { params: { path: { id: agentId } }, body }))
    if (await run(task, { success: t.linked, stale })) onClose()
  }

  return (
    <Modal opened onClose={onClose} title={t.link} closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <AgentSelect
            required
            data-autofocus
            value={agentId}
            onChange={setAgentId}
            error={isSubmitted && !agentId ? t.agentMissing : undefined}
          />
          <Radio.Group
            label={t.linkWay}
            value={trunkType}
            onChange={(chosen) => setTrunkType(chosen as typeof trunkType)}
          >
            <Group mt={6}>
              <Radio value="inbound" label={t.linkInbound} />
              <Radio value="outbound" label={t.linkOutbound} />
            </Group>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {t.link}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
