// The device list.
import { Button, SimpleGrid } from '@mantine/core'
import { IconDeviceMobile, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Device } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange } from '../../organization.ts'
import { DeviceCard } from './device-card.tsx'
import { DeviceForm } from './device-form.tsx'
import { canLink, nameOf } from './device-state.ts'
import { devicesTexts } from './devices-texts.ts'
import { GatewayAccount } from './gateway-account.tsx'
import { LinkDevice } from './link-device.tsx'
import { UnreachableServer } from './unreachable-server.tsx'

export function Devices() {
  const t = useTexts(devicesTexts)
  const devices = queries.useQuery('get', '/api/gateway/devices', {}, { refetchInterval: 10_000 })
  const { data: platform } = queries.useQuery('get', '/api/platform')
  const missing = platform?.missingForPhones ?? []
  const [isMaking, setMaking] = useState(false)
  const [linking, setLinking] = useState<Device | null>(null)
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  )
  const mayChange = useMayChange()
  const hasRemote =
    platform?.gatewayDrivers.includes('remote') || devices.data?.some(({ driver }) => driver === 'remote')
  return (
    <Page title={t.title} about={t.about} actions={devices.data?.length !== 0 && make}>
      {missing.length > 0 && platform?.gatewayDrivers.includes('embedded') && <UnreachableServer lines={missing} />}
      <QueryResult query={devices}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconDeviceMobile aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={make} />
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} component="ul" p={0} m={0}>
              {rows.map((device) => (
                <DeviceCard key={device.id} device={device} onLink={() => setLinking(device)} />
              ))}
            </SimpleGrid>
          )
        }
      </QueryResult>
      {hasRemote && mayChange && <GatewayAccount />}
      {isMaking && (
        <DeviceForm
          device={null}
          drivers={platform?.gatewayDrivers}
          onClose={() => setMaking(false)}
          onCreated={(made) => {
            setMaking(false)
            if (canLink(made)) setLinking(made)
          }}
        />
      )}
      {linking && <LinkDevice id={linking.id} name={nameOf(linking)} onClose={() => setLinking(null)} />}
    </Page>
  )
}
