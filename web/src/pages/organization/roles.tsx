// What each role permits, in one sentence each.
import { Stack, Text } from '@mantine/core'
import { memberRoles } from '../../../../src/base/domain/organization-roles.ts'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { organizationTexts } from './organization-texts.ts'

export function RoleList() {
  const t = useTexts(organizationTexts)
  return (
    <Section title={t.rolesTitle}>
      <Stack component="dl" gap="xs" m={0}>
        {memberRoles.map((role) => (
          <div key={role}>
            <Text component="dt" size="sm" fw={600}>
              {t.roles[role]}
            </Text>
            <Text component="dd" size="sm" c="dimmed" m={0}>
              {t.rolesHint[role]}
            </Text>
          </div>
        ))}
      </Stack>
    </Section>
  )
}
