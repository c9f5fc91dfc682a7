// Transfers a live call to a number or another agent.
import { Alert, Button, Collapse, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconArrowForwardUp } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Call } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { type Country, fullNumber, usualCountry } from '../../components/phone-countries.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { liveTexts } from './live-texts.ts'

const methods = ['auto', 'refer', 'bridge'] as const
type Method = (typeof methods)[number]

/** A national number in full; extensions and SIP addresses as they are. */
function dialled(typed: string, country: Country): string {
  const isNumber = !/[@:]/.test(typed) && typed.replace(/\D/g, '').length >= 10
  return (isNumber ? fullNumber(typed, country) : null) ?? typed.trim()
}

export function TransferCall({ call }: { call: Call }) {
  const t = useTexts(liveTexts)
  const shared = useTexts(commonTexts)
  const [isOpen, { open, close }] = useDisclosure(false)
  const [isAdvanced, { toggle }] = useDisclosure(false)
  const { isPending, run } = useAction()
  const [kind, setKind] = useState<'number' | 'agent'>('number')
  const [to, setTo] = useState('')
  const [agentId, setAgentId] = useState<string | null>(null)
  const [whisper, setWhisper] = useState('')
  const [method, setMethod] = useState<Method>('auto')
  const [problem, setProblem] = useState<string | null>(null)
  const { language } = useLanguage()
  const isReady = kind === 'number' ? to.trim() !== '' : agentId !== null

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setProblem(null)
    void run(
      async () => {
        const target =
          kind === 'number'
            ? { to: dialled(to, usualCountry(language, navigator.languages)), ...(method === 'auto' ? {} : { method }) }
            : { agentId }
        const isHeard = whisper.trim() !== '' && !(kind === 'number' && method === 'refer')
        const body = { ...target, ...(isHeard ? { whisper: whisper.trim() } : {}) }
        const { status, detail } = await unwrap(
          api.POST('/api/calls/{id}/transfer', { params: { path: { id: call.id } }, body }),
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
        <form onSubmit={submit}>
          <Stack>
            <SegmentedControl
              aria-label={t.transferTitle}
              value={kind}
              onChange={(value) => setKind(value as typeof kind)}
              data={[
                { value: 'number', label: t.toNumber },
                { value: 'agent', label: t.toAgent },
              ]}
            />
            {kind === 'number' ? (
              <TextInput
                label={t.target}
                description={t.targetHint}
                autoComplete="off"
                required
                value={to}
                onChange={(event) => setTo(event.currentTarget.value)}
              />
            ) : (
              <AgentSelect required value={agentId} onChange={setAgentId} />
            )}
            <TextInput
              label={`${kind === 'number' ? t.whisper : t.note} (${shared.optional})`}
              description={kind === 'number' ? t.whisperHint : undefined}
              maxLength={1000}
              disabled={kind === 'number' && method === 'refer'}
              value={whisper}
              onChange={(event) => setWhisper(event.currentTarget.value)}
            />
            {kind === 'number' && (
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
                    onChange={(value) => setMethod((value ?? 'auto') as Method)}
                    data={methods.map((value) => ({ value, label: t.methods[value] }))}
                  />
                </Collapse>
              </div>
            )}
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
              <Button type="submit" loading={isPending} disabled={!isReady}>
                {t.transferGo}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
