// One voice: preview, copy id, and the agents that use it.
import { Anchor, Badge, Card, Group, Menu, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { CopyableText } from '../../components/copyable-text.tsx'
import { languageName } from '../../components/language-select.tsx'
import { PreviewButton } from '../../components/voice-preview.tsx'
import type { previewRequest } from '../../components/voice-providers.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import type { ListedVoice, Speaker } from './voice-filter.ts'
import { voicesTexts } from './voices-texts.ts'

export function VoiceCard({
  listed: { key, voice, vendor },
  isVendorShown,
  saying,
  agents,
}: {
  listed: ListedVoice
  isVendorShown: boolean
  saying: ReturnType<typeof previewRequest>
  agents: readonly Speaker[]
}) {
  const t = useTexts(voicesTexts)
  const { locale } = useLanguage()
  const genders: Readonly<Record<string, string>> = { female: t.female, male: t.male, neutral: t.neutral }
  const facts = [
    genders[voice.gender ?? ''],
    voice.language && languageName(voice.language, locale),
    isVendorShown && vendor.name,
  ]
  return (
    <Card withBorder padding="md" component="li" style={{ listStyle: 'none' }}>
      <Group wrap="nowrap" align="flex-start">
        <PreviewButton id={key} name={voice.name} saying={saying} isBig />
        <Stack gap={2} style={{ minWidth: 0, flex: 1 }}>
          <Group gap="xs">
            <Text fw={600}>{voice.name}</Text>
            {voice.isDefault === true && (
              <Badge variant="light" size="sm">
                {t.usual}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {facts.filter(Boolean).join(' · ')}
          </Text>
          <CopyableText text={voice.id} />
          {agents.length > 0 && <UsedBy voice={voice.name} agents={agents} />}
        </Stack>
      </Group>
    </Card>
  )
}

function UsedBy({ voice, agents }: { voice: string; agents: readonly Speaker[] }) {
  const t = useTexts(voicesTexts)
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Anchor component="button" type="button" size="sm" ta="left" aria-label={t.usedByOf(agents.length, voice)}>
          {t.usedBy(agents.length)}
        </Anchor>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {agents.map(({ id, name }) => (
          <Menu.Item key={id} component={Link} href={`/agents/${id}`}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
