// Creates or edits a device.
import { Alert, Button, Group, Modal, NumberInput, Radio, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { Device } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { AgentSelect } from '../../components/agent-select.tsx'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { isE164, normalizeNumber } from '../../components/phone-number.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { nameOf } from './device-state.ts'
import { devicesTexts } from './devices-texts.ts'

type Driver = Device['driver']
const everyDriver: readonly Driver[] = ['embedded', 'whatsapp', 'remote']

export function DeviceForm({
  device,
  drivers = everyDriver,
  onClose,
  onCreated,
}: {
  device: Device | null
  /** Drivers this user may create. */
  drivers?: readonly string[] | undefined
  onClose: () => void
  onCreated: (device: Device) => void
}) {
  const t = useTexts(devicesTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const [driver, setDriver] = useState<Driver>(device?.driver ?? 'embedded')
  const [name, setName] = useState(device?.name ?? '')
  const { data: agents } = useAgents()
  const [chosenAgentId, setAgentId] = useState<string | null | undefined>(device ? device.agentId : undefined)
  // Preselects the only agent until the user chooses otherwise.
  const agentId = chosenAgentId === undefined ? (agents?.length === 1 ? (agents[0]?.id ?? null) : null) : chosenAgentId
  const [phone, setPhone] = useState(device?.phone ?? '')
  const [maxCalls, setMaxCalls] = useState<number | ''>(device?.maxConcurrentCalls ?? '')
  const [recordCalls, setRecordCalls] = useState(device?.recordCalls ?? true)
  const guarded = useGuardedSave({
    fields: {
      name: t.name,
      agentId: t.agent,
      phone: t.phone,
      maxConcurrentCalls: t.maxCalls,
      recordCalls: t.record,
    },
    format: (field, value) => (field === 'agentId' ? agents?.find(({ id }) => id === value)?.name : undefined),
  })
  const number = phone.trim() === '' ? null : normalizeNumber(phone)
  const isWrong = driver === 'whatsapp' && number !== null && !isE164(number)
  const hint = driver === 'whatsapp' ? t.whatsappHint : driver === 'remote' ? t.remoteHint : null

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isWrong) return
    const settings = {
      name: name.trim() || null,
      agentId,
      recordCalls,
      maxConcurrentCalls: maxCalls === '' ? null : maxCalls,
      ...(driver === 'whatsapp' ? { phone: number } : {}),
    }
    await run(
      async () => {
        if (device) {
          const params = { path: { id: device.id } }
          await guarded.save({
            base: device,
            patch: settings,
            load: () => unwrap(api.GET('/api/gateway/devices/{id}', { params })),
            send: (body, headers) => unwrap(api.PATCH('/api/gateway/devices/{id}', { params, body, headers })),
          })
          onClose()
        } else onCreated(await unwrap(api.POST('/api/gateway/devices', { body: { ...settings, driver } })))
      },
      { success: device ? c.saved : c.created, stale: ['/api/gateway', '/api/overview'] },
    )
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={device ? nameOf(device) : t.make}
      size="lg"
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          {!device && (
            <Radio.Group label={t.driver} value={driver} onChange={(chosen) => setDriver(chosen as Driver)}>
              <Stack gap="xs" mt={6}>
                {everyDriver
                  .filter((one) => drivers.includes(one))
                  .map((one) => (
                    <Radio.Card key={one} value={one} p="sm" aria-label={t.drivers[one].name}>
                      <Group wrap="nowrap" gap="sm" align="flex-start">
                        <Radio.Indicator />
                        <div>
                          <Text size="sm" fw={600}>
                            {t.drivers[one].name}
                          </Text>
                          <Text size="sm" c="dimmed">
                            {t.drivers[one].text}
                          </Text>
                        </div>
                      </Group>
                    </Radio.Card>
                  ))}
              </Stack>
            </Radio.Group>
          )}
          {hint && (
            <Alert variant="light" icon={<IconInfoCircle aria-hidden />}>
              {hint}
            </Alert>
          )}
          <TextInput
            label={t.name}
            description={t.nameHint}
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <AgentSelect
            label={t.agent}
            description={t.agentHint}
            placeholder={t.nobody}
            value={agentId}
            onChange={setAgentId}
          />
          {driver === 'whatsapp' && (
            <TextInput
              label={`${t.phone} (${c.optional})`}
              description={t.phoneHint}
              type="tel"
              value={phone}
              onChange={(event) => setPhone(event.currentTarget.value)}
              error={isWrong ? t.phoneWrong : undefined}
            />
          )}
          {device && (
            <NumberInput
              label={t.maxCalls}
              placeholder={t.noLimit}
              min={1}
              max={1000}
              allowDecimal={false}
              value={maxCalls}
              onChange={(value) => setMaxCalls(typeof value === 'number' ? value : '')}
            />
          )}
          <Switch
            label={t.record}
            checked={recordCalls}
            onChange={(event) => setRecordCalls(event.currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {device ? c.save : c.create}
            </Button>
          </Group>
        </Stack>
      </form>
      {guarded.dialog}
    </Modal>
  )
}
