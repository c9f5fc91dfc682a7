// Shown instead of a QR code, and before a device is created, while phones cannot reach the server.
import { MissingSettings } from '../../components/missing-settings.tsx'
import { SetAddressesLink } from '../../components/set-addresses-link.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { linkDeviceTexts } from './link-device-texts.ts'

export function UnreachableServer({ lines }: { lines: readonly string[] }) {
  const t = useTexts(linkDeviceTexts)
  return (
    <MissingSettings title={t.loopbackTitle} text={t.loopback} lines={lines} hint={t.loopbackNetwork}>
      <SetAddressesLink />
    </MissingSettings>
  )
}
