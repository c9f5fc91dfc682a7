// The public URL for shared links and code, or a card while it is only reachable from this computer.
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { queries } from '../api.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { isOwnMachine } from '../own-machine.ts'
import { MissingSettings } from './missing-settings.tsx'
import { publicAddressTexts } from './public-address-texts.ts'
import { SetAddressesLink } from './set-addresses-link.tsx'

export type PublicAddress = {
  address: string
  /** Links and code may be shown: the URL is public, or the user accepts that they only work on this computer. */
  isOffered: boolean
  card: ReactNode
}

export function usePublicAddress(): PublicAddress {
  const t = useTexts(publicAddressTexts)
  const [isAccepted, setAccepted] = useState(false)
  const { data: platform } = queries.useQuery('get', '/api/platform', {}, { staleTime: 60_000 })
  const address = (platform?.publicUrl ?? location.origin).replace(/\/+$/, '')
  const isLocal = isOwnMachine(new URL(address).hostname)
  const host = platform?.missingForPhones.filter((line) => line.startsWith('HOST=')) ?? []
  return {
    address,
    isOffered: platform !== undefined && (!isLocal || isAccepted),
    card: platform && isLocal && !isAccepted && (
      <MissingSettings
        title={t.title}
        text={t.text(address)}
        lines={[...host, 'PUBLIC_URL=https://ramal.example.com']}
        hint={t.hint}
      >
        <SetAddressesLink />
        <Button size="xs" variant="subtle" color="gray" onClick={() => setAccepted(true)}>
          {t.anyway}
        </Button>
      </MissingSettings>
    ),
  }
}
