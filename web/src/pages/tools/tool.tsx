// One tool: what it is and does, who may use it, and its test. `/tools/new?type=…` is one that is not there yet.
import { Button, Grid, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import type { Tool as ToolRecord } from '../../../../client/paths.ts'
import { api, done, queries } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { ConfirmButton, useAction, useLeaving } from '../../parts/doing.tsx'
import { focusWrong } from '../../parts/focus-wrong.ts'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Reading } from '../../parts/states.tsx'
import { SaveBar, useUnsaved } from '../../parts/unsaved.tsx'
import { WhoWillMiss } from '../../parts/use-of-thing.tsx'
import { configFields } from './config-fields.ts'
import { ToolAgents, useAgentsOfTool } from './tool-agents.tsx'
import { ToolAuthorization } from './tool-authorization.tsx'
import { ToolConfig } from './tool-config.tsx'
import { changesOf, draftOf, newToolBody, problemsOf, type ToolDraft } from './tool-form.ts'
import { toolFormWords } from './tool-form-words.ts'
import { ToolMessages } from './tool-messages.tsx'
import { ToolParameters } from './tool-parameters.tsx'
import { ToolRequest } from './tool-request.tsx'
import { ToolTrying } from './tool-trying.tsx'
import type { ToolType } from './tool-types.ts'
import { toolsWords } from './tools-words.ts'
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
  const t = useWords(toolsWords)
  const tool = queries.useQuery('get', '/api/tools/{id}', { params: { path: { id } } }, { retry: false })
  if (tool.data) return <ToolPage type={tool.data.type} tool={tool.data} />
  return (
    <Page title={t.title} back={{ to: '/tools', name: t.title }}>
      <Reading of={tool}>{() => null}</Reading>
    </Page>
  )
}

function ToolPage({ type, tool }: { type: ToolType; tool: ToolRecord | null }) {
  const t = useWords(toolsWords)
  const f = useWords(toolFormWords)
  const c = useWords(common)
  const [, go] = useLocation()
  const { isDoing, run } = useAction()
  const leave = useLeaving()
  const agents = useAgentsOfTool(tool?.id)
  // A later answer of the server does not take away what was typed.
  const [before, setBefore] = useState(() => draftOf(tool ?? { method: type === 'api_request' ? 'GET' : null }))
  const [draft, setDraft] = useState(before)
  const [isTried, setTried] = useState(false)
  const set = (part: Partial<ToolDraft>) => setDraft((now) => ({ ...now, ...part }))
  const changes = changesOf(before, draft)
  const isDirty = Object.keys(changes).length > 0
  const problems = isTried ? problemsOf(type, draft) : []
  useUnsaved(isDirty)

  async function save(): Promise<boolean> {
    setTried(true)
    if (problemsOf(type, draft).length > 0) {
      focusWrong()
      return false
    }
    return run(
      async () => {
        const saved = tool
          ? await done(api.PATCH('/api/tools/{id}', { params: { path: { id: tool.id } }, body: changes as never }))
          : await done(api.POST('/api/tools', { body: newToolBody(type, draft) as never }))
        const clean = draftOf(saved)
        setBefore(clean)
        setDraft(clean)
        setTried(false)
        if (!tool) go(`/tools/${saved.id}`, { replace: true })
      },
      { success: tool ? c.saved : c.created, stale },
    )
  }

  const remove = async (id: string) => {
    const task = () => done(api.DELETE('/api/tools/{id}', { params: { path: { id } } }))
    if (await run(task, { success: c.removed })) leave('/tools', ['/api/tools', '/api/agents/{id}/tools'])
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
      actions={
        tool && (
          <ConfirmButton
            variant="subtle"
            question={t.removeQuestion(tool.name)}
            warning={<WhoWillMiss agents={agents}>{t.removeWarning}</WhoWillMiss>}
            onConfirm={() => remove(tool.id)}
          >
            {t.remove}
          </ConfirmButton>
        )
      }
    >
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
            <ToolMessages {...shared} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="md">
            {tool ? (
              <>
                <ToolAgents toolId={tool.id} />
                <ToolTrying tool={tool} isDirty={isDirty} />
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
      {tool ? (
        <SaveBar isDirty={isDirty} isSaving={isDoing} onSave={() => void save()} onDiscard={() => setDraft(before)} />
      ) : (
        <Group justify="flex-end">
          <Button variant="default" component={Link} href="/tools">
            {c.cancel}
          </Button>
          <Button loading={isDoing} onClick={() => void save()}>
            {f.create}
          </Button>
        </Group>
      )}
      <LeaveGuard isDirty={isDirty} onSave={save} />
    </Page>
  )
}
