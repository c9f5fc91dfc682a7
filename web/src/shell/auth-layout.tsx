// The frame of the setup and sign-in pages.
import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Logo } from './logo.tsx'
import { LanguageMenu, ThemeToggle } from './preferences.tsx'

export function AuthLayout({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Ramal`
  }, [title])
  return (
    <Center mih="100vh" p="md" component="main" className="ground">
      <Stack w="100%" maw={420} gap="lg">
        <Group justify="space-between">
          <Logo size={36} />
          <Group gap={4}>
            <LanguageMenu />
            <ThemeToggle />
          </Group>
        </Group>
        <Paper withBorder p="xl" shadow="sm" radius="lg">
          <Stack gap="xs" mb="lg">
            <Title order={1} size="h3">
              {title}
            </Title>
            <Text c="dimmed" size="sm">
              {text}
            </Text>
          </Stack>
          {children}
        </Paper>
      </Stack>
    </Center>
  )
}
