// Shown in place of a page that failed to load or render.
import { Button, Code, Collapse, CopyButton, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { Caught } from '../components/error-boundary.ts'
import { connection } from '../connection.ts'
import { errorReport } from '../error-report.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { LoadError, UpdatedError } from '../load-retry.ts'
import { crashTexts } from './crash-texts.ts'
import { ReloadButton } from './updated.tsx'

/** `caught` comes from an ErrorBoundary. */
export function Crash({ caught, retry }: { caught: Caught; retry: () => void }) {
  const t = useTexts(crashTexts)
  const { error } = caught
  const isUpdated = error instanceof UpdatedError
  const isLoad = error instanceof LoadError
  // A part that failed to load is retried once the server is back.
  useEffect(
    () => (isLoad ? connection.subscribe(() => void (connection.isLost() || retry())) : undefined),
    [isLoad, retry],
  )
  return (
    <Paper withBorder p="xl" role="alert">
      <Stack align="center" gap="sm" py="lg" ta="center">
        <ThemeIcon size={56} radius="xl" variant="light" color={isUpdated ? 'ramal' : 'red'}>
          {isUpdated ? <IconRefresh size={28} aria-hidden /> : <IconAlertTriangle size={28} aria-hidden />}
        </ThemeIcon>
        <Title order={1} size="h3">
          {isUpdated ? t.updatedTitle : isLoad ? t.loadTitle : t.crashTitle}
        </Title>
        <Text c="dimmed" maw={520}>
          {isUpdated ? t.updatedText : isLoad ? t.loadText : t.crashText}
        </Text>
        <Group justify="center" gap="xs" mt="sm">
          {!isUpdated && <Button onClick={retry}>{t.tryAgain}</Button>}
          {isUpdated ? <ReloadButton variant="filled" /> : isLoad && <ReloadButton variant="default" />}
        </Group>
        {!isUpdated && !isLoad && <CrashDetails caught={caught} />}
      </Stack>
    </Paper>
  )
}

function CrashDetails({ caught }: { caught: Caught }) {
  const t = useTexts(crashTexts)
  const [isOpen, { toggle }] = useDisclosure(false)
  const report = errorReport({
    ...caught,
    path: location.pathname,
    build: document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '',
    at: new Date().toISOString(),
  })
  return (
    <Stack gap="xs" w="100%" align="center">
      <Group gap="xs">
        <Button variant="subtle" size="xs" color="gray" onClick={toggle} aria-expanded={isOpen}>
          {t.details}
        </Button>
        <CopyButton value={report}>
          {({ copied, copy }) => (
            <Button variant="subtle" size="xs" color="gray" onClick={copy}>
              {copied ? t.copied : t.copyDetails}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Collapse expanded={isOpen} w="100%">
        <Code block ta="left" mah={320} style={{ overflow: 'auto' }} tabIndex={0}>
          {report}
        </Code>
      </Collapse>
    </Stack>
  )
}
