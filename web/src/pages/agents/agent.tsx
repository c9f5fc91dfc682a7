// The agent page: tabs that edit one draft, which is saved as a whole, beside a panel that tests the draft.
import { Alert, Button, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconMicrophone, IconPower } from '@tabler/icons-react'
import { type ComponentType, Suspense, useState } from 'react'
import { Link, useParams, useSearchParams } from 'wouter'
import type { Agent as AgentRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { Editable } from '../../components/editable.tsx'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { IncidentWatch } from '../../components/incident-watch.tsx'
import { languageName } from '../../components/language-select.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemMark } from '../../components/problem-mark.tsx'
import { Loading, QueryResult } from '../../components/query-states.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useStopPreviewOnLeave } from '../../components/voice-preview.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { lazyComponent } from '../../lazy-component.ts'
import { useMay } from '../../organization.ts'
import styles from './agent.module.css'
import { type AgentPatch, type Draft, draftOf, patchOf, problemsOf } from './agent-draft.ts'
import type { AgentFormProps } from './agent-form.ts'
import { AgentMenu } from './agent-menu.tsx'
import { AgentTabBar } from './agent-tab-bar.tsx'
import { type GroupName, groupOf, type TabName, tabFrom, tabsIn, tabsWithProblems } from './agent-tabs.ts'
import { agentTexts } from './agent-texts.ts'
import { PromptTab } from './prompt-tab.tsx'
import { TestPanel } from './testing/test-panel.tsx'

/** The prompt tab is part of the page's bundle; the others are loaded when opened. */
const bodies: Readonly<Record<TabName, ComponentType<AgentFormProps>>> = {
  prompt: PromptTab,
  voice: lazyComponent(() => import('./voice-tab.tsx'), 'VoiceTab'),
  turns: lazyComponent(() => import('./conversation-tab.tsx'), 'ConversationTab'),
  tools: lazyComponent(() => import('./tools-tab.tsx'), 'ToolsTab'),
  knowledge: lazyComponent(() => import('./knowledge-tab.tsx'), 'KnowledgeTab'),
  phone: lazyComponent(() => import('./phone-tab.tsx'), 'PhoneTab'),
  site: lazyComponent(() => import('./website-tab.tsx'), 'WebsiteTab'),
  general: lazyComponent(() => import('./general-tab.tsx'), 'GeneralTab'),
  model: lazyComponent(() => import('./model-tab.tsx'), 'ModelTab'),
  providers: lazyComponent(() => import('./providers/providers-tab.tsx'), 'ProvidersTab'),
  after: lazyComponent(() => import('./recording-tab.tsx'), 'RecordingTab'),
}

const TestSheet = lazyComponent(() => import('./testing/test-sheet.tsx'), 'TestSheet')

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

function AgentForm({ agent: current }: { agent: AgentRecord }) {
  const t = { ...useTexts(commonTexts), ...useTexts(agentTexts) }
  const { locale } = useLanguage()
  const { isPending, run } = useAction()
  const guarded = useGuardedSave({ fields: agentFieldWords(t) })
  const [search, setSearch] = useSearchParams()
  // Keeps the record that the draft started from: a refetch must not change the base of the comparison.
  const [form, setForm] = useState<{ draft: Draft; base: AgentRecord } | null>(null)
  const [isSubmitted, setSubmitted] = useState(false)
  const mayTest = useMay('tests:write')
  const hasPanel = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })

  const tab = tabFrom(search.get('tab'))
  const open = (name: TabName) =>
    setSearch((before) => {
      const next = new URLSearchParams(before)
      next.set('tab', name)
      return next
    })
  const agent = form?.base ?? current
  const draft = form?.draft ?? null
  const value = draft ?? draftOf(agent)
  const isDirty = draft !== null && Object.keys(safePatch(agent, draft)).length > 0
  const problems = problemsOf(value)
  const part: AgentFormProps = {
    agent,
    draft: value,
    problems: isSubmitted || draft ? problems : {},
    change: (patch) =>
      setForm((before) => {
        const { draft: now, base } = before ?? { draft: draftOf(current), base: current }
        return { draft: { ...now, ...patch }, base }
      }),
  }

  const discard = () => {
    setForm(null)
    setSubmitted(false)
  }
  async function save(): Promise<boolean> {
    if (!draft) return true
    setSubmitted(true)
    const [wrong] = tabsWithProblems(problems)
    if (wrong) {
      open(wrong)
      notifications.show({ message: t.hasProblems, color: 'red' })
      return false
    }
    const path = { params: { path: { id: agent.id } } }
    const change = {
      base: agent,
      patch: patchOf(agent, draft),
      load: () => unwrap(api.GET('/api/agents/{id}', path)),
      send: (body: AgentPatch, headers: Record<string, string>) =>
        unwrap(api.PATCH('/api/agents/{id}', { ...path, body, headers })),
    }
    const isSaved = await run(() => guarded.save(change), { success: t.saved, stale: ['/api/agents'] })
    if (isSaved) discard()
    return isSaved
  }
  useHotkeys([['mod+S', () => void (isDirty && save())]], [], true)

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
      actions={
        <>
          {!isNew && talk}
          <AgentMenu agent={agent} />
        </>
      }
      about={
        <Group gap="xs" mt={4}>
          <StatusBadge tone={agent.isActive ? 'good' : 'off'} word={agent.isActive ? t.active : t.inactive} />
          <Text size="sm">
            {t[agent.direction]} · {languageName(agent.language, locale)}
          </Text>
        </Group>
      }
    >
      <IncidentWatch agentId={agent.id} />
      {isNew && <Ready talk={talk} />}
      {!agent.isActive && (
        <Alert color="gray" variant="light" icon={<IconPower size={18} aria-hidden />}>
          {t.inactiveText}
        </Alert>
      )}
      <Tabs
        value={groupOf(tab)}
        onChange={(group) => open(tabsIn(group as GroupName)[0] ?? 'prompt')}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <AgentTabBar
          tab={tab}
          marked={tabsWithProblems(part.problems)}
          isDirty={isDirty}
          isSaving={isPending}
          onSave={() => void save()}
          onDiscard={discard}
        >
          {mayTest && !hasPanel && (
            <Suspense>
              <TestSheet {...part} />
            </Suspense>
          )}
        </AgentTabBar>
        <div className={styles.columns}>
          <Tabs.Panel value={groupOf(tab)} pt="lg">
            <Suspense fallback={<Loading />}>
              <TabBody tab={tab} onOpen={open} part={part} />
            </Suspense>
          </Tabs.Panel>
          {mayTest && hasPanel && (
            <Paper withBorder p="md" mt="lg" component="aside" aria-label={t.test} className={styles.panel ?? ''}>
              <TestPanel {...part} />
            </Paper>
          )}
        </div>
      </Tabs>
      {guarded.dialog}
      <LeaveGuard isDirty={isDirty} onSave={save} onDiscard={discard} />
    </Page>
  )
}

/** Field labels, for the comparison with another user's changes. */
const agentFieldWords = (t: typeof commonTexts.pt & typeof agentTexts.pt) => ({
  name: t.name,
  description: t.description,
  isActive: t.isActive,
  direction: t.direction,
  language: t.language,
  systemPrompt: t.prompt,
  initialSpeech: t.openingPhrase,
  ttsProvider: t.field.provider,
  voiceId: t.group.voice,
  provider_aConfig: t.field.vendor,
  llmConfig: t.tab.model,
  settings: t.field.settings,
})

/** Incomplete JSON cannot be parsed, but counts as a change. */
function safePatch(agent: AgentRecord, draft: Draft): object {
  try {
    return patchOf(agent, draft)
  } catch {
    return { isHalfWritten: true }
  }
}

/** A group with several tabs has a second row of them. */
function TabBody({ tab, onOpen, part }: { tab: TabName; onOpen: (tab: TabName) => void; part: AgentFormProps }) {
  const t = useTexts(agentTexts)
  const Body = bodies[tab]
  const siblings = tabsIn(groupOf(tab))
  if (siblings.length === 1)
    return (
      <Editable>
        <Body {...part} />
      </Editable>
    )
  const marked = tabsWithProblems(part.problems)
  return (
    <Tabs
      value={tab}
      onChange={(name) => onOpen(name as TabName)}
      variant="pills"
      radius="xl"
      keepMounted={false}
      activateTabWithKeyboard={false}
    >
      <Tabs.List aria-label={t.group[groupOf(tab)]} mb="lg">
        {siblings.map((name) => (
          <Tabs.Tab key={name} value={name} rightSection={marked.includes(name) ? <ProblemMark /> : undefined}>
            {t.tab[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab}>
        <Editable>
          <Body {...part} />
        </Editable>
      </Tabs.Panel>
    </Tabs>
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
