// The first wizard step: the campaign's name and list; for an existing campaign, also its imports so far.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { Campaign } from '../../../../client/paths.ts'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { StepProps } from './agent-step.tsx'
import { Imports } from './imports.tsx'
import { type ListSource, useContactUploads } from './list-source.ts'
import { SourceInput } from './source-input.tsx'
import { wizardTexts } from './wizard-texts.ts'

export function ListStep({
  form,
  set,
  problems,
  campaign,
  source,
  onSource,
}: StepProps & {
  campaign: Campaign | null
  source: ListSource | null
  onSource: (source: ListSource | null) => void
}) {
  const t = useTexts(wizardTexts)
  const { send } = useContactUploads()
  const start = (to: Campaign, list: ListSource) => {
    void send(to, list)
    onSource(null)
  }
  return (
    <Stack gap="lg">
      <Section title={t.listTitle} about={t.listAbout}>
        <Stack gap="md">
          <TextInput
            label={t.name}
            placeholder={t.nameExample}
            required
            maxLength={100}
            maw={520}
            value={form.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={problems.includes('name') ? t.nameNeeded : undefined}
          />
          <SourceInput source={source} onChange={onSource} />
          {campaign && source && (
            <Group>
              <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => start(campaign, source)}>
                {t.importNow}
              </Button>
            </Group>
          )}
          {campaign ? (
            <Imports campaignId={campaign.id} />
          ) : (
            !source && (
              <Text size="sm" c="dimmed">
                {t.skipList}
              </Text>
            )
          )}
        </Stack>
      </Section>
    </Stack>
  )
}
