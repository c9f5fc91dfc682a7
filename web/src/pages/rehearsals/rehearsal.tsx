// A saved rehearsal: its script, its runs, and running it on its own agent or another. Also the page of a new
// rehearsal.
import { Alert, Anchor, Button, Group, Menu, Paper, TextInput } from '@mantine/core'
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import type { RehearsalScript } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { AgentSelect } from '../../components/agent-select.tsx'
import { Editable } from '../../components/editable.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { FormGrid } from '../../components/form-grid.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { useAction, useLeavePage } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'
import { RunsHistory } from './runs-history.tsx'
import { ScriptEditor } from './script-editor.tsx'
import { isSameScript, problemsOf, type Script } from './script-form.ts'

type Draft = { name: string; agentId: string | null; script: Script }

const draftOf = ({ name, agentId, script }: RehearsalScript): Draft => ({ name, agentId, script })

export function NewRehearsal() {
  const [params] = useSearchParams()
  const { data: agents } = useAgents()
  const only = agents?.length === 1 ? (agents[0]?.id ?? null) : null
  const draft: Draft = {
    name: '',
    agentId: params.get('agent') ?? only,
    script: { steps: [{ says: '' }], expect: [] },
  }
  if (!agents) return null
  return <Editor saved={null} initial={draft} />
}

export function Rehearsal() {
  const t = useTexts(rehearsalsTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/rehearsal-scripts/{id}', { params: { path: { id } } })
  if (reading.data) return <Editor key={id} saved={reading.data} initial={draftOf(reading.data)} />
  return (
    <Page title={t.title} back={{ to: '/rehearsals', name: t.title }}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

function Editor({ saved, initial }: { saved: RehearsalScript | null; initial: Draft }) {
  const t = useTexts(rehearsalsTexts)
  const [draft, setDraft] = useState(initial)
  const [base, setBase] = useState(initial)
  /** Remounts the form when its content is replaced. */
  const [version, setVersion] = useState(0)
  const [isSubmitted, setSubmitted] = useState(false)
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const isDirty = !isSameScript(draft, base)
  const problems = problemsOf(draft.script)
  const isIncomplete = draft.name.trim() === '' || draft.agentId === null || problems.length > 0
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))

  /** Returns the saved rehearsal, or null if saving failed. */
  async function save(): Promise<RehearsalScript | null> {
    setSubmitted(true)
    if (isIncomplete) {
      focusFirstError()
      return null
    }
    const body = { name: draft.name.trim(), agentId: draft.agentId ?? '', script: draft.script }
    let stored: RehearsalScript | null = null
    await run(
      async () => {
        stored = saved
          ? await unwrap(api.PATCH('/api/rehearsal-scripts/{id}', { params: { path: { id: saved.id } }, body }))
          : await unwrap(api.POST('/api/rehearsal-scripts', { body }))
        setBase(draft)
      },
      { stale: ['/api/rehearsal-scripts'] },
    )
    return stored
  }

  async function saveAndRun(agentId: string | null = null): Promise<void> {
    const stored = isDirty || !saved ? await save() : saved
    if (!stored) return
    await run(
      async () => {
        const params = { path: { id: stored.id } }
        const begun = await unwrap(api.POST('/api/rehearsal-scripts/{id}/runs', { params, body: { agentId } }))
        go(`/rehearsals/runs/${begun.id}`)
      },
      { stale: ['/api/rehearsal'] },
    )
  }

  const saveOnly = async () => {
    const stored = await save()
    if (stored && !saved) go(`/rehearsals/${stored.id}`, { replace: true })
    return stored !== null
  }

  return (
    <Page
      title={saved?.name ?? t.make}
      back={{ to: '/rehearsals', name: t.title }}
      actions={
        <>
          <RunButtons isPending={isPending} isDirty={isDirty || !saved} agentId={draft.agentId} onRun={saveAndRun} />
          {saved && <ScriptActions saved={saved} />}
        </>
      }
    >
      {saved?.callId && <FromCall saved={saved} />}
      <Editable>
        <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
          <FormGrid>
            <TextInput
              label={t.name}
              required
              maxLength={255}
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={isSubmitted && draft.name.trim() === '' ? t.nameMissing : undefined}
            />
            <AgentSelect
              required
              value={draft.agentId}
              onChange={(agentId) => set({ agentId })}
              error={isSubmitted && draft.agentId === null ? t.agentMissing : undefined}
            />
          </FormGrid>
        </Paper>
        <ScriptEditor
          key={version}
          script={draft.script}
          agentId={draft.agentId}
          problems={isSubmitted ? problems : []}
          onChange={(script) => set({ script })}
        />
      </Editable>
      {saved && <RunsHistory scriptId={saved.id} />}
      <SaveBar
        isDirty={isDirty}
        isSaving={isPending}
        onSave={() => void saveOnly()}
        onDiscard={() => {
          setDraft(base)
          setVersion((before) => before + 1)
        }}
      />
      <LeaveGuard isDirty={isDirty} onSave={saveOnly} onDiscard={() => setDraft(base)} />
    </Page>
  )
}

type RunButtonsProps = {
  isPending: boolean
  isDirty: boolean
  agentId: string | null
  onRun: (agentId?: string) => Promise<void>
}

function RunButtons({ isPending, isDirty, agentId, onRun }: RunButtonsProps) {
  const t = useTexts(rehearsalsTexts)
  const { data: agents = [] } = useAgents()
  const others = agents.filter(({ id }) => id !== agentId)
  return (
    <Group gap="xs">
      <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={isPending} onClick={() => void onRun()}>
        {isDirty ? t.saveAndRun : t.run}
      </Button>
      {others.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />} disabled={isPending}>
              {t.runOn}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {others.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => void onRun(id)}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  )
}

function ScriptActions({ saved }: { saved: RehearsalScript }) {
  const t = useTexts(rehearsalsTexts)
  const c = useTexts(commonTexts)
  const [, go] = useLocation()
  const { run } = useAction()
  const leave = useLeavePage()
  const duplicate = () =>
    run(
      async () => {
        const body = { name: t.duplicateName(saved.name).slice(0, 255), agentId: saved.agentId, script: saved.script }
        go(`/rehearsals/${(await unwrap(api.POST('/api/rehearsal-scripts', { body }))).id}`)
      },
      { stale: ['/api/rehearsal-scripts'] },
    )
  const remove = async () => {
    const params = { path: { id: saved.id } }
    const isRemoved = await run(() => unwrap(api.DELETE('/api/rehearsal-scripts/{id}', { params })), {
      success: t.removed,
    })
    if (isRemoved) leave('/rehearsals', ['/api/rehearsal-scripts'])
  }
  return (
    <>
      <Button variant="default" onClick={() => void duplicate()}>
        {t.duplicate}
      </Button>
      <MoreMenu
        id={saved.id}
        entries={[]}
        removal={{ name: c.remove, question: t.removeQuestion, warning: t.removeWarning, onConfirm: remove }}
      />
    </>
  )
}

function FromCall({ saved }: { saved: RehearsalScript }) {
  const t = useTexts(rehearsalsTexts)
  const { isPending, run } = useAction()
  const params = { path: { id: saved.id } }
  const keep = () =>
    run(() => unwrap(api.PATCH('/api/rehearsal-scripts/{id}', { params, body: { isKept: true } })), {
      success: t.kept,
      stale: ['/api/rehearsal-scripts'],
    })
  return (
    <Alert color="blue">
      <Group gap="sm" justify="space-between">
        <span>
          {t.fromCall}{' '}
          <Anchor
            component={Link}
            href={`/calls/${saved.callId}`}
            size="sm"
            underline="always"
            c="var(--mantine-color-text)"
          >
            {t.openCall}
          </Anchor>
        </span>
        <Button size="xs" variant="default" loading={isPending} onClick={() => void keep()}>
          {t.keep}
        </Button>
      </Group>
    </Alert>
  )
}
