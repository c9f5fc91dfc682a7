// The wizard step for schedule, calling rules, pace and retries; the AI disclosure and the pre-dial webhook.
import { Alert, Anchor, Button, Paper, Radio, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from 'wouter'
import { FormGrid } from '../../components/form-grid.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { packOf } from '../calling-rules/pack.ts'
import { PackRules, PackSummary } from '../calling-rules/pack-rules.tsx'
import { useRulePacks } from '../calling-rules/rule-packs.ts'
import { rulesTexts } from '../calling-rules/rules-texts.ts'
import type { StepProps } from './agent-step.tsx'
import { PaceSection } from './pace-section.tsx'
import { officeHours, WindowsInput } from './windows-input.tsx'
import { isoTime, localTime } from './wizard-form.ts'
import { wizardTexts } from './wizard-texts.ts'

const HOUR_MS = 3_600_000

export function RulesStep(props: StepProps) {
  const t = useTexts(wizardTexts)
  return (
    <Stack gap="lg">
      {props.isLocked && (
        <Alert color="gray" variant="light">
          {t.locked}
        </Alert>
      )}
      <When {...props} />
      <Rules {...props} />
      <PaceSection {...props} />
      <Notice {...props} />
    </Stack>
  )
}

function When({ form, set, problems }: StepProps) {
  const t = useTexts(wizardTexts)
  const zone = t.yourZone(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const isLater = form.startAt !== ''
  const tomorrow = () => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS).toISOString()
  return (
    <Section title={t.whenTitle}>
      <Stack gap="md">
        <Radio.Group
          label={t.startAt}
          value={isLater ? 'later' : 'now'}
          onChange={(value) => set({ startAt: value === 'later' ? tomorrow() : '' })}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="now" label={t.startNow} />
            <Radio value="later" label={t.startLater} />
          </Stack>
        </Radio.Group>
        <FormGrid>
          {isLater && (
            <TextInput
              type="datetime-local"
              label={t.startAt}
              description={zone}
              value={localTime(form.startAt)}
              onChange={(event) => set({ startAt: isoTime(event.currentTarget.value) || tomorrow() })}
            />
          )}
          <TextInput
            type="datetime-local"
            label={t.endAt}
            description={`${t.endHint} ${zone}`}
            value={localTime(form.endAt)}
            onChange={(event) => set({ endAt: isoTime(event.currentTarget.value) })}
            error={problems.includes('endAt') ? t.endWrong : undefined}
          />
        </FormGrid>
        <Radio.Group
          label={t.windows}
          description={t.windowsAbout}
          value={form.windows ? 'own' : 'rules'}
          onChange={(value) => set({ windows: value === 'own' ? [officeHours] : null })}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="rules" label={t.windowsRules} />
            <Radio value="own" label={t.windowsOwn} />
          </Stack>
        </Radio.Group>
        {form.windows && <WindowsInput windows={form.windows} onChange={(windows) => set({ windows })} />}
      </Stack>
    </Section>
  )
}

function Rules({ form, set, isLocked }: StepProps) {
  const t = useTexts(wizardTexts)
  const r = useTexts(rulesTexts)
  const packs = useRulePacks()
  const [isOpen, { toggle }] = useDisclosure(false)
  const chosen = packs.data?.find(({ id }) => id === form.rulesId)
  return (
    <Section title={t.rulesTitle} about={t.rulesAbout}>
      <Stack gap="md">
        <Select
          label={t.rulesTitle}
          maw={420}
          allowDeselect={false}
          disabled={isLocked}
          data={(packs.data ?? []).map(({ id, name, isBuiltIn }) => ({
            value: id,
            label: isBuiltIn ? `${name} (${t.builtIn})` : name,
          }))}
          value={form.rulesId}
          onChange={(rulesId) => rulesId && set({ rulesId })}
        />
        {chosen && (
          <Paper withBorder p="sm">
            <Stack gap="xs" align="flex-start">
              <PackSummary pack={packOf(chosen)} />
              <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={toggle}>
                {isOpen ? t.rulesFold : t.rulesAll}
              </Button>
              {isOpen && <PackRules pack={packOf(chosen)} />}
            </Stack>
          </Paper>
        )}
        <Text size="sm" c="dimmed">
          {r.disclaimer}{' '}
          <Anchor component={Link} href={`/calling-rules/${form.rulesId}`} size="sm" underline="always">
            {t.rulesMore}
          </Anchor>
        </Text>
      </Stack>
    </Section>
  )
}

function Notice({ form, set, problems, isLocked }: StepProps) {
  const t = useTexts(wizardTexts)
  const r = useTexts(rulesTexts)
  const { isOn, text } = form.disclosure
  return (
    <Section title={r.disclosure}>
      <Stack gap="md">
        <Switch
          label={t.disclosure}
          description={t.disclosureHint}
          disabled={isLocked}
          checked={isOn}
          onChange={(event) => set({ disclosure: { text, isOn: event.currentTarget.checked } })}
        />
        {isOn && (
          <Textarea
            label={t.disclosureText}
            placeholder={t.disclosureExample}
            maxLength={300}
            autosize
            disabled={isLocked}
            value={text}
            onChange={(event) => set({ disclosure: { isOn, text: event.currentTarget.value } })}
          />
        )}
        <TextInput
          label={t.predial}
          description={t.predialHint}
          type="url"
          placeholder="https://crm.example.com.br/ramal/predial"
          disabled={isLocked}
          value={form.predialUrl}
          onChange={(event) => set({ predialUrl: event.currentTarget.value })}
          error={problems.includes('predialUrl') ? t.predialWrong : undefined}
        />
      </Stack>
    </Section>
  )
}
