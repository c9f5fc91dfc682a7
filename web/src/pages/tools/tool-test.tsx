// Runs a tool for real with the entered values, and shows the result.
import { Alert, Button, Group, JsonInput, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerPlay } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import type { TestedTool, Tool } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { AgentSelect } from '../../components/agent-select.tsx'
import { FormGrid } from '../../components/form-grid.tsx'
import { NameValueInput } from '../../components/name-value-input.tsx'
import { type Pair, recordOf } from '../../components/name-value-pairs.ts'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { configTexts } from './config-texts.ts'
import { isObject } from './parameter-fields.ts'
import { argumentsOf, functionsOf, type Input, inputsOf, readJson, type ToolFunction } from './tool-test-inputs.ts'
import { ToolTestResult } from './tool-test-result.tsx'
import { toolTestTexts } from './tool-test-texts.ts'

export function ToolTest({ tool, isDirty }: { tool: Tool; isDirty: boolean }) {
  const t = useTexts(toolTestTexts)
  const functions = functionsOf(tool)
  return (
    <Section title={t.title} about={functions.length > 0 ? t.about : undefined}>
      {functions.length === 0 ? (
        <Text size="sm">{t.needsCall}</Text>
      ) : (
        <ToolTestForm key={tool.updatedAt} tool={tool} functions={functions} isDirty={isDirty} />
      )}
    </Section>
  )
}

function ToolTestForm({ tool, functions, isDirty }: { tool: Tool; functions: ToolFunction[]; isDirty: boolean }) {
  const t = useTexts(toolTestTexts)
  const c = useTexts(commonTexts)
  const { choices } = useTexts(configTexts)
  const { isPending, run } = useAction()
  const [word, setWord] = useState(functions[0]?.word ?? '')
  const [farName, setFarName] = useState('')
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [json, setJson] = useState('{}')
  const [agentId, setAgentId] = useState<string | null>(null)
  const [variables, setVariables] = useState<Pair[]>([])
  const [isSubmitted, setSubmitted] = useState(false)
  const [tested, setTested] = useState<TestedTool | null>(null)
  const [isAsking, { open: ask, close: stopAsking }] = useDisclosure(false)

  const fn = functions.find((one) => one.word === word) ?? functions[0]
  const inputs = fn?.schema ? inputsOf(fn.schema) : []
  const read = readJson(json)
  const { args, problems } = fn?.schema
    ? argumentsOf(inputs, typed)
    : { args: isObject(read) ? read : {}, problems: isObject(read) ? [] : ['json'] }

  function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (problems.length > 0 || !fn) return
    if (fn.hasEffect) ask()
    else void test()
  }

  async function test() {
    stopAsking()
    setTested(null)
    const body = {
      arguments: args,
      variables: recordOf(variables),
      agentId,
      function: fn?.name ?? (farName.trim() || null),
    }
    await run(async () =>
      setTested(await unwrap(api.POST('/api/tools/{id}/test', { params: { path: { id: tool.id } }, body }))),
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {isDirty && (
          <Alert color="yellow" variant="light" p="xs">
            {t.unsaved}
          </Alert>
        )}
        {functions.length > 1 && (
          <Select
            label={t.function}
            allowDeselect={false}
            value={word}
            onChange={(chosen) => setWord(chosen ?? '')}
            data={functions.map((one) => ({
              value: one.word,
              label: (choices as Readonly<Record<string, string>>)[one.word] ?? one.word,
            }))}
          />
        )}
        {fn?.schema ? (
          <FormGrid>
            {inputs.map((input) => (
              <ArgumentInput
                key={`${word}.${input.name}`}
                input={input}
                value={typed[input.name] ?? ''}
                onChange={(value) => setTyped((before) => ({ ...before, [input.name]: value }))}
                error={isSubmitted && problems.includes(input.name) ? t.wrong : undefined}
              />
            ))}
          </FormGrid>
        ) : (
          <>
            {tool.type === 'mcp' && (
              <TextInput
                label={t.function}
                description={t.functionHint}
                value={farName}
                onChange={(event) => setFarName(event.currentTarget.value)}
              />
            )}
            <JsonInput
              label={t.args}
              autosize
              minRows={3}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              value={json}
              onChange={setJson}
              error={isSubmitted && problems.length > 0 ? t.argsWrong : undefined}
            />
          </>
        )}
        {fn?.schema && inputs.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.noArgs}
          </Text>
        )}
        <AgentSelect
          label={`${t.agent} (${c.optional})`}
          description={t.agentHint}
          value={agentId}
          onChange={setAgentId}
        />
        <NameValueInput label={t.variables} pairs={variables} onChange={setVariables} />
        <div>
          <Button
            type="submit"
            variant="light"
            loading={isPending}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
          >
            {t.run}
          </Button>
        </div>
        <div aria-live="polite">{tested && <ToolTestResult tested={tested} />}</div>
      </Stack>
      <Modal
        opened={isAsking}
        onClose={stopAsking}
        title={t.confirmTitle}
        centered
        closeButtonProps={{ 'aria-label': c.close }}
      >
        <Stack>
          <Text size="sm">{t.confirmText}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={stopAsking}>
              {c.cancel}
            </Button>
            <Button onClick={() => void test()} data-autofocus>
              {t.run}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </form>
  )
}

function ArgumentInput({
  input: { name, kind, description, isNeeded, options, standard },
  value,
  onChange,
  error,
}: {
  input: Input
  value: string
  onChange: (value: string) => void
  error: string | undefined
}) {
  const t = useTexts(toolTestTexts)
  const shared = {
    label: name,
    description: description || undefined,
    required: isNeeded,
    placeholder: standard ? t.standard(standard) : undefined,
    error,
  }
  if (kind === 'choice' || kind === 'yesno')
    return (
      <Select
        {...shared}
        clearable={!isNeeded}
        value={value || null}
        onChange={(chosen) => onChange(chosen ?? '')}
        data={
          kind === 'choice'
            ? options
            : [
                { value: 'true', label: t.yes },
                { value: 'false', label: t.no },
              ]
        }
      />
    )
  if (kind === 'json') return <JsonInput {...shared} autosize minRows={2} value={value} onChange={onChange} />
  return (
    <TextInput
      {...shared}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
