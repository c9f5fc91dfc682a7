// Loading, error and empty states of a page.
import { Alert, Button, Center, Loader, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { errorMessage } from '../api.ts'
import { failedVerb } from '../failed-verb.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { useMayChange } from '../organization.ts'

export function Loading() {
  const t = useTexts(commonTexts)
  return (
    <Center py="xl" role="status" aria-label={t.loading}>
      <Loader />
    </Center>
  )
}

export function ErrorMessage({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const t = useTexts(commonTexts)
  const message = error instanceof TypeError ? t.offline : (errorMessage(error) ?? t.offline)
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t.couldNot[failedVerb(error)]} my="md" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{message}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** `action` is the suggested next step, for an empty list. */
export function EmptyState({
  icon,
  title,
  text,
  action,
  isForAll = false,
}: {
  icon: ReactNode
  title: string
  text: string
  action?: ReactNode
  /** The action changes nothing. */
  isForAll?: boolean
}) {
  const mayChange = useMayChange()
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
        {(isForAll || mayChange) && action}
      </Stack>
    </Paper>
  )
}

/** Renders the state of a query: loading, error, or its data. */
export function QueryResult<T>({
  query,
  children,
}: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  return query.error ? <ErrorMessage error={query.error} retry={query.refetch} /> : <Loading />
}
