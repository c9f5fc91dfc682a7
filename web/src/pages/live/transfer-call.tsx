// Transfers a live call to a number, a SIP address or another agent.
import { Alert, Button, Collapse, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconArrowForwardUp } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Call } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { PhoneInput, useTypedPhone } from '../../components/phone-input.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { liveTexts } from './live-texts.ts'

const kinds = ['number', 'agent', 'sip'] as const
type Kind = (typeof kinds)[number]
const methods = ['auto', 'refer', 'bridge'] as const
type Method = (typeof methods)[number]

export function TransferCall({ call }: { call: Call }) {
  const t = useTexts(liveTexts)
  const shared = useTexts(commonTexts)
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" leftSection={<IconArrowForwardUp size={18} aria-hidden />} onClick={open}>
        {t.transfer}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t.transferTitle}
        centered
        closeButtonProps={{ 'aria-label': shared.close }}
      >
        <TransferForm callId={call.id} close={close} />
      </Modal>
    </>
  )
}

function TransferForm({ callId, close }: { callId: string; close: () => void }) {
  const t = useTexts(liveTexts)
  const shared = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const target = useTarget()
  const [whisper, setWhisper] = useState('')
  const [method, setMethod] = useState<Method>('auto')
  const [problem, setProblem] = useState<string | null>(null)
  const [isSubmitted, setSubmitted] = useState(false)
  const isAgent = target.kind === 'agent'
  const hasWhisper = isAgent || method !== 'refer'

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    setProblem(null)
    if (!target.chosen) return focusFirstError()
    const body = {
      ...target.chosen,
      ...(isAgent || method === 'auto' ? {} : { method }),
      ...(hasWhisper && whisper.trim() !== '' ? { whisper: whisper.trim() } : {}),
    }
    void run(
      async () => {
        const { status, detail } = await unwrap(
          api.POST('/api/calls/{id}/transfer', { params: { path: { id: callId } }, body }),
        )
        if (status !== 'done' && status !== 'connected')
          return setProblem([t.outcome[status], detail].filter(Boolean).join(': '))
        notifications.show({ message: t.outcome[status], color: 'ramal' })
        close()
      },
      { stale: ['/api/calls'] },
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TargetFields target={target} isSubmitted={isSubmitted} />
        <TextInput
          label={`${isAgent ? t.note : t.whisper} (${shared.optional})`}
          description={isAgent ? undefined : t.whisperHint}
          maxLength={1000}
          disabled={!hasWhisper}
          value={whisper}
          onChange={(event) => setWhisper(event.currentTarget.value)}
        />
        {!isAgent && <MethodSelect method={method} setMethod={setMethod} />}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {isPending && (
          <Text size="sm" c="dimmed" role="status">
            {t.transferring}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {shared.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {t.transferGo}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type Target = ReturnType<typeof useTarget>

/** `chosen` is the target as the API expects it; null while incomplete. */
function useTarget() {
  const [kind, setKind] = useState<Kind>('number')
  const phone = useTypedPhone()
  const [address, setAddress] = useState('')
  const [agentId, setAgentId] = useState<string | null>(null)
  const sip = /^sips?:/i.test(address.trim()) ? address.trim() : `sip:${address.trim()}`
  const to = { number: phone.number, sip: address.trim() === '' ? null : sip, agent: null }[kind]
  const chosen = kind === 'agent' ? agentId && { agentId } : to && { to }
  return { kind, setKind, phone, address, setAddress, agentId, setAgentId, chosen }
}

function TargetFields({ target, isSubmitted }: { target: Target; isSubmitted: boolean }) {
  const t = useTexts(liveTexts)
  const { kind, setKind, phone, address, setAddress, agentId, setAgentId, chosen } = target
  const error = isSubmitted && !chosen ? t.needed : undefined
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t.transferTitle}
        value={kind}
        onChange={(value) => setKind(kinds.find((one) => one === value) ?? kind)}
        data={kinds.map((value) => ({ value, label: t.targets[value] }))}
      />
      {kind === 'number' && <PhoneInput phone={phone} label={t.number} isRequired isWrong={isSubmitted} />}
      {kind === 'agent' && <AgentSelect required value={agentId} onChange={setAgentId} error={error} />}
      {kind === 'sip' && (
        <TextInput
          label={t.targets.sip}
          placeholder="sip:200@pbx.example.com"
          autoComplete="off"
          required
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          error={error}
        />
      )}
    </>
  )
}

function MethodSelect({ method, setMethod }: { method: Method; setMethod: (method: Method) => void }) {
  const t = useTexts(liveTexts)
  const [isAdvanced, { toggle }] = useDisclosure(false)
  return (
    <div>
      <Button variant="subtle" size="compact-sm" aria-expanded={isAdvanced} onClick={toggle}>
        {t.advanced}
      </Button>
      <Collapse expanded={isAdvanced}>
        <Select
          mt="xs"
          label={t.method}
          allowDeselect={false}
          value={method}
          onChange={(value) => setMethod(methods.find((one) => one === value) ?? 'auto')}
          data={methods.map((value) => ({ value, label: t.methods[value] }))}
        />
      </Collapse>
    </div>
  )
}
