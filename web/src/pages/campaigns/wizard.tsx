// The campaign wizard: list, columns, agent and caller ID, schedule and rules, preview and start.
// The draft campaign is created once its name and agent are known; after that, each step is saved when the user leaves
// it.
import { Button, Group } from '@mantine/core'
import { useRef, useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'wouter'
import type { Campaign, SavedCampaign } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { Page } from '../../components/page.tsx'
import { usualCountry } from '../../components/phone-countries.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useAction } from '../../components/use-action.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useUnsavedWarning } from '../../unsaved-changes.ts'
import { AgentStep } from './agent-step.tsx'
import { campaignsTexts } from './campaigns-texts.ts'
import { ColumnsStep } from './columns-step.tsx'
import { ImportResultDialog } from './import-result.tsx'
import { type ListSource, useContactUploads } from './list-source.ts'
import { ListStep } from './list-step.tsx'
import { PreviewStep } from './preview-step.tsx'
import { RulesStep } from './rules-step.tsx'
import { setupTexts } from './setup-texts.ts'
import { staleCampaigns as stale } from './use-campaign-acts.ts'
import { bodyOf, emptyForm, formOf, patchOf, problemsOf, type Step, steps, type WizardForm } from './wizard-form.ts'
import { WizardSteps } from './wizard-steps.tsx'
import { wizardTexts } from './wizard-texts.ts'

export function NewCampaign() {
  return <Wizard campaign={null} />
}

export function EditCampaign() {
  const list = useTexts(campaignsTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/campaigns/{id}', { params: { path: { id } } })
  if (reading.data) return <Wizard key={id} campaign={reading.data} />
  return (
    <Page title={list.title} back={{ to: '/campaigns', name: list.title }}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

/** The steps before the campaign exists. */
const first: readonly Step[] = ['list', 'columns', 'agent']

/** `importId` is the import of the list that was just uploaded. */
function useStep(isNew: boolean): { step: Step; importId: string | null; goTo: (step: Step) => void } {
  const [params, setParams] = useSearchParams()
  const asked = params.get('step')
  const known = isNew ? first : steps
  const step = known.find((one) => one === asked) ?? 'list'
  return { step, importId: params.get('import'), goTo: (next) => setParams({ step: next }) }
}

function Wizard({ campaign }: { campaign: Campaign | null }) {
  const t = useTexts(wizardTexts)
  const list = useTexts(campaignsTexts)
  const { language } = useLanguage()
  const { step, importId, goTo } = useStep(campaign === null)
  const [form, setForm] = useState<WizardForm>(() =>
    campaign ? formOf(campaign) : emptyForm(usualCountry(language, navigator.languages).id),
  )
  const [source, setSource] = useState<ListSource | null>(null)
  const [isTried, setTried] = useState(false)
  const saving = useSaving(campaign, form, source)
  const set = (part: Partial<WizardForm>) => setForm((before) => ({ ...before, ...part }))
  const problems = isTried ? problemsOf(form, step) : []
  const isLocked = campaign?.status === 'running' || campaign?.status === 'scheduled'
  useUnsavedWarning(saving.isDirty)

  async function leaveStep(to: Step | null): Promise<void> {
    setTried(true)
    if (problemsOf(form, step).length > 0) return focusFirstError()
    const isReady = campaign !== null || to === null || !first.includes(to)
    if (isReady && !(await saving.save())) return
    setTried(false)
    if (to === null) saving.close()
    else if (!isReady || campaign) goTo(to)
  }
  const at = steps.indexOf(step)
  const [previous, next] = [steps[at - 1], steps[at + 1]]
  const props = { form, set, problems, isLocked }
  const columns = source?.head?.columns ?? campaign?.columns ?? []
  return (
    <Page
      title={campaign ? campaign.name : t.newTitle}
      back={
        campaign ? { to: `/campaigns/${campaign.id}`, name: campaign.name } : { to: '/campaigns', name: list.title }
      }
    >
      <WizardSteps step={step} isReachable={(one) => campaign !== null || first.includes(one)} onStep={leaveStep} />
      {step === 'list' && <ListStep {...props} campaign={campaign} source={source} onSource={setSource} />}
      {step === 'columns' && (
        <ColumnsStep campaign={campaign} source={source} onSource={setSource} agentId={form.agentId} />
      )}
      {step === 'agent' && <AgentStep {...props} columns={columns} />}
      {step === 'rules' && <RulesStep {...props} />}
      {campaign && importId && (
        <ImportResultDialog campaign={campaign} importId={importId} onClose={() => goTo(step)} />
      )}
      {step === 'preview' && campaign && <PreviewStep campaign={campaign} goTo={goTo} />}
      <Group justify="space-between">
        {previous ? (
          <Button variant="default" onClick={() => goTo(previous)}>
            {t.back}
          </Button>
        ) : (
          <span />
        )}
        <Group gap="xs">
          {campaign && (
            <Button variant="default" loading={saving.isPending} onClick={() => void leaveStep(null)}>
              {t.finish}
            </Button>
          )}
          {next && (
            <Button loading={saving.isPending} onClick={() => void leaveStep(next)}>
              {t.next}
            </Button>
          )}
        </Group>
      </Group>
      <LeaveGuard isDirty={saving.isDirty} onSave={() => saving.save()} />
      {saving.dialogs}
    </Page>
  )
}

/** Creates the draft campaign with its list, or saves the changes. */
function useSaving(campaign: Campaign | null, form: WizardForm, source: ListSource | null) {
  const t = useTexts(wizardTexts)
  const u = useTexts(setupTexts)
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const { send } = useContactUploads()
  const [secret, setSecret] = useState<string | null>(null)
  /** Delays leaving the page until the user has seen the secret. */
  const shown = useRef({ isOpen: false, isLeaving: false })
  const guarded = useGuardedSave({
    fields: {
      name: t.name,
      agentId: u.agent,
      trunkId: u.trunk,
      deviceId: u.device,
      callerId: u.callerId,
      defaultCountry: u.country,
      schedule: t.whenTitle,
      pacing: u.pace,
      retries: u.retries,
      rulesId: u.rules,
      disclosure: u.disclosure,
      predial: u.predial,
    },
  })
  const patch = campaign ? patchOf(form, campaign) : null
  const leave = () => go(campaign ? `/campaigns/${campaign.id}` : '/campaigns')
  const seen = () => {
    setSecret(null)
    if (shown.current.isLeaving) leave()
    shown.current = { isOpen: false, isLeaving: false }
  }

  async function create(): Promise<boolean> {
    if (form.name.trim() === '' || form.agentId === null)
      return run(() => Promise.reject(new Error(t.needsAgent)), { verb: 'save' })
    let id: string | null = null
    let importId = ''
    const here = location.pathname
    const isMade = await run(
      async () => {
        const made = await unwrap(api.POST('/api/campaigns', { body: bodyOf(form) }))
        id = made.id
        if (source) importId = (await send(made, source))?.id ?? ''
      },
      { stale },
    )
    const isDone = isMade && (source === null || importId !== '')
    // If the list was rejected, the draft exists anyway, and its first step accepts another list.
    const to = isDone ? `rules${importId && `&import=${importId}`}` : 'list'
    if (id !== null && location.pathname === here) go(`/campaigns/${id}/edit?step=${to}`, { replace: true })
    return isDone
  }

  async function update(base: Campaign): Promise<boolean> {
    if (!patch || Object.keys(patch).length === 0) return true
    const params = { path: { id: base.id } }
    return run(
      async () => {
        const saved = await guarded.save<Campaign>({
          base,
          patch,
          load: () => unwrap(api.GET('/api/campaigns/{id}', { params })),
          send: (body, headers) => unwrap(api.PATCH('/api/campaigns/{id}', { params, headers, body })),
        })
        const found = (saved as Partial<SavedCampaign>).predialSecret ?? null
        shown.current = { isOpen: found !== null, isLeaving: false }
        setSecret(found)
      },
      { stale },
    )
  }

  return {
    isPending,
    isDirty: campaign ? Object.keys(patch ?? {}).length > 0 || source !== null : form.name !== '' || source !== null,
    save: () => (campaign ? update(campaign) : create()),
    close: () => {
      if (shown.current.isOpen) shown.current.isLeaving = true
      else leave()
    },
    dialogs: (
      <>
        {guarded.dialog}
        <SecretOnce
          title={t.secretTitle}
          secret={secret}
          warning={t.secretWarning}
          doneLabel={t.secretDone}
          onClose={seen}
        />
      </>
    ),
  }
}
