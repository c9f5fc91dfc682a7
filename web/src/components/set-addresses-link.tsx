// Leads an administrator from a card about a missing address to where it is set.
import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { useTexts } from '../i18n/language-provider.tsx'
import { addressesTexts } from '../pages/settings/addresses-texts.ts'
import { useIsAdmin } from '../session.tsx'

export function SetAddressesLink() {
  const t = useTexts(addressesTexts)
  if (!useIsAdmin()) return null
  return (
    <Button component={Link} href="/settings?tab=addresses" size="xs">
      {t.setHere}
    </Button>
  )
}
