// Status of voice, model, telephony and microphone, with hints.
import { Anchor, Group, Paper, Progress, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconBrain, IconMicrophone, IconPhone, IconWaveSine } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Settings } from '../../../../client/paths.ts'
import { PROVIDERS } from '../../components/no-model-notice.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useVendorTitle } from '../providers/use-vendor-title.ts'
import { microphoneStatus, modelStatus, phoneStatus, voiceStatus } from './settings-status.ts'
import { settingsTexts } from './settings-texts.ts'

export function StatusCards({ settings }: { settings: Settings }) {
  const t = useTexts(settingsTexts)
  const { voice, model } = settings
  const titleOf = useVendorTitle()
  const voiceIs = voiceStatus(settings)
  const modelIs = modelStatus(settings)
  const microphoneIs = microphoneStatus({ isSecureContext, protocol: location.protocol })
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Card
        title={t.voice}
        icon={<IconWaveSine size={20} aria-hidden />}
        tone={voiceIs.tone}
        word={t.voices[voiceIs.word]}
      >
        {voice.preparingPercent !== null && (
          <Progress value={voice.preparingPercent} aria-label={t.voices.preparing} my={4} />
        )}
        {voice.trouble && <Line>{voice.trouble}</Line>}
        {voiceIs.word === 'none' && <Line>{t.voiceNone}</Line>}
        <Line>{t.hears(voice.recognition === 'embedded' ? t.itself : voice.recognition)}</Line>
      </Card>
      <Card
        title={t.model}
        icon={<IconBrain size={20} aria-hidden />}
        tone={modelIs.tone}
        word={t.models[modelIs.word]}
      >
        {model.provider ? (
          <Line>{[model.name, titleOf('llm', model.provider)].filter(Boolean).join(' · ')}</Line>
        ) : (
          <>
            <Line>{t.modelRules}</Line>
            <Anchor component={Link} href={PROVIDERS} size="sm">
              {t.openModel}
            </Anchor>
          </>
        )}
        {model.fallback && <Line>{t.fallback(model.fallback)}</Line>}
      </Card>
      <PhoneCard settings={settings} />
      <Card
        title={t.microphone}
        icon={<IconMicrophone size={20} aria-hidden />}
        tone={microphoneIs.tone}
        word={t.microphones[microphoneIs.word]}
      >
        {microphoneIs.word === 'local' && <Line>{t.microphoneLocal}</Line>}
        {microphoneIs.word === 'insecure' && <Line>{t.microphoneInsecure}</Line>}
      </Card>
    </SimpleGrid>
  )
}

export function PhoneCard({ settings }: { settings: Settings }) {
  const t = useTexts(settingsTexts)
  const { phone } = settings
  const phoneIs = phoneStatus(settings)
  return (
    <Card title={t.phone} icon={<IconPhone size={20} aria-hidden />} tone={phoneIs.tone} word={t.phones[phoneIs.word]}>
      {phone.isOn && <Line>{t.phoneAt(`${phone.host}:${phone.port}`, phone.rtpPorts)}</Line>}
      {phoneIs.word === 'local' && <Line>{t.phoneLocal}</Line>}
      {phoneIs.word === 'off' && <Line>{t.phoneOff}</Line>}
    </Card>
  )
}

function Card({
  title,
  icon,
  tone,
  word,
  children,
}: {
  title: string
  icon: ReactNode
  tone: Tone
  word: string
  children: ReactNode
}) {
  return (
    <Paper withBorder p="md">
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" size={40} radius="md">
          {icon}
        </ThemeIcon>
        <Stack gap={4} miw={0} flex={1}>
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h5">
              {title}
            </Title>
            <StatusBadge tone={tone} word={word} />
          </Group>
          {children}
        </Stack>
      </Group>
    </Paper>
  )
}

function Line({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  )
}
