// How one signs in: the password, the second factor, and where one is signed in.
import { Box, Divider, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../i18n/words.tsx'
import { Section } from '../../parts/section.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactorPart } from './second-factor.tsx'
import { securityWords } from './security-words.ts'
import { SessionsPart } from './sessions.tsx'
import { settingsWords } from './settings-words.ts'

export function Security() {
  const t = useWords(securityWords)
  const s = useWords(settingsWords)
  return (
    <Section title={t.title} about={t.about}>
      <Part title={s.password} about={s.passwordAbout}>
        <PasswordForm />
      </Part>
      <Divider />
      <Part title={t.factor} about={t.factorAbout}>
        <SecondFactorPart />
      </Part>
      <Divider />
      <Part title={t.sessions} about={t.sessionsAbout}>
        <SessionsPart />
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
