// Shown instead of a QR code while the server listens on loopback only: what to set.
import { Alert, Button, Code, CopyButton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { linkDeviceTexts } from './link-device-texts.ts'

export function UnreachableServer({ lines }: { lines: readonly string[] }) {
  const t = useTexts(linkDeviceTexts)
  const c = useTexts(commonTexts)
  const text = lines.join('\n')
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t.loopbackTitle}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.loopback}</Text>
        <Code block fz="sm">
          {text}
        </Code>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              {copied ? c.copied : c.copy}
            </Button>
          )}
        </CopyButton>
        <Text size="sm">{t.loopbackNetwork}</Text>
      </Stack>
    </Alert>
  )
}
