// Makes an agent call a number.
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconPhoneOutgoing } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { AgentSelect } from '../../components/agent-select.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { PhoneInput, useTypedPhone } from '../../components/phone-input.tsx'
import { phoneTexts } from '../../components/phone-texts.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { liveTexts } from './live-texts.ts'

export function PlaceCall({
  isOpen,
  number,
  close,
  placed,
}: {
  isOpen: boolean
  /** Prefilled number; empty for none. */
  number: string
  close: () => void
  placed: (id: string) => void
}) {
  const t = useTexts(liveTexts)
  const shared = useTexts(commonTexts)
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t.placeTitle}
      centered
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <PlaceForm number={number} close={close} placed={placed} />
    </Modal>
  )
}

type PlaceFormProps = { number: string; close: () => void; placed: (id: string) => void }

function PlaceForm({ number, close, placed }: PlaceFormProps) {
  const t = useTexts(liveTexts)
  const shared = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const { data: agents = [] } = useAgents()
  const phone = useTypedPhone(number)
  const calling = agents.filter(({ direction, isActive }) => direction !== 'inbound' && isActive)
  // Preselects the agent if only one can place calls.
  const [chosen, setAgent] = useState<string | null>(null)
  const agentId = chosen ?? (calling.length === 1 ? (calling[0]?.id ?? null) : null)
  const agent = agents.find(({ id }) => id === agentId)
  const isInbound = agent?.direction === 'inbound'
  const [isSubmitted, setSubmitted] = useState(false)

  async function place(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (!agentId || !phone.number || isInbound) return focusFirstError()
    const body = { agentId, toNumber: phone.number }
    await run(async () => placed((await unwrap(api.POST('/api/calls/outbound', { body }))).callId), {
      success: t.placed,
      stale: ['/api/calls', '/api/overview'],
    })
  }

  return (
    <form onSubmit={(event) => void place(event)} noValidate>
      <Stack>
        <Text size="sm">{t.placeText}</Text>
        <AgentSelect
          required
          isCalling
          value={agentId}
          error={isSubmitted && !agentId ? t.needed : undefined}
          onChange={setAgent}
        />
        {isInbound && <OnlyTakes agent={agent} />}
        <PhoneInput phone={phone} label={t.number} isRequired hasFocus isWrong={isSubmitted} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {shared.cancel}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={isInbound}
            leftSection={<IconPhoneOutgoing size={18} aria-hidden />}
          >
            {t.placeGo}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Offers to let an inbound-only agent place calls too, on the spot. */
export function OnlyTakes({ agent: { id, name } }: { agent: { id: string; name: string } }) {
  const t = useTexts(phoneTexts)
  const { isPending, run } = useAction()
  const allow = () =>
    run(() => unwrap(api.PATCH('/api/agents/{id}', { params: { path: { id } }, body: { direction: 'both' } })), {
      success: t.nowCalls(name),
      stale: ['/api/agents'],
    })
  return (
    <Alert color="yellow" variant="light" py="xs" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t.agentOnlyTakes}</Text>
        <Button size="xs" variant="default" loading={isPending} onClick={() => void allow()}>
          {t.makeAgentCall}
        </Button>
      </Group>
    </Alert>
  )
}
