// Tests the unsaved agent draft: by voice, by text, and with values for its variables.
import { Alert, Code, Stack, Tabs, Text, TextInput, Title } from '@mantine/core'
import { Suspense, useCallback, useRef, useState } from 'react'
import { NoModelNotice } from '../../../components/no-model-notice.tsx'
import { useTexts } from '../../../i18n/language-provider.tsx'
import { lazyComponent } from '../../../lazy-component.ts'
import { canSpeak } from '../../talk/use-talk.ts'
import { VoiceCall } from '../../talk/voice-call.tsx'
import type { AgentFormProps } from '../agent-form.ts'
import { builtInVariables, namesIn } from '../prompt-variables.ts'
import { type TestValues, testDraft } from './test-draft.ts'
import { testPanelTexts } from './test-panel-texts.ts'

const TextChat = lazyComponent(() => import('../../talk/text-chat.tsx'), 'TextChat')
/** Loaded on demand, because few users need it. */
const NoMicrophone = lazyComponent(() => import('../../talk/no-microphone.tsx'), 'NoMicrophone')

export function TestPanel({ agent, draft, hasTitle = true }: AgentFormProps & { hasTitle?: boolean }) {
  const t = useTexts(testPanelTexts)
  const [way, setWay] = useState<string | null>(canSpeak() ? 'voice' : 'text')
  // Loaded when first opened; then it stays mounted and keeps its messages.
  const chat = useRef(false)
  chat.current ||= way === 'text'
  const isChatOpen = chat.current
  const [values, setValues] = useState<TestValues>({})
  const changes = testDraft(agent, draft, values)
  // The call and the chat read the latest draft when they start, not whenever the form changes.
  const latest = useRef(changes)
  latest.current = changes
  const order = useCallback(
    () => ({ agentId: agent.id, ...(latest.current ? { draft: latest.current } : {}) }),
    [agent.id],
  )
  const draftOf = useCallback(() => latest.current ?? {}, [])
  const tested = { ...agent, name: draft.name.trim() || agent.name }
  return (
    <Stack gap="sm">
      <div>
        {hasTitle && (
          <Title order={2} size="h4">
            {t.title}
          </Title>
        )}
        <Text size="sm" c="dimmed">
          {t.about}
        </Text>
      </div>
      <NoModelNotice />
      {changes === null && (
        <Alert color="yellow" variant="light" p="xs">
          {t.cannot}
        </Alert>
      )}
      {/* A call continues while another tab is open. */}
      <Tabs value={way} onChange={setWay} keepMounted variant="pills">
        <Tabs.List aria-label={t.ways} grow mb="md">
          <Tabs.Tab value="voice">{t.voice}</Tabs.Tab>
          <Tabs.Tab value="text">{t.text}</Tabs.Tab>
          <Tabs.Tab value="variables">{t.variables}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="voice">
          {!canSpeak() && (
            <Suspense>
              <NoMicrophone />
            </Suspense>
          )}
          <VoiceCall agent={tested} order={order} isOff={changes === null} isCompact write={() => setWay('text')} />
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <Stack gap="xs">
            {isChatOpen && (
              <Suspense>
                <TextChat agentId={agent.id} agentName={tested.name} draftOf={draftOf} height="340px" />
              </Suspense>
            )}
            <Text size="xs" c="dimmed">
              {t.newMessage}
            </Text>
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="variables">
          <TestVariables draft={draft} values={values} onChange={setValues} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

function TestVariables({
  draft,
  values,
  onChange,
}: Pick<AgentFormProps, 'draft'> & { values: TestValues; onChange: (values: TestValues) => void }) {
  const t = useTexts(testPanelTexts)
  const used = namesIn(draft.initialSpeech, draft.systemPrompt, draft.voicemailMessage)
  // The server sets date and time; testing with another caller is useful.
  const names = used.filter((name) => !['date', 'time', 'weekday'].includes(name))
  const isBuiltIn = (name: string) => builtInVariables.some((known) => known === name)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {names.length === 0 ? t.noVariables : t.variablesAbout}
      </Text>
      {names.map((name) => (
        <TextInput
          key={name}
          label={<Code>{`{{${name}}}`}</Code>}
          aria-label={t.valueOf(name)}
          placeholder={draft.variables[name] || (isBuiltIn(name) ? '' : t.noValue)}
          maxLength={5000}
          value={values[name] ?? ''}
          onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
    </Stack>
  )
}
