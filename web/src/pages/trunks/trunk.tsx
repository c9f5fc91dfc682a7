// The trunk page: status, diagnostics, agents and settings.
import { Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { Trunk as TrunkRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { Editable } from '../../components/editable.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { UsedRecordMenu } from '../../components/remove-used.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { trunksServerTexts } from '../../i18n/server-texts/trunks.ts'
import { useServerText } from '../../i18n/use-server-text.ts'
import { TrunkDoctor } from './trunk-doctor.tsx'
import { TrunkFields } from './trunk-fields.tsx'
import { changesOf, formOf, problemsOf, type TrunkForm } from './trunk-form.ts'
import { trunkFieldWords, trunkFormTexts } from './trunk-form-texts.ts'
import { TrunkLinks, useAgentsOfTrunk } from './trunk-links.tsx'
import { trunkRemoval, useTrunkMenu } from './trunk-menu.tsx'
import { addressOf, toneOf } from './trunk-state.ts'
import { trunksTexts } from './trunks-texts.ts'

export function Trunk() {
  const { id = '' } = useParams()
  const t = useTexts(trunksTexts)
  const trunk = queries.useQuery(
    'get',
    '/api/trunks/{id}',
    { params: { path: { id } } },
    { refetchInterval: 10_000, retry: false },
  )
  if (!trunk.data)
    return (
      <Page title={t.title} back={{ to: '/trunks', name: t.title }}>
        <QueryResult query={trunk}>{() => null}</QueryResult>
      </Page>
    )
  return <LoadedTrunk key={trunk.data.id} trunk={trunk.data} />
}

function LoadedTrunk({ trunk }: { trunk: TrunkRecord }) {
  const t = useTexts(trunksTexts)
  const agents = useAgentsOfTrunk(trunk.id)
  const menu = useTrunkMenu()
  const said = useServerText(trunksServerTexts)
  const place = addressOf(trunk)
  return (
    <Page
      title={trunk.name}
      back={{ to: '/trunks', name: t.title }}
      about={
        <Group gap="xs" mt={6} aria-live="polite">
          <StatusBadge tone={toneOf[trunk.status]} word={t.status[trunk.status]} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {[said(trunk.statusDetail), place].filter(Boolean).join(' · ')}
          </Text>
          {trunk.lastSeenAt && (
            <Text size="sm">
              · {t.lastSeen} <RelativeTime at={trunk.lastSeenAt} />
            </Text>
          )}
        </Group>
      }
      actions={
        <UsedRecordMenu
          record={trunk}
          agents={agents}
          entries={(remove) => menu(trunk, remove)}
          removal={trunkRemoval}
          question={t.removeQuestion(trunk.name)}
          warning={t.removeWarning}
          backTo="/trunks"
        />
      }
    >
      <Editable>
        <TrunkLinks trunk={trunk} />
        <TrunkDoctor trunkId={trunk.id} />
        <TrunkSettings trunk={trunk} />
      </Editable>
    </Page>
  )
}

function TrunkSettings({ trunk }: { trunk: TrunkRecord }) {
  const t = useTexts(trunksTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  // The server's state when the form was last clean; later refetches must not overwrite the user's input.
  const [before, setBefore] = useState(() => formOf(trunk))
  const [base, setBase] = useState(trunk)
  const [form, setForm] = useState(before)
  const f = useTexts(trunkFormTexts)
  const guarded = useGuardedSave({ fields: trunkFieldWords(f, t.on), hidden: ['password', 'headers'] })
  const [isSubmitted, setSubmitted] = useState(false)
  const set = (part: Partial<TrunkForm>) => setForm((now) => ({ ...now, ...part }))
  const changes = changesOf(before, form)
  const isDirty = Object.keys(changes).length > 0

  async function save(): Promise<boolean> {
    setSubmitted(true)
    if (problemsOf(form, trunk.hasPassword).length > 0) {
      focusFirstError()
      return false
    }
    return run(
      async () => {
        const params = { path: { id: trunk.id } }
        const record = await guarded.save({
          base,
          patch: changes,
          load: () => unwrap(api.GET('/api/trunks/{id}', { params })),
          send: (body, headers) => unwrap(api.PATCH('/api/trunks/{id}', { params, body, headers })),
        })
        const saved = formOf(record)
        setBase(record)
        setBefore(saved)
        setForm(saved)
        setSubmitted(false)
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
          problems={isSubmitted ? problemsOf(form, trunk.hasPassword) : []}
          hasPassword={trunk.hasPassword}
        />
      </Section>
      <SaveBar isDirty={isDirty} isSaving={isPending} onSave={() => void save()} onDiscard={() => setForm(before)} />
      <LeaveGuard isDirty={isDirty} onSave={save} />
      {guarded.dialog}
    </>
  )
}
