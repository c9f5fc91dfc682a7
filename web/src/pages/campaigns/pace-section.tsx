// Pace and retries, collapsed: the defaults suit most campaigns.
import { Button, Collapse, Group, NumberInput, Stack, Switch, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import type { Campaign } from '../../../../client/paths.ts'
import { FormGrid } from '../../components/form-grid.tsx'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import type { StepProps } from './agent-step.tsx'
import { campaignStateTexts } from './campaign-state-texts.ts'
import { setupTexts } from './setup-texts.ts'
import { wizardTexts } from './wizard-texts.ts'

type RetryRule = Campaign['retries']['rules'][number]
const retried = ['no_answer', 'busy', 'voicemail', 'unreachable', 'failed', 'rejected'] as const
const DEFAULT_MINUTES = 240

export function PaceSection({ form, set, problems }: StepProps) {
  const t = useTexts(wizardTexts)
  const u = useTexts(setupTexts)
  const { locale } = useLanguage()
  const isWrong = problems.includes('pacing')
  const [isOpen, { toggle }] = useDisclosure(false)
  const { pacing, retries } = form
  return (
    <Section
      title={t.advanced}
      about={`${u.paceText(pacing.maxConcurrentCalls.toLocaleString(locale), pacing.callsPerSecond.toLocaleString(locale))} · ${u.retriesText(retries.maxAttempts)}`}
      actions={
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen || isWrong}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`${t.adjust}: ${t.advanced}`}
          onClick={toggle}
        >
          {t.adjust}
        </Button>
      }
    >
      <Collapse expanded={isOpen || isWrong}>
        <Stack gap="md">
          <FormGrid cols={{ base: 1, sm: 3 }}>
            <NumberInput
              label={t.concurrent}
              min={1}
              max={1000}
              allowDecimal={false}
              value={pacing.maxConcurrentCalls}
              error={isWrong ? t.pacingWrong : undefined}
              onChange={(value) => set({ pacing: { ...pacing, maxConcurrentCalls: Number(value) } })}
            />
            <NumberInput
              label={t.perSecond}
              min={0.01}
              max={50}
              step={0.5}
              decimalScale={2}
              value={pacing.callsPerSecond}
              onChange={(value) => set({ pacing: { ...pacing, callsPerSecond: Number(value) } })}
            />
            <NumberInput
              label={t.maxAttempts}
              min={1}
              max={20}
              allowDecimal={false}
              clampBehavior="strict"
              value={retries.maxAttempts}
              onChange={(value) => set({ retries: { ...retries, maxAttempts: Math.max(1, Number(value)) } })}
            />
          </FormGrid>
          <RetryTable rules={retries.rules} onChange={(rules) => set({ retries: { ...retries, rules } })} />
          <Switch
            label={t.otherTime}
            checked={retries.otherTimeOfDay}
            onChange={(event) => set({ retries: { ...retries, otherTimeOfDay: event.currentTarget.checked } })}
          />
        </Stack>
      </Collapse>
    </Section>
  )
}

function RetryTable({ rules, onChange }: { rules: readonly RetryRule[]; onChange: (rules: RetryRule[]) => void }) {
  const t = useTexts(wizardTexts)
  const s = useTexts(campaignStateTexts)
  const ruleOf = (outcome: RetryRule['outcome']): RetryRule =>
    rules.find((rule) => rule.outcome === outcome) ?? { outcome, times: 0, afterMinutes: DEFAULT_MINUTES }
  const change = (rule: RetryRule) =>
    onChange(
      retried.map((outcome) => (outcome === rule.outcome ? rule : ruleOf(outcome))).filter(({ times }) => times > 0),
    )
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t.retryTable}
      </Text>
      <Table withRowBorders={false} verticalSpacing={4} aria-label={t.retryTable}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.result}</Table.Th>
            <Table.Th>{t.times}</Table.Th>
            <Table.Th>{t.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {retried.map((outcome) => {
            const rule = ruleOf(outcome)
            return (
              <Table.Tr key={outcome}>
                <Table.Td>{s.outcomes[outcome]}</Table.Td>
                <Table.Td>
                  <NumberInput
                    aria-label={t.timesFor(s.outcomes[outcome])}
                    w={80}
                    min={0}
                    max={10}
                    allowDecimal={false}
                    clampBehavior="strict"
                    value={rule.times}
                    onChange={(value) => change({ ...rule, times: Number(value) })}
                  />
                </Table.Td>
                <Table.Td>
                  <Group gap={0}>
                    <NumberInput
                      aria-label={t.afterFor(s.outcomes[outcome])}
                      w={100}
                      min={1}
                      max={43_200}
                      allowDecimal={false}
                      clampBehavior="strict"
                      disabled={rule.times === 0}
                      value={rule.afterMinutes}
                      onChange={(value) => change({ ...rule, afterMinutes: Math.max(1, Number(value)) })}
                    />
                  </Group>
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
