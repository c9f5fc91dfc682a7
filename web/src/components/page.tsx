// The frame of a page: title, description and actions.
import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'

export function Page({
  title,
  about,
  actions,
  back,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  back?: { to: string; name: string }
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Ramal`
  }, [title])
  return (
    <Stack gap="lg">
      <Box>
        {back && (
          <Anchor component={Link} href={back.to} size="sm" c="dimmed">
            <Group gap={2} component="span" display="inline-flex">
              <IconChevronLeft size={14} aria-hidden />
              {back.name}
            </Group>
          </Anchor>
        )}
        <Group justify="space-between" align="flex-end" gap="sm">
          <Box>
            <Title order={1} size="h2">
              {title}
            </Title>
            {about && (
              <Text c="dimmed" component="div">
                {about}
              </Text>
            )}
          </Box>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </Box>
      {children}
    </Stack>
  )
}
