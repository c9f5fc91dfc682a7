// Password, second factor and sessions.
import { Box, Divider, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactorSettings } from './second-factor.tsx'
import { securityTexts } from './security-texts.ts'
import { SessionList } from './sessions.tsx'
import { settingsTexts } from './settings-texts.ts'

export function Security() {
  const t = useTexts(securityTexts)
  const s = useTexts(settingsTexts)
  return (
    <Section title={t.title} about={t.about}>
      <Part title={s.password} about={s.passwordAbout}>
        <PasswordForm />
      </Part>
      <Divider />
      <Part title={t.factor} about={t.factorAbout}>
        <SecondFactorSettings />
      </Part>
      <Divider />
      <Part title={t.sessions} about={t.sessionsAbout}>
        <SessionList />
      </Part>
    </Section>
  )
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Box maw={720}>
        <Title order={3} size="h5">
          {title}
        </Title>
        <Text c="dimmed" size="sm">
          {about}
        </Text>
      </Box>
      {children}
    </Stack>
  )
}
