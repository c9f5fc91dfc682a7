// The tool page. `/tools/new?type=…` shows a tool that is not saved yet.
import { Button, Grid, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import type { Tool as ToolRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { Editable } from '../../components/editable.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useUnsavedWarning } from '../../unsaved-changes.ts'
import { configFields } from './config-fields.ts'
import { ToolAgents, useAgentsOfTool } from './tool-agents.tsx'
import { ToolAuthorization } from './tool-authorization.tsx'
import { ToolConfig } from './tool-config.tsx'
import { toolDefaults } from './tool-defaults.ts'
import { changesOf, draftOf, newToolBody, problemsOf, type ToolDraft } from './tool-form.ts'
import { toolFieldWords, toolFormTexts } from './tool-form-texts.ts'
import { ToolMenu } from './tool-menu.tsx'
import { ToolMessages } from './tool-messages.tsx'
import { ToolParameters } from './tool-parameters.tsx'
import { ToolRequest } from './tool-request.tsx'
import { ToolTest } from './tool-test.tsx'
import { speaksWhileRunning, type ToolType } from './tool-types.ts'
import { toolsTexts } from './tools-texts.ts'
import { TypeIcon } from './type-icon.tsx'

const stale = ['/api/tools', '/api/agents/{id}/tools']

export function Tool() {
  const { id = '' } = useParams()
  const type = new URLSearchParams(useSearch()).get('type') ?? 'api_request'
  if (id !== 'new') return <StoredTool key={id} id={id} />
  return (
    <ToolPage key={type} type={(Object.hasOwn(configFields, type) ? type : 'api_request') as ToolType} tool={null} />
  )
}

function StoredTool({ id }: { id: string }) {
  const t = useTexts(toolsTexts)
  const tool = queries.useQuery('get', '/api/tools/{id}', { params: { path: { id } } }, { retry: false })
  if (tool.data) return <ToolPage type={tool.data.type} tool={tool.data} />
  return (
    <Page title={t.title} back={{ to: '/tools', name: t.title }}>
      <QueryResult query={tool}>{() => null}</QueryResult>
    </Page>
  )
}

const toolRequests = (id: string) => {
  const params = { path: { id } }
  return {
    load: () => unwrap(api.GET('/api/tools/{id}', { params })),
    send: (body: never, headers: Record<string, string>) =>
      unwrap(api.PATCH('/api/tools/{id}', { params, body, headers })),
  }
}

function ToolPage({ type, tool }: { type: ToolType; tool: ToolRecord | null }) {
  const t = useTexts(toolsTexts)
  const f = useTexts(toolFormTexts)
  const c = useTexts(commonTexts)
  const [, go] = useLocation()
  const { language } = useLanguage()
  /** Set if the tool is created from an agent's page; that agent gets the tool. */
  const forAgent = new URLSearchParams(useSearch()).get('agent')
  const { isPending, run } = useAction()
  const agents = useAgentsOfTool(tool?.id)
  // A later refetch must not overwrite the user's input.
  const [before, setBefore] = useState(() =>
    draftOf(tool ?? { method: type === 'api_request' ? 'GET' : null, ...toolDefaults(type, language) }),
  )
  const [base, setBase] = useState(tool)
  const [draft, setDraft] = useState(before)
  const guarded = useGuardedSave({ fields: toolFieldWords(f), hidden: ['headers', 'authorization'] })
  const [isSubmitted, setSubmitted] = useState(false)
  const set = (part: Partial<ToolDraft>) => setDraft((now) => ({ ...now, ...part }))
  const changes = changesOf(before, draft)
  const isDirty = Object.keys(changes).length > 0
  const problems = isSubmitted ? problemsOf(type, draft) : []
  useUnsavedWarning(isDirty)

  async function save(): Promise<boolean> {
    setSubmitted(true)
    if (problemsOf(type, draft).length > 0) {
      focusFirstError()
      return false
    }
    return run(
      async () => {
        const saved = base
          ? await guarded.save({ base, patch: changes, ...toolRequests(base.id) })
          : await unwrap(api.POST('/api/tools', { body: newToolBody(type, draft) as never }))
        if (!tool && forAgent)
          await unwrap(
            api.POST('/api/tools/{id}/agents/{agentId}', { params: { path: { id: saved.id, agentId: forAgent } } }),
          )
        const clean = draftOf(saved)
        setBase(saved)
        setBefore(clean)
        setDraft(clean)
        setSubmitted(false)
        if (!tool) go(`/tools/${saved.id}`, { replace: true })
      },
      { success: tool ? c.saved : c.created, stale },
    )
  }

  const shared = { type, draft, set, problems }
  return (
    <Page
      title={tool?.name ?? t.newTitle(t.types[type].name)}
      back={{ to: '/tools', name: t.title }}
      about={
        <Group gap="xs" mt={6} wrap="nowrap">
          <TypeIcon type={type} size={28} />
          <Text size="sm">
            {tool ? `${t.types[type].name}: ` : ''}
            {t.types[type].text}
          </Text>
        </Group>
      }
      actions={tool && <ToolMenu tool={tool} agents={agents} />}
    >
      <Editable>
        <Grid>
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack gap="md">
              <Section
                title={f.basics}
                actions={
                  tool && (
                    <Switch
                      label={f.isActive}
                      checked={draft.isActive}
                      onChange={(event) => set({ isActive: event.currentTarget.checked })}
                    />
                  )
                }
              >
                <TextInput
                  label={f.name}
                  description={f.nameHint}
                  required
                  maxLength={255}
                  value={draft.name}
                  onChange={(event) => set({ name: event.currentTarget.value })}
                  error={problems.includes('name') ? f.nameMissing : undefined}
                />
                <Textarea
                  label={f.description}
                  description={f.descriptionHint}
                  required={type !== 'mcp'}
                  error={problems.includes('description') ? f.descriptionMissing : undefined}
                  autosize
                  minRows={2}
                  maxRows={8}
                  maxLength={2000}
                  value={draft.description}
                  onChange={(event) => set({ description: event.currentTarget.value })}
                />
              </Section>
              <ToolRequest {...shared} />
              <ToolConfig {...shared} />
              <ToolAuthorization {...shared} />
              <ToolParameters {...shared} />
              {(speaksWhileRunning(type) || base?.messages) && <ToolMessages {...shared} />}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack gap="md">
              {tool ? (
                <>
                  <ToolAgents toolId={tool.id} />
                  <ToolTest tool={tool} isDirty={isDirty} />
                </>
              ) : (
                <Section title={t.agents}>
                  <Text size="sm" c="dimmed">
                    {t.agentsLater}
                  </Text>
                </Section>
              )}
            </Stack>
          </Grid.Col>
        </Grid>
      </Editable>
      {tool ? (
        <SaveBar isDirty={isDirty} isSaving={isPending} onSave={() => void save()} onDiscard={() => setDraft(before)} />
      ) : (
        <Group justify="flex-end">
          <Button variant="default" component={Link} href="/tools">
            {c.cancel}
          </Button>
          <Button loading={isPending} onClick={() => void save()}>
            {f.create}
          </Button>
        </Group>
      )}
      <LeaveGuard isDirty={isDirty} onSave={save} />
      {guarded.dialog}
    </Page>
  )
}
