// Places a call from a device.
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { Device } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { PhoneInput, useTypedPhone } from '../../components/phone-input.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { nameOf } from './device-state.ts'
import { linkDeviceTexts } from './link-device-texts.ts'

export function DeviceCall({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useTexts(linkDeviceTexts)
  const c = useTexts(commonTexts)
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const [agentId, setAgentId] = useState(device.agentId)
  const phone = useTypedPhone()
  const [isSubmitted, setSubmitted] = useState(false)
  const toNumber = phone.number

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (!agentId || !toNumber) return focusFirstError()
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
          <PhoneInput phone={phone} label={t.to} isRequired hasFocus isWrong={isSubmitted} />
          <AgentSelect
            required
            isCalling
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
