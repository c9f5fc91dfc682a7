// The expectations of a rehearsal, as rows.
import { Autocomplete, Checkbox, Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useTexts } from '../../i18n/language-provider.tsx'
import { endReasonTexts } from '../calls/end-reason-texts.ts'
import { RowsInput } from './rows-input.tsx'
import {
  chains,
  type Expectation,
  type ExpectationKind,
  expectationKindOf,
  expectationKinds,
  newExpectation,
  type Words,
} from './script-form.ts'
import { scriptTexts } from './script-texts.ts'

type Props = {
  expect: readonly Expectation[]
  problems: readonly string[]
  /** Names of the agent's tools, as suggestions. */
  toolNames: readonly string[]
  onChange: (expect: Expectation[]) => void
}

export function ExpectationsInput({ expect, problems, toolNames, onChange }: Props) {
  const t = useTexts(scriptTexts)
  return (
    <RowsInput
      rows={expect}
      nameOf={t.expectation}
      none={t.noExpect}
      add={{ label: t.addExpect, row: () => newExpectation('said') }}
      fields={(expected, i, change) => (
        <ExpectationFields
          expected={expected}
          toolNames={toolNames}
          error={problems.includes(`expect.${i}`) ? t.missing : undefined}
          onChange={change}
        />
      )}
      onChange={onChange}
    />
  )
}

type FieldProps = {
  expected: Expectation
  toolNames: readonly string[]
  error: string | undefined
  onChange: (next: Expectation) => void
}

function ExpectationFields(props: FieldProps) {
  const { expected, onChange } = props
  const t = useTexts(scriptTexts)
  const kind = expectationKindOf(expected)
  return (
    <Group gap="xs" flex={1} miw={0} align="flex-start">
      <Select
        aria-label={t.expect}
        w={230}
        maw="100%"
        allowDeselect={false}
        value={kind}
        onChange={(next) => onChange(newExpectation(next as ExpectationKind))}
        data={expectationKinds.map((value) => ({ value, label: t.expectKind[value] }))}
      />
      {(kind === 'said' || kind === 'notSaid' || kind === 'heard') && <WordsFields {...props} kind={kind} />}
      {(kind === 'toolRan' || kind === 'toolNotRan') && <ToolFields {...props} kind={kind} />}
      {kind === 'turnUnderMs' && (
        <>
          <NumberInput
            aria-label={t.msLabel}
            suffix=" ms"
            min={1}
            step={100}
            w={130}
            value={expected.turnUnderMs ?? 0}
            onChange={(value) => onChange({ ...expected, turnUnderMs: Number(value) || 1 })}
          />
          <TurnInput turn={expected.turn} onChange={(turn) => onChange({ ...expected, turn })} />
        </>
      )}
      {kind === 'interrupted' && (
        <TurnInput turn={expected.interrupted} onChange={(turn) => onChange({ interrupted: turn ?? 1 })} />
      )}
      {kind === 'endReason' && <ReasonInput {...props} />}
      {kind === 'degraded' && (
        <Select
          aria-label={t.outageLabel}
          flex="1 1 180px"
          allowDeselect={false}
          value={expected.degraded ?? 'llm'}
          onChange={(next) => onChange({ degraded: next as (typeof chains)[number] })}
          data={chains.map((value) => ({ value, label: t.chains[value] }))}
        />
      )}
    </Group>
  )
}

function WordsFields({ expected, error, onChange, kind }: FieldProps & { kind: 'said' | 'notSaid' | 'heard' }) {
  const t = useTexts(scriptTexts)
  const field = kind === 'heard' ? 'heard' : 'said'
  const words: Words = expected[field] ?? {}
  const isPattern = kind !== 'notSaid' && typeof words.matches === 'string'
  const name = kind === 'notSaid' ? 'not' : isPattern ? 'matches' : 'contains'
  const set = (part: Words) => onChange({ [field]: { ...words, ...part } })
  const text = words[name] ?? ''
  return (
    <>
      <TextInput
        aria-label={isPattern ? t.patternLabel : t.wordsLabel}
        placeholder={isPattern ? t.patternLabel : t.wordsLabel}
        maxLength={1000}
        flex="1 1 180px"
        error={error}
        value={text}
        onChange={(event) => set({ [name]: event.currentTarget.value })}
      />
      <TurnInput turn={words.turn} onChange={(turn) => set({ turn })} />
      {kind !== 'notSaid' && (
        <Checkbox
          mt={8}
          label={t.usePattern}
          checked={isPattern}
          onChange={(event) => {
            const { contains, matches, ...rest } = words
            onChange({ [field]: { ...rest, [event.currentTarget.checked ? 'matches' : 'contains']: text } })
          }}
        />
      )}
    </>
  )
}

function ToolFields({ expected, toolNames, error, onChange, kind }: FieldProps & { kind: 'toolRan' | 'toolNotRan' }) {
  const t = useTexts(scriptTexts)
  return (
    <>
      <Autocomplete
        aria-label={t.toolLabel}
        placeholder={t.toolLabel}
        flex="1 1 180px"
        maxLength={255}
        error={error}
        data={[...new Set(toolNames)]}
        value={expected[kind] ?? ''}
        onChange={(name) => onChange({ ...expected, [kind]: name })}
      />
      {kind === 'toolRan' && (
        <NumberInput
          aria-label={t.timesLabel}
          placeholder={t.timesLabel}
          min={0}
          max={100}
          w={90}
          value={expected.times ?? ''}
          onChange={(value) => onChange({ ...expected, times: value === '' ? null : Number(value) })}
        />
      )}
    </>
  )
}

function TurnInput(props: { turn: number | null | undefined; onChange: (turn: number | null) => void }) {
  const t = useTexts(scriptTexts)
  return (
    <NumberInput
      aria-label={t.turnLabel}
      title={t.turnHint}
      placeholder={t.turnLabel}
      min={1}
      max={1000}
      w={90}
      value={props.turn ?? ''}
      onChange={(value) => props.onChange(value === '' ? null : Number(value))}
    />
  )
}

function ReasonInput({ expected, onChange }: FieldProps) {
  const t = useTexts(scriptTexts)
  const reasons = useTexts(endReasonTexts)
  const known = ['caller_hangup', 'agent_ended', 'transferred', 'silence_timeout', 'max_duration', 'voicemail'] as const
  const current = expected.endReason ?? ''
  const all = [...new Set([...known.filter((reason) => reason in reasons), current])].filter((reason) => reason !== '')
  const label = (reason: string) => (reasons as Record<string, { short: string }>)[reason]?.short ?? reason
  return (
    <Select
      aria-label={t.reasonLabel}
      flex="1 1 180px"
      allowDeselect={false}
      value={current}
      onChange={(endReason) => onChange({ endReason })}
      data={all.map((value) => ({ value, label: label(value) }))}
    />
  )
}
