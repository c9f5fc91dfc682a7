// A link for administrators, from a warning about a missing address to the setting.
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
