// The SIP account of a device, for manual setup.
import { ActionIcon, Alert, Button, Group, Stack, Table, Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { Device } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { withOrganization } from '../../organization.ts'
import { linkDeviceTexts } from './link-device-texts.ts'

export function SipDetails({ device }: { device: Device }) {
  const t = useTexts(linkDeviceTexts)
  const query = { deviceId: device.id }
  const account = queries.useQuery('get', '/api/gateway/sip/credentials', { params: { query } })
  const { run } = useAction()
  const [isShown, setShown] = useState(false)
  const [hasPicture, setPicture] = useState(false)
  const rotate = () =>
    run(() => unwrap(api.POST('/api/gateway/sip/credentials/rotate', { body: query })), {
      success: t.rotated,
      stale: ['/api/gateway'],
    })
  return (
    <QueryResult query={account}>
      {({ host, port, transport, username, password, domain }) => (
        <Stack>
          <Text size="sm">{t.details}</Text>
          <Table variant="vertical" layout="fixed" withRowBorders>
            <Table.Tbody>
              {[
                [t.server, host],
                [t.domain, domain],
                [t.port, String(port)],
                [t.transport, transport.toUpperCase()],
                [t.username, username],
              ].map(([name = '', value = '']) => (
                <Table.Tr key={name}>
                  <Table.Th w={130}>{name}</Table.Th>
                  <Table.Td>
                    <CopyableText text={value} />
                  </Table.Td>
                </Table.Tr>
              ))}
              <Table.Tr>
                <Table.Th>{t.password}</Table.Th>
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    <CopyableText text={password} shown={isShown ? password : '••••••••••••'} />
                    <Tooltip label={isShown ? t.hide : t.show}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={isShown ? t.hide : t.show}
                        onClick={() => setShown(!isShown)}
                      >
                        {isShown ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
                      </ActionIcon>
                    </Tooltip>
                  </Group>
                </Table.Td>
              </Table.Tr>
            </Table.Tbody>
          </Table>
          <Group>
            <Button variant="default" size="xs" onClick={() => setPicture(!hasPicture)} aria-expanded={hasPicture}>
              {t.sipQrShow}
            </Button>
            <ConfirmButton
              size="xs"
              variant="subtle"
              question={t.rotateQuestion}
              warning={t.rotateWarning}
              confirm={t.rotate}
              onConfirm={rotate}
            >
              {t.rotate}
            </ConfirmButton>
          </Group>
          {hasPicture && (
            <Stack align="center">
              <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} w="100%">
                {t.sipQrWarning}
              </Alert>
              <img
                key={password}
                src={withOrganization(`/api/gateway/devices/${encodeURIComponent(device.id)}/qr?format=svg&kind=sip`)}
                alt={t.sipQr}
                width={280}
                height={280}
                style={{ background: 'white', borderRadius: 8 }}
              />
            </Stack>
          )}
        </Stack>
      )}
    </QueryResult>
  )
}
