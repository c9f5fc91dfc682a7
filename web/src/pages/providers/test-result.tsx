// The result of testing an account: the time to the first word or sound, or the error.
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ProviderTest } from '../../../../client/paths.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { providersTexts } from './providers-texts.ts'
import type { Kind } from './vendors.ts'

export function TestResult({ kind, result }: { kind: Kind; result: ProviderTest }) {
  const t = useTexts(providersTexts)
  const { locale } = useLanguage()
  if (result.isOk)
    return (
      <Alert color="teal" variant="light" icon={<IconCircleCheck size={18} aria-hidden />} role="status">
        {t.works[kind]((result.firstMs ?? 0).toLocaleString(locale))} {result.heard && t.heard(result.heard)}
      </Alert>
    )
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
      <Text size="sm">{t.problems[result.problem ?? 'failed']}</Text>
      {result.vendorMessage && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {t.vendorSays(result.vendorMessage)}
        </Text>
      )}
    </Alert>
  )
}
