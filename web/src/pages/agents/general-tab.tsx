// Name, language, direction, active state, and deletion.
import { Button, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useLocation } from 'wouter'
import { CopyableText } from '../../components/copyable-text.tsx'
import { LanguageSelect } from '../../components/language-select.tsx'
import { RemoveAgent } from '../../components/remove-agent.tsx'
import { Section } from '../../components/section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { Draft } from './agent-draft.ts'
import { type AgentFormProps, useField } from './agent-form.ts'
import { agentTexts } from './agent-texts.ts'

const directions = ['both', 'inbound', 'outbound'] as const

export function GeneralTab(part: AgentFormProps) {
  const t = { ...useTexts(commonTexts), ...useTexts(agentTexts) }
  const field = useField(part)
  const { agent, draft, change } = part
  const [, go] = useLocation()
  const [isRemoving, { open, close }] = useDisclosure(false)
  return (
    <Stack gap="lg">
      <Section title={t.identity}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={t.name} description={t.nameHint} required maxLength={255} {...field('name')} />
          <LanguageSelect
            label={t.language}
            description={<>&nbsp;</>}
            value={draft.language}
            onChange={(language) => change({ language })}
          />
        </SimpleGrid>
        <Textarea label={t.description} autosize minRows={2} maxRows={8} maxLength={2000} {...field('description')} />
        <Select
          maw={320}
          label={t.direction}
          allowDeselect={false}
          value={draft.direction}
          data={directions.map((value) => ({ value, label: t[value] }))}
          onChange={(chosen) => change({ direction: chosen as Draft['direction'] })}
        />
        <Switch
          label={t.isActive}
          description={t.isActiveHint}
          checked={draft.isActive}
          onChange={(event) => change({ isActive: event.currentTarget.checked })}
        />
        <div>
          <Text size="sm" fw={500}>
            {t.id}
          </Text>
          <CopyableText text={agent.id} />
        </div>
      </Section>
      <Section title={t.danger} about={t.dangerText}>
        <div>
          <Button color="red" variant="light" onClick={open}>
            {t.removeAgent}
          </Button>
          {isRemoving && <RemoveAgent agent={agent} onClose={close} onRemoved={() => go('/agents')} />}
        </div>
      </Section>
    </Stack>
  )
}
