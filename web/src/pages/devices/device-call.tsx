// Places a call from a device.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { Device } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { isE164, normaliseNumber } from '../numbers/phone-number.ts'
import { nameOf } from './device-state.ts'
import { linkDeviceTexts } from './link-device-texts.ts'

export function DeviceCall({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useTexts(linkDeviceTexts)
  const c = useTexts(commonTexts)
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const [agentId, setAgentId] = useState(device.agentId)
  const [typed, setTyped] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const toNumber = normaliseNumber(typed)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (!agentId || !isE164(toNumber)) return focusFirstError()
    await run(
      async () => {
        const body = { toNumber, agentId, deviceTokens: [device.token] }
        const { callId } = await unwrap(api.POST('/api/gateway/calls/outbound', { body }))
        go(`/calls/${callId}`)
      },
      { success: t.calling, stale: ['/api/calls', '/api/overview'] },
    )
  }

  return (
    <Modal opened onClose={onClose} title={t.callTitle(nameOf(device))} closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            {t.callAbout}
          </Text>
          <TextInput
            label={t.to}
            description={t.toHint}
            type="tel"
            required
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={isSubmitted && !isE164(toNumber) ? t.toWrong : undefined}
          />
          <AgentSelect
            required
            value={agentId}
            onChange={setAgentId}
            error={isSubmitted && !agentId ? t.agentMissing : undefined}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {t.callNow}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
