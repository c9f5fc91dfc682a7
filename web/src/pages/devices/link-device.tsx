// Links a phone: QR code with countdown, instructions and status.
import {
  Alert,
  Button,
  Center,
  List,
  Loader,
  Modal,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core'
import { IconCircleCheck, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Device } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { ServerWords } from '../../components/server-words.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { devicesServerTexts } from '../../i18n/server-texts/devices.ts'
import { withOrganization } from '../../organization.ts'
import { minutesAndSeconds, nameOf, secondsUntil, shownStatus, toneOf } from './device-state.ts'
import { useDevice } from './device-stream.ts'
import { devicesTexts } from './devices-texts.ts'
import { linkDeviceTexts } from './link-device-texts.ts'
import { SipDetails } from './sip-details.tsx'
import { UnreachableServer } from './unreachable-server.tsx'

export function LinkDevice({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const t = useTexts(linkDeviceTexts)
  const c = useTexts(commonTexts)
  const device = useDevice(id)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.title(device.data ? nameOf(device.data) : name)}
      size="xl"
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <QueryResult query={device}>{(found) => <LinkSteps device={found} />}</QueryResult>
    </Modal>
  )
}

function LinkSteps({ device }: { device: Device }) {
  const t = useTexts(linkDeviceTexts)
  const d = useTexts(devicesTexts)
  const [way, setWay] = useState<'code' | 'other'>('code')
  const isOurs = device.driver === 'embedded'
  const { data: platform } = queries.useQuery('get', '/api/platform')
  // A QR code or account that only works on this machine would waste the user's time.
  const missing = isOurs ? (platform?.missingForPhones ?? []) : []
  return (
    <Stack>
      {isOurs && (
        <SegmentedControl
          aria-label={t.way}
          value={way}
          onChange={(chosen) => setWay(chosen as typeof way)}
          data={[
            { value: 'code', label: t.linphone },
            { value: 'other', label: t.other },
          ]}
        />
      )}
      {missing.length > 0 && <UnreachableServer lines={missing} />}
      {way === 'other' ? (
        <>
          {missing.length > 0 && <Text size="sm">{t.loopbackHere}</Text>}
          <SipDetails device={device} />
        </>
      ) : missing.length > 0 ? null : (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <LinkCode device={device} />
          <List type="ordered" spacing="sm" size="sm">
            {isOurs ? (
              Object.entries(t.steps).map(([step, words]) => (
                <List.Item key={step}>{step === 'call' && !device.agentId ? t.noAgentStep : words}</List.Item>
              ))
            ) : (
              <List.Item>{t.remoteStep}</List.Item>
            )}
          </List>
        </SimpleGrid>
      )}
      <div aria-live="polite">
        {device.status === 'connected' ? (
          <Alert color="teal" variant="light" icon={<IconCircleCheck aria-hidden />}>
            {device.agentId ? t.connected : t.noAgent}
          </Alert>
        ) : (
          (missing.length === 0 || way === 'other') && (
            <Stack gap={4} align="flex-start">
              <StatusBadge tone={toneOf[device.status]} word={d.status[shownStatus(device)]} />
              {device.lastError && (
                <Text size="sm">
                  <ServerWords text={device.lastError} texts={devicesServerTexts} />
                </Text>
              )}
            </Stack>
          )
        )}
      </div>
    </Stack>
  )
}

/** Requesting the image creates a code if there is none, so it is requested again after expiry. */
function LinkCode({ device }: { device: Device }) {
  const t = useTexts(linkDeviceTexts)
  const client = useQueryClient()
  const { data: platform } = queries.useQuery('get', '/api/platform')
  const [round, setRound] = useState(0)
  const [isBroken, setBroken] = useState(false)
  const left = useSecondsUntil(device.qrExpiresAt)
  const isOver = left === 0
  const again = () => {
    setBroken(false)
    setRound((before) => before + 1)
    void client.invalidateQueries({ queryKey: ['get', '/api/gateway/devices/{id}'] })
  }
  if (device.status === 'connected' && round === 0)
    return (
      <Center mih={240}>
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={again}>
          {t.renew}
        </Button>
      </Center>
    )
  if (device.status === 'provisioning')
    return (
      <Center mih={240}>
        <Loader />
      </Center>
    )
  return (
    <Stack align="center" gap="xs">
      <Paper withBorder p="xs" bg="white" w="100%" maw={360} style={{ aspectRatio: '1' }}>
        {isOver || isBroken ? (
          <Center h="100%">
            <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={again}>
              {t.renew}
            </Button>
          </Center>
        ) : (
          <img
            key={`${round}.${device.qrExpiresAt}`}
            src={withOrganization(`/api/gateway/devices/${encodeURIComponent(device.id)}/qr?format=svg`)}
            alt={t.qr}
            width="100%"
            height="100%"
            onError={() => setBroken(true)}
          />
        )}
      </Paper>
      <Text size="sm" c="dimmed" role="timer" className="numbers">
        {isOver ? t.expired : left === null ? t.waiting : t.expires(minutesAndSeconds(left))}
      </Text>
      {device.driver === 'embedded' && device.qrWarning === null && platform?.publicUrl === null && (
        <Text size="xs" c="dimmed" ta="center">
          {t.local}
        </Text>
      )}
    </Stack>
  )
}

function useSecondsUntil(at: string | null): number | null {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (at === null) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [at])
  return secondsUntil(at, now)
}
