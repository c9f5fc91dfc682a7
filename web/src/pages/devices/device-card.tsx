// A device: status, agent, permissions and actions.
import { ActionIcon, Button, Group, Menu, Modal, Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconDots,
  IconPencil,
  IconPhoneOutgoing,
  IconPlugOff,
  IconPower,
  IconQrcode,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { Device } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { RelativeTime } from '../../components/date-time.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { ServerWords } from '../../components/server-words.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { devicesServerTexts } from '../../i18n/server-texts/devices.ts'
import { useMay, useMayChange } from '../../organization.ts'
import { ApiError } from '../../session.tsx'
import { DeviceCall } from './device-call.tsx'
import { DeviceForm } from './device-form.tsx'
import { canLink, nameOf, shownStatus, toneOf } from './device-state.ts'
import { devicesTexts } from './devices-texts.ts'

const stale = ['/api/gateway', '/api/overview']

export function DeviceCard({ device, onLink }: { device: Device; onLink: () => void }) {
  const t = useTexts(devicesTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const [asking, setAsking] = useState<'unlink' | 'remove' | 'force' | null>(null)
  const [isEditing, editing] = useDisclosure(false)
  const [isCalling, calling] = useDisclosure(false)
  const mayChange = useMayChange()
  const mayCall = useMay('calls:write')
  const name = nameOf(device)
  const params = { path: { id: device.id } }
  const change = (body: Partial<Device> & { isDisabled?: boolean }) =>
    run(() => unwrap(api.PATCH('/api/gateway/devices/{id}', { params, body })), { success: c.saved, stale })

  async function confirmed() {
    if (asking === 'unlink')
      await run(() => unwrap(api.POST('/api/gateway/devices/{id}/unlink', { params })), { success: t.unlinked, stale })
    else {
      const isForced = asking === 'force'
      let isFar = false
      await run(
        async () => {
          const query = isForced ? { force: true } : {}
          const answer = unwrap(api.DELETE('/api/gateway/devices/{id}', { params: { ...params, query } }))
          await answer.catch((error) => {
            isFar = error instanceof ApiError && error.statusCode >= 500
            throw error
          })
        },
        { success: c.removed, stale },
      )
      if (isFar && !isForced) return setAsking('force')
    }
    setAsking(null)
  }

  const isOff = device.status === 'disabled'
  return (
    <Paper withBorder p="md" component="li" style={{ listStyle: 'none' }}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            <Text size="sm" c="dimmed">
              {t.drivers[device.driver].name}
              {device.phone && ` · ${formatNumber(device.phone)}`}
            </Text>
          </div>
          {mayChange && (
            <Menu position="bottom-end" withinPortal>
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={t.menu(name)}>
                  <IconDots size={18} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={editing.open}>
                  {t.edit}
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconPower size={16} aria-hidden />}
                  onClick={() => void change({ isDisabled: !isOff })}
                >
                  {isOff ? t.enable : t.disable}
                </Menu.Item>
                {device.status === 'connected' && device.driver !== 'whatsapp' && (
                  <Menu.Item leftSection={<IconPlugOff size={16} aria-hidden />} onClick={() => setAsking('unlink')}>
                    {t.unlink}
                  </Menu.Item>
                )}
                <Menu.Divider />
                <Menu.Item
                  color="red"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => setAsking('remove')}
                >
                  {t.remove}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
        <Group gap="xs" aria-live="polite">
          <StatusBadge tone={toneOf[device.status]} word={t.status[shownStatus(device)]} />
          {device.lastSeenAt && device.status !== 'connected' && (
            <Text size="xs" c="dimmed">
              {t.lastSeen} <RelativeTime at={device.lastSeenAt} />
            </Text>
          )}
        </Group>
        {device.lastError && device.status !== 'connected' && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <ServerWords text={device.lastError} texts={devicesServerTexts} />
          </Text>
        )}
        <AgentSelect
          label={t.agent}
          placeholder={t.nobody}
          value={device.agentId}
          disabled={isPending || !mayChange}
          onChange={(agentId) => void change({ agentId })}
        />
        <Group gap="lg">
          <Switch
            label={t.inbound}
            checked={device.inboundEnabled}
            disabled={isPending || !mayChange}
            onChange={(event) => void change({ inboundEnabled: event.currentTarget.checked })}
          />
          <Switch
            label={t.outbound}
            checked={device.outboundEnabled}
            disabled={isPending || !mayChange}
            onChange={(event) => void change({ outboundEnabled: event.currentTarget.checked })}
          />
        </Group>
        <Group gap="xs" mt="auto" pt="xs">
          {mayChange && canLink(device) && (
            <Button
              variant={device.status === 'connected' ? 'default' : 'filled'}
              leftSection={<IconQrcode size={16} aria-hidden />}
              onClick={onLink}
            >
              {device.status === 'connected' ? t.linkAnother : t.link}
            </Button>
          )}
          {mayCall && device.status === 'connected' && device.outboundEnabled && (
            <Button variant="light" leftSection={<IconPhoneOutgoing size={16} aria-hidden />} onClick={calling.open}>
              {t.call}
            </Button>
          )}
        </Group>
      </Stack>
      {isEditing && <DeviceForm device={device} onClose={editing.close} onCreated={editing.close} />}
      {isCalling && <DeviceCall device={device} onClose={calling.close} />}
      <Modal
        opened={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'unlink' ? t.unlinkQuestion(name) : t.removeQuestion(name)}
        centered
        closeButtonProps={{ 'aria-label': c.close }}
      >
        <Stack>
          <Text size="sm">
            {asking === 'unlink' ? t.unlinkWarning : asking === 'force' ? t.forceText : t.removeWarning}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsking(null)}>
              {c.cancel}
            </Button>
            <Button color="red" loading={isPending} onClick={() => void confirmed()}>
              {asking === 'unlink' ? t.unlink : asking === 'force' ? t.force : t.remove}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Paper>
  )
}
