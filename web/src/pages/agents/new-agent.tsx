// Creates an agent: template, name, language and voice.
import {
  Alert,
  Button,
  Group,
  Paper,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  ThemeIcon,
} from '@mantine/core'
import {
  IconCalendarEvent,
  IconChecklist,
  IconFeather,
  IconPackage,
  IconStethoscope,
  IconToolsKitchen2,
} from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../api.ts'
import { hiddenLabel } from '../../components/hidden-label.ts'
import { languageName } from '../../components/language-select.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useEngines, useVoices } from '../../components/use-voices.ts'
import { useStopPreviewOnLeave } from '../../components/voice-preview.tsx'
import { bestProvider, defaultVoice, type Provider, providers, vendorsOf } from '../../components/voice-providers.ts'
import { type Language, languages, localeOf } from '../../i18n/language.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { agentsTexts } from './agents-texts.ts'
import { fillVariables } from './prompt-variables.ts'
import { bodyOf, type TemplateId, templateIds, templateIn } from './templates.ts'
import { VoicePicker } from './voice-picker.tsx'

const looks = {
  receptionist: { Icon: IconStethoscope, title: 'receptionist', text: 'receptionistText' },
  booking: { Icon: IconCalendarEvent, title: 'booking', text: 'bookingText' },
  orders: { Icon: IconPackage, title: 'orders', text: 'ordersText' },
  restaurant: { Icon: IconToolsKitchen2, title: 'restaurant', text: 'restaurantText' },
  outbound: { Icon: IconChecklist, title: 'outboundTemplate', text: 'outboundText' },
  blank: { Icon: IconFeather, title: 'blank', text: 'blankText' },
} as const

export function NewAgent() {
  const t = useTexts(agentsTexts)
  const { language: pageLanguage, locale } = useLanguage()
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  useStopPreviewOnLeave()
  const all = useVoices()
  const engines = useEngines()
  const [templateId, setTemplateId] = useState<TemplateId>('receptionist')
  const [language, setLanguage] = useState<Language>(pageLanguage)
  const [typedName, setTypedName] = useState<string | null>(null)
  const [chosenProvider, setProvider] = useState<Provider | null>(null)
  const [chosenVoice, setVoice] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const template = templateIn(templateId, language)
  const tag = localeOf[language]
  const lists = { provider_a: all.provider_a.data, provider_b: all.provider_b.data, provider_c: all.provider_c.data }
  const provider = chosenProvider ?? bestProvider(lists)
  const voiceId = chosenVoice ?? defaultVoice(lists[provider] ?? [], tag)?.id ?? ''
  const name = typedName ?? template.name
  const isSilent = providers.every((one) => all[one].isError)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return setProblem(t.nameNeeded)
    const chosen = { name, language: tag, ttsProvider: provider, voiceId: voiceId || null }
    let id = ''
    const isDone = await run(
      async () => {
        const agent = await unwrap(api.POST('/api/agents', { body: bodyOf(template, chosen) }))
        id = agent.id
      },
      { stale: ['/api/agents', '/api/overview'] },
    )
    if (isDone) go(`/agents/${id}?created=1`)
  }

  return (
    <Page title={t.newTitle} about={t.newAbout} back={{ to: '/agents', name: t.title }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="lg">
          <Section title={t.template}>
            <Radio.Group
              label={t.template}
              styles={hiddenLabel}
              value={templateId}
              onChange={(id) => setTemplateId(id as TemplateId)}
            >
              <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
                {templateIds.map((id) => (
                  <TemplateCard key={id} id={id} isChosen={id === templateId} />
                ))}
              </SimpleGrid>
            </Radio.Group>
          </Section>

          <Section title={t.who}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput
                label={t.name}
                description={t.nameHint}
                required
                maxLength={255}
                value={name}
                error={problem}
                onChange={(event) => {
                  setTypedName(event.currentTarget.value)
                  setProblem(null)
                }}
              />
              <Select
                label={t.speaks}
                description={t.speaksHint}
                allowDeselect={false}
                value={language}
                data={languages.map((one) => ({ value: one, label: languageName(localeOf[one], locale) }))}
                onChange={(chosen) => {
                  if (!chosen) return
                  setLanguage(chosen as Language)
                  setVoice(null)
                }}
              />
            </SimpleGrid>
          </Section>

          <Section title={t.voice} about={t.hearIt}>
            {isSilent ? (
              <Alert color="yellow" variant="light">
                {t.noVoices}
              </Alert>
            ) : (
              <VoicePicker
                vendors={vendorsOf(engines, provider, t.builtIn)}
                chosen={{ provider, voiceId }}
                language={tag}
                text={fillVariables(template.initialSpeech, template.variables)}
                onChoose={(voice) => {
                  setProvider(voice.provider)
                  setVoice(voice.voiceId)
                }}
              />
            )}
          </Section>

          <Paper withBorder shadow="md" p="sm" pos="sticky" bottom={12} style={{ zIndex: 10 }}>
            <Group justify="flex-end">
              <Button type="submit" loading={isPending}>
                {t.create}
              </Button>
            </Group>
          </Paper>
        </Stack>
      </form>
    </Page>
  )
}

function TemplateCard({ id, isChosen }: { id: TemplateId; isChosen: boolean }) {
  const t = useTexts(agentsTexts)
  const { Icon, title, text } = looks[id]
  return (
    <Radio.Card
      value={id}
      p="md"
      radius="md"
      h="100%"
      // Behaves like a radio group: one Tab stop, arrow keys within.
      tabIndex={isChosen ? 0 : -1}
      aria-label={`${t[title]}. ${t[text]}`}
      display="flex"
      style={{
        alignItems: 'flex-start',
        borderColor: isChosen ? 'var(--mantine-primary-color-filled)' : undefined,
        background: isChosen ? 'var(--mantine-primary-color-light)' : undefined,
      }}
    >
      <Group wrap="nowrap" align="flex-start" gap="sm" flex={1}>
        <ThemeIcon variant={isChosen ? 'filled' : 'light'} size={38} radius="md">
          <Icon size={20} aria-hidden />
        </ThemeIcon>
        <div style={{ flex: 1 }}>
          <Text fw={600}>{t[title]}</Text>
          <Text size="sm" mt={2} opacity={0.85}>
            {t[text]}
          </Text>
        </div>
        <Radio.Indicator />
      </Group>
    </Radio.Card>
  )
}
