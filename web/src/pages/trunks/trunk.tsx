// One trunk: how it stands, its doctor, who uses it, and its settings.
import { Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Trunk as TrunkRecord } from '../../../../client/paths.ts'
import { api, done, queries } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { ConfirmButton, useAction, useLeaving } from '../../parts/doing.tsx'
import { focusWrong } from '../../parts/focus-wrong.ts'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Reading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { SaveBar } from '../../parts/unsaved.tsx'
import { WhoWillMiss } from '../../parts/use-of-thing.tsx'
import { When } from '../../parts/when.tsx'
import { TrunkDoctor } from './trunk-doctor.tsx'
import { TrunkFields } from './trunk-fields.tsx'
import { changesOf, formOf, problemsOf, type TrunkForm } from './trunk-form.ts'
import { TrunkLinks, useAgentsOfTrunk } from './trunk-links.tsx'
import { placeOf, toneOf } from './trunk-state.ts'
import { trunksWords } from './trunks-words.ts'

export function Trunk() {
  const { id = '' } = useParams()
  const t = useWords(trunksWords)
  const trunk = queries.useQuery(
    'get',
    '/api/trunks/{id}',
    { params: { path: { id } } },
    { refetchInterval: 10_000, retry: false },
  )
  if (!trunk.data)
    return (
      <Page title={t.title} back={{ to: '/trunks', name: t.title }}>
        <Reading of={trunk}>{() => null}</Reading>
      </Page>
    )
  return <KnownTrunk key={trunk.data.id} trunk={trunk.data} />
}

function KnownTrunk({ trunk }: { trunk: TrunkRecord }) {
  const t = useWords(trunksWords)
  const c = useWords(common)
  const { run } = useAction()
  const leave = useLeaving()
  const agents = useAgentsOfTrunk(trunk.id)
  const remove = async () => {
    const task = () => done(api.DELETE('/api/trunks/{id}', { params: { path: { id: trunk.id } } }))
    if (await run(task, { success: c.removed }))
      leave('/trunks', ['/api/trunks', '/api/agents/{id}/linked-trunks', '/api/overview'])
  }
  const place = placeOf(trunk)
  return (
    <Page
      title={trunk.name}
      back={{ to: '/trunks', name: t.title }}
      about={
        <Group gap="xs" mt={6} aria-live="polite">
          <StatusBadge tone={toneOf[trunk.status]} word={t.status[trunk.status]} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {[trunk.statusDetail, place].filter(Boolean).join(' · ')}
          </Text>
          {trunk.lastSeenAt && (
            <Text size="sm">
              · {t.lastSeen} <When at={trunk.lastSeenAt} />
            </Text>
          )}
        </Group>
      }
      actions={
        <ConfirmButton
          variant="subtle"
          question={t.removeQuestion(trunk.name)}
          warning={<WhoWillMiss agents={agents}>{t.removeWarning}</WhoWillMiss>}
          onConfirm={remove}
        >
          {t.remove}
        </ConfirmButton>
      }
    >
      <TrunkDoctor trunkId={trunk.id} />
      <TrunkLinks trunk={trunk} />
      <TrunkSettings trunk={trunk} />
    </Page>
  )
}

function TrunkSettings({ trunk }: { trunk: TrunkRecord }) {
  const t = useWords(trunksWords)
  const c = useWords(common)
  const { isDoing, run } = useAction()
  // What the server said last while this form was clean; a later answer does not take away what was typed.
  const [before, setBefore] = useState(() => formOf(trunk))
  const [form, setForm] = useState(before)
  const [isTried, setTried] = useState(false)
  const set = (part: Partial<TrunkForm>) => setForm((now) => ({ ...now, ...part }))
  const changes = changesOf(before, form)
  const isDirty = Object.keys(changes).length > 0

  async function save(): Promise<boolean> {
    setTried(true)
    if (problemsOf(form, trunk.hasPassword).length > 0) {
      focusWrong()
      return false
    }
    return run(
      async () => {
        const params = { path: { id: trunk.id } }
        const saved = formOf(await done(api.PATCH('/api/trunks/{id}', { params, body: changes as never })))
        setBefore(saved)
        setForm(saved)
        setTried(false)
      },
      { success: c.saved, stale: ['/api/trunks'] },
    )
  }

  return (
    <>
      <Section
        title={t.settings}
        actions={
          <Switch
            label={t.on}
            checked={form.isActive}
            onChange={(event) => set({ isActive: event.currentTarget.checked })}
          />
        }
      >
        <TrunkFields
          form={form}
          set={set}
          problems={isTried ? problemsOf(form, trunk.hasPassword) : []}
          hasPassword={trunk.hasPassword}
        />
      </Section>
      <SaveBar isDirty={isDirty} isSaving={isDoing} onSave={() => void save()} onDiscard={() => setForm(before)} />
      <LeaveGuard isDirty={isDirty} onSave={save} />
    </>
  )
}
