// What a page shows while there is nothing to show: it loads, it failed, or nothing is there yet and what to do next.
import { Alert, Button, Center, Loader, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { messageOf } from '../api.ts'
import { common } from '../i18n/common.ts'
import { useWords } from '../i18n/words.tsx'

export function Loading() {
  const t = useWords(common)
  return (
    <Center py="xl" role="status" aria-label={t.loading}>
      <Loader />
    </Center>
  )
}

export function Failure({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const t = useWords(common)
  const words = error instanceof TypeError ? t.offline : (messageOf(error) ?? t.offline)
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t.failed} my="md" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{words}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Every empty page says what to do next. */
export function Empty({
  icon,
  title,
  text,
  action,
}: {
  icon: ReactNode
  title: string
  text: string
  action?: ReactNode
}) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" py="lg" ta="center">
        <ThemeIcon size={56} radius="xl" variant="light">
          {icon}
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" maw={480}>
          {text}
        </Text>
        {action}
      </Stack>
    </Paper>
  )
}

/** The three states of something that is read from the server. */
export function Reading<T>({
  of,
  children,
}: {
  of: { data: T | undefined; error: unknown; refetch: () => unknown }
  children: (data: T) => ReactNode
}) {
  if (of.data !== undefined) return children(of.data)
  return of.error ? <Failure error={of.error} retry={of.refetch} /> : <Loading />
}
