// A section of a page: a card with a heading, or without the card.
import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMayChange } from '../organization.ts'

export function Section({
  title,
  about,
  actions,
  isForAll = false,
  isPlain = false,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  /** The actions change nothing, or decide themselves what a member may do. */
  isForAll?: boolean
  /** Omits the card, for content with its own frame, such as a table. */
  isPlain?: boolean
  children: ReactNode
}) {
  const mayChange = useMayChange()
  const content = (
    <Stack gap={isPlain ? 'sm' : 'md'}>
      <Group justify="space-between" align={about ? 'flex-start' : 'center'} gap="sm">
        <Box flex={about ? '1 1 220px' : '1 1 auto'}>
          <Title order={2} size="h4" fz={17}>
            {title}
          </Title>
          {about && (
            <Text c="dimmed" size="sm" component="div" mt={2}>
              {about}
            </Text>
          )}
        </Box>
        {actions && (isForAll || mayChange) && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
  if (isPlain) return <section aria-label={title}>{content}</section>
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-label={title}>
      {content}
    </Paper>
  )
}
