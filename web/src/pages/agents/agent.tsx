// The agent page: all tabs edit one draft, saved together.
import { Alert, Button, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconMicrophone, IconPower } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useParams, useSearchParams } from 'wouter'
import type { Agent as AgentRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { languageName } from '../../components/language-select.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useStopPreviewOnLeave } from '../../components/voice-preview.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { type Draft, draftOf, patchOf, problemsOf } from './agent-draft.ts'
import type { AgentFormProps } from './agent-form.tsx'
import { agentTexts } from './agent-texts.ts'
import { ConversationTab } from './conversation-tab.tsx'
import { GeneralTab } from './general-tab.tsx'
import { ModelTab } from './model-tab.tsx'
import { PhoneTab } from './phone-tab.tsx'
import { PromptTab } from './prompt-tab.tsx'
import { RecordingTab } from './recording-tab.tsx'
import { ToolsTab } from './tools-tab.tsx'
import { VoiceTab } from './voice-tab.tsx'
import { WebsiteTab } from './website-tab.tsx'

const tabs = [
  ['prompt', PromptTab],
  ['voice', VoiceTab],
  ['model', ModelTab],
  ['turns', ConversationTab],
  ['after', RecordingTab],
  ['tools', ToolsTab],
  ['phone', PhoneTab],
  ['site', WebsiteTab],
  ['general', GeneralTab],
] as const
type TabName = (typeof tabs)[number][0]

/** The tab of each field, to open the one with an error. */
const tabOf: Partial<Record<keyof Draft, TabName>> = {
  name: 'general',
  providerA: 'voice',
  moreModel: 'model',
  voicemailMessage: 'after',
  fields: 'after',
}

export function Agent() {
  const { id = '' } = useParams<{ id: string }>()
  const t = useTexts(agentTexts)
  const agent = queries.useQuery('get', '/api/agents/{id}', { params: { path: { id } } })
  useStopPreviewOnLeave()
  if (!agent.data)
    return (
      <Page title={t.agents} back={{ to: '/agents', name: t.agents }}>
        <QueryResult query={agent}>{() => null}</QueryResult>
      </Page>
    )
  return <AgentForm key={id} agent={agent.data} />
}

function AgentForm({ agent }: { agent: AgentRecord }) {
  const t = { ...useTexts(commonTexts), ...useTexts(agentTexts) }
  const { locale } = useLanguage()
  const { isPending, run } = useAction()
  const [search, setSearch] = useSearchParams()
  const [draft, setDraft] = useState<Draft | null>(null)
  const [isSubmitted, setSubmitted] = useState(false)

  const requestedTab = search.get('tab')
  const tab: TabName = tabs.find(([name]) => name === requestedTab)?.[0] ?? 'prompt'
  const open = (name: string | null) =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      next.set('tab', name ?? 'prompt')
      return next
    })
  const value = draft ?? draftOf(agent)
  const isDirty = draft !== null && Object.keys(safePatch(agent, draft)).length > 0
  const problems = problemsOf(value)
  const part: AgentFormProps = {
    agent,
    draft: value,
    problems: isSubmitted || draft ? problems : {},
    change: (patch) => setDraft((before) => ({ ...(before ?? draftOf(agent)), ...patch })),
  }

  const discard = () => {
    setDraft(null)
    setSubmitted(false)
  }
  async function save(): Promise<boolean> {
    if (!draft) return true
    setSubmitted(true)
    const [wrong] = Object.keys(problems) as (keyof Draft)[]
    if (wrong) {
      open(tabOf[wrong] ?? 'prompt')
      notifications.show({ message: t.hasProblems, color: 'red' })
      return false
    }
    const { id } = agent
    const body = patchOf(agent, draft)
    const isSaved = await run(() => unwrap(api.PATCH('/api/agents/{id}', { params: { path: { id } }, body })), {
      success: t.saved,
      stale: ['/api/agents'],
    })
    if (isSaved) discard()
    return isSaved
  }
  useHotkeys([['mod+S', () => void (isDirty && save())]], [])

  const talk = (
    <Button
      component={Link}
      href={`/agents/${agent.id}/talk`}
      size="md"
      leftSection={<IconMicrophone size={18} aria-hidden />}
    >
      {t.talk}
    </Button>
  )
  const isNew = search.get('created') === '1'
  return (
    <Page
      title={agent.name}
      back={{ to: '/agents', name: t.agents }}
      actions={isNew ? undefined : talk}
      about={
        <Group gap="xs" mt={4}>
          <StatusBadge tone={agent.isActive ? 'good' : 'off'} word={agent.isActive ? t.active : t.inactive} />
          <Text size="sm">
            {t[agent.direction]} · {languageName(agent.language, locale)}
          </Text>
        </Group>
      }
    >
      {isNew && <Ready talk={talk} />}
      {!agent.isActive && (
        <Alert color="gray" variant="light" icon={<IconPower size={18} aria-hidden />}>
          {t.inactiveText}
        </Alert>
      )}
      <Tabs value={tab} onChange={open} keepMounted={false} activateTabWithKeyboard={false}>
        <TabList
          tab={tab}
          marked={new Set(Object.keys(part.problems).map((name) => tabOf[name as keyof Draft] ?? 'prompt'))}
        />
        {tabs.map(([name, Body]) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            {name === tab && <Body {...part} />}
          </Tabs.Panel>
        ))}
      </Tabs>
      <SaveBar isDirty={isDirty} isSaving={isPending} onSave={() => void save()} onDiscard={discard} />
      <LeaveGuard isDirty={isDirty} onSave={save} onDiscard={discard} />
    </Page>
  )
}

/** Incomplete JSON cannot be parsed, but is a change. */
function safePatch(agent: AgentRecord, draft: Draft): object {
  try {
    return patchOf(agent, draft)
  } catch {
    return { isHalfWritten: true }
  }
}

/** On a phone the tabs scroll; the open one stays in view. */
function TabList({ tab, marked }: { tab: TabName; marked: ReadonlySet<TabName> }) {
  const t = useTexts(agentTexts)
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another tab is opened
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [tab])
  return (
    <Tabs.List ref={list} aria-label={t.tabs} style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
      {tabs.map(([name]) => (
        <Tabs.Tab
          key={name}
          value={name}
          style={{ flexShrink: 0 }}
          rightSection={
            marked.has(name) ? <IconAlertTriangle size={14} aria-label={t.hasProblems} role="img" /> : undefined
          }
        >
          {t.tab[name]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}

function Ready({ talk }: { talk: React.ReactNode }) {
  const t = useTexts(agentTexts)
  return (
    <Paper
      withBorder
      p="lg"
      bg="var(--mantine-primary-color-light)"
      style={{ borderColor: 'var(--mantine-color-ramal-4)' }}
    >
      <Group justify="space-between">
        <Stack gap={4} flex="1 1 280px">
          <Title order={2} size="h4">
            {t.isReady}
          </Title>
          <Text size="sm">{t.isReadyText}</Text>
        </Stack>
        {talk}
      </Group>
    </Paper>
  )
}
