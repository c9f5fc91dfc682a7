// Language-model servers found on this machine. The card is loaded only if there is one: most pages never show it.
import { Stack } from '@mantine/core'
import { Suspense } from 'react'
import { queries } from '../../api.ts'
import { lazyComponent } from '../../lazy-component.ts'

const FoundServer = lazyComponent(() => import('./found-server.tsx'), 'FoundServer')

/** Render for administrators only: nobody else may use a private address. */
export function FoundServers() {
  const { data: servers = [] } = queries.useQuery('get', '/api/providers/local', {}, { staleTime: 60_000 })
  const usable = servers.filter(({ models }) => models.length > 0)
  if (usable.length === 0) return null
  return (
    <Suspense>
      <Stack gap="xs">
        {usable.map((server) => (
          <FoundServer key={server.baseUrl} server={server} />
        ))}
      </Stack>
    </Suspense>
  )
}
