// The caller's steps in a rehearsal, as rows.
import { Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../../i18n/language-provider.tsx'
import { RowsInput } from './rows-input.tsx'
import {
  newStep,
  outages,
  type Start,
  type Step,
  type StepKind,
  startMsOf,
  startOf,
  starts,
  stepKindOf,
  stepKinds,
  withStart,
} from './script-form.ts'
import { scriptTexts } from './script-texts.ts'

type Props = { steps: readonly Step[]; problems: readonly string[]; onChange: (steps: Step[]) => void }

export function StepsInput({ steps, problems, onChange }: Props) {
  const t = useTexts(scriptTexts)
  return (
    <RowsInput
      rows={steps}
      nameOf={t.step}
      none={t.noSteps}
      add={{ label: t.addStep, row: () => newStep('says') }}
      fields={(step, i, change) => (
        <StepFields step={step} error={problems.includes(`steps.${i}`) ? t.missing : undefined} onChange={change} />
      )}
      onChange={onChange}
    />
  )
}

function StepFields(props: { step: Step; error: string | undefined; onChange: (step: Step) => void }) {
  const { step, error, onChange } = props
  const t = useTexts(scriptTexts)
  const kind = stepKindOf(step)
  const start = startOf(step)
  const number = (value: number | string) => Math.max(0, Math.round(Number(value) || 0))
  return (
    <Stack gap="xs" flex={1} miw={0}>
      <Group gap="xs" align="flex-start">
        <Select
          aria-label={t.steps}
          w={170}
          allowDeselect={false}
          value={kind}
          onChange={(next) => onChange(newStep(next as StepKind))}
          data={stepKinds.map((value) => ({ value, label: t.kind[value] }))}
        />
        {kind === 'presses' && (
          <TextInput
            aria-label={t.pressesLabel}
            placeholder={t.pressesLabel}
            maxLength={64}
            flex={1}
            miw={140}
            error={error}
            value={step.presses ?? ''}
            onChange={(event) => onChange({ ...step, presses: event.currentTarget.value })}
          />
        )}
        {kind === 'outage' && (
          <Select
            aria-label={t.outageLabel}
            w={220}
            allowDeselect={false}
            value={step.outage ?? 'llm'}
            onChange={(next) => onChange({ ...step, outage: next as (typeof outages)[number] })}
            data={outages.map((value) => ({ value, label: t.outages[value] }))}
          />
        )}
        {(kind === 'waits' || kind === 'noise') && (
          <NumberInput
            aria-label={t.durationLabel}
            suffix=" ms"
            min={0}
            step={500}
            w={130}
            value={step[kind] ?? 0}
            onChange={(value) => onChange({ ...step, [kind]: number(value) })}
          />
        )}
      </Group>
      {kind === 'says' && (
        <Textarea
          aria-label={t.saysLabel}
          placeholder={t.saysLabel}
          autosize
          minRows={1}
          maxLength={2000}
          error={error}
          value={step.says ?? ''}
          onChange={(event) => onChange({ ...step, says: event.currentTarget.value })}
        />
      )}
      {kind !== 'waits' && (
        <Group gap="xs">
          <Select
            aria-label={t.start}
            size="xs"
            w={210}
            allowDeselect={false}
            value={start}
            onChange={(next) => onChange(withStart(step, next as Start, startMsOf(step) || 800))}
            data={starts.map((value) => ({ value, label: t.starts[value] }))}
          />
          {start !== 'answer' && (
            <NumberInput
              aria-label={t.startMs}
              size="xs"
              suffix=" ms"
              min={0}
              step={100}
              w={110}
              value={startMsOf(step)}
              onChange={(value) => onChange(withStart(step, start, number(value)))}
            />
          )}
        </Group>
      )}
    </Stack>
  )
}

/** Move and delete buttons of a list row. */
