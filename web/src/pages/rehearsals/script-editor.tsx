// The editor of a rehearsal's script, as a form or as JSON.
import { Alert, JsonInput, Radio, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { queries } from '../../api.ts'
import { NameValueInput } from '../../components/name-value-input.tsx'
import { pairsOf, recordOf } from '../../components/name-value-pairs.ts'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { ExpectationsInput } from './expectations-input.tsx'
import { hasHiddenFields, parseScript, type Script, toolsOf, toolTextOf } from './script-form.ts'
import { scriptTexts } from './script-texts.ts'
import { StepsInput } from './steps-input.tsx'

type Props = {
  script: Script
  agentId: string | null
  /** Paths of missing fields, set once the user tried to save. */
  problems: readonly string[]
  onChange: (script: Script) => void
}

export function ScriptEditor(props: Props) {
  const { script, onChange } = props
  const t = useTexts(scriptTexts)
  const [view, setView] = useState<'form' | 'json'>('form')
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label={t.view}
        value={view}
        onChange={(next) => setView(next as typeof view)}
        data={[
          { value: 'form', label: t.form },
          { value: 'json', label: t.json },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {view === 'form' ? <ScriptForm {...props} /> : <ScriptJson script={script} onChange={onChange} />}
    </Stack>
  )
}

function ScriptForm({ script, agentId, problems, onChange }: Props) {
  const t = useTexts(scriptTexts)
  const linked = queries.useQuery(
    'get',
    '/api/agents/{id}/tools',
    { params: { path: { id: agentId ?? '' } } },
    { enabled: agentId !== null },
  )
  const [variables, setVariables] = useState(() => pairsOf(script.variables))
  const [tools, setTools] = useState(() =>
    pairsOf(Object.fromEntries(Object.entries(script.tools ?? {}).map(([name, tool]) => [name, toolTextOf(tool)]))),
  )
  const toolNames = (linked.data ?? []).map(({ name }) => name)
  const set = (part: Partial<Script>) => onChange({ ...script, ...part })
  return (
    <>
      {hasHiddenFields(script) && <Alert color="gray">{t.otherFields}</Alert>}
      <Section title={t.steps} about={t.stepsAbout}>
        <StepsInput steps={script.steps ?? []} problems={problems} onChange={(steps) => set({ steps })} />
      </Section>
      <Section title={t.expect} about={t.expectAbout}>
        <ExpectationsInput
          expect={script.expect ?? []}
          problems={problems}
          toolNames={toolNames}
          onChange={(expect) => set({ expect })}
        />
      </Section>
      <Section title={t.tools} about={t.toolsAbout}>
        <NameValueInput
          label={t.tools}
          names={[t.toolName, t.toolResult]}
          pairs={tools}
          onChange={(pairs) => {
            setTools(pairs)
            set({ tools: toolsOf(recordOf(pairs), script.tools ?? {}) })
          }}
        />
      </Section>
      <Section title={t.advanced}>
        <Radio.Group
          label={t.mode}
          value={script.mode ?? 'text'}
          onChange={(mode) => set({ mode: mode as 'text' | 'audio' })}
        >
          <Stack gap="xs" mt={6}>
            {(['text', 'audio'] as const).map((mode) => (
              <Radio key={mode} value={mode} label={t.modes[mode]} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group
          label={t.direction}
          value={script.direction ?? 'inbound'}
          onChange={(direction) => set({ direction: direction as 'inbound' | 'outbound' })}
        >
          <Stack gap="xs" mt={6}>
            {(['inbound', 'outbound'] as const).map((direction) => (
              <Radio key={direction} value={direction} label={t.directions[direction]} />
            ))}
          </Stack>
        </Radio.Group>
        <NameValueInput
          label={t.variables}
          pairs={variables}
          onChange={(pairs) => {
            setVariables(pairs)
            set({ variables: recordOf(pairs) })
          }}
        />
      </Section>
    </>
  )
}

/** Keeps invalid JSON as typed; the script changes only when the JSON is valid. */
function ScriptJson({ script, onChange }: { script: Script; onChange: (script: Script) => void }) {
  const t = useTexts(scriptTexts)
  const [text, setText] = useState(() => JSON.stringify(script, null, 2))
  const isWrong = parseScript(text) === null
  return (
    <div>
      <JsonInput
        label={t.jsonLabel}
        autosize
        minRows={14}
        maxRows={40}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        value={text}
        error={isWrong ? t.jsonWrong : undefined}
        onChange={(next) => {
          setText(next)
          const parsed = parseScript(next)
          if (parsed) onChange(parsed)
        }}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {t.toolsAbout}
      </Text>
    </div>
  )
}
