// An agent calls a number through a device.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { Device } from '../../../../client/paths.ts'
import { api, done } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { AgentSelect } from '../../parts/agent-select.tsx'
import { useAction } from '../../parts/doing.tsx'
import { focusWrong } from '../../parts/focus-wrong.ts'
import { isFullNumber, plainNumber } from '../numbers/phone-number.ts'
import { nameOf } from './device-state.ts'
import { linkingWords } from './linking-words.ts'

export function DeviceCall({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useWords(linkingWords)
  const c = useWords(common)
  const [, go] = useLocation()
  const { isDoing, run } = useAction()
  const [agentId, setAgentId] = useState(device.agentId)
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const toNumber = plainNumber(typed)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!agentId || !isFullNumber(toNumber)) return focusWrong()
    await run(
      async () => {
        const body = { toNumber, agentId, deviceTokens: [device.token] }
        const { callId } = await done(api.POST('/api/gateway/calls/outbound', { body }))
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
            error={isTried && !isFullNumber(toNumber) ? t.toWrong : undefined}
          />
          <AgentSelect
            required
            value={agentId}
            onChange={setAgentId}
            error={isTried && !agentId ? t.agentMissing : undefined}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isDoing}>
              {t.callNow}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
