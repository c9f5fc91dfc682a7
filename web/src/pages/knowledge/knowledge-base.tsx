// The knowledge base page: documents, test search, usage.
import { Grid, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { KnowledgeBase as BaseRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { Editable } from '../../components/editable.tsx'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { AffectedAgents, agentsUsing } from '../../components/usage-section.tsx'
import { useAction, useLeavePage } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange } from '../../organization.ts'
import { AddDocuments } from './add-documents.tsx'
import { type BaseDraft, BaseFields, baseBody } from './base-fields.tsx'
import { Documents } from './documents.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'
import { KnowledgeUsage, useKnowledgeTools } from './knowledge-usage.tsx'
import { TestSearch } from './test-search.tsx'

export function KnowledgeBase() {
  const { id = '' } = useParams<{ id: string }>()
  const t = useTexts(knowledgeTexts)
  const base = queries.useQuery('get', '/api/knowledge-bases/{id}', { params: { path: { id } } })
  const mayChange = useMayChange()
  const { data } = base
  return (
    <Page
      title={data?.name ?? t.title}
      back={{ to: '/knowledge', name: t.title }}
      actions={data && <BaseMenu base={data} />}
      about={
        data && (
          <Group gap="xs">
            <Text size="sm">
              {t.documentCount(data.documentCount)} · {t.passageCount(data.passageCount)}
            </Text>
          </Group>
        )
      }
    >
      <QueryResult query={base}>
        {(found) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Stack gap="lg">
                {mayChange && <AddDocuments baseId={found.id} />}
                <Documents baseId={found.id} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack gap="lg">
                <Editable>
                  <TestSearch baseId={found.id} />
                  <KnowledgeUsage base={found} />
                  <Settings key={found.id} base={found} />
                </Editable>
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </QueryResult>
    </Page>
  )
}

const draftOf = ({ name, description, language, generateQuestions }: BaseRecord): BaseDraft => ({
  name,
  description: description ?? '',
  language: language ?? '',
  generateQuestions,
})

function Settings({ base: current }: { base: BaseRecord }) {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const { isPending, run } = useAction()
  /** Keeps the record that the changes started from: a later refetch must not replace it. */
  const [edit, setEdit] = useState<{ draft: BaseDraft; base: BaseRecord } | null>(null)
  const { draft, base } = edit ?? { draft: null, base: current }
  const setDraft = (next: BaseDraft | null) => setEdit(next && { draft: next, base })
  const guarded = useGuardedSave({
    fields: { name: t.name, description: t.description, language: t.language, generateQuestions: t.questions },
  })
  const value = draft ?? draftOf(base)
  const isDirty = draft !== null && JSON.stringify(baseBody(draft)) !== JSON.stringify(baseBody(draftOf(base)))
  const problem = value.name.trim() === '' ? t.nameNeeded : null
  const params = { path: { id: base.id } }

  const save = async () => {
    if (problem) return false
    const change = {
      base,
      patch: baseBody(value),
      load: () => unwrap(api.GET('/api/knowledge-bases/{id}', { params })),
      send: (body: never, headers: Record<string, string>) =>
        unwrap(api.PATCH('/api/knowledge-bases/{id}', { params, body, headers })),
    }
    const isSaved = await run(() => guarded.save(change), { success: t.saved, stale: ['/api/knowledge-bases'] })
    if (isSaved) setDraft(null)
    return isSaved
  }
  return (
    <Section title={t.settings}>
      <BaseFields value={value} problem={problem} onChange={setDraft} />
      <SaveBar isDirty={isDirty} isSaving={isPending} onSave={() => void save()} onDiscard={() => setDraft(null)} />
      <LeaveGuard isDirty={isDirty} onSave={save} />
      {guarded.dialog}
    </Section>
  )
}

function BaseMenu({ base: { id, name } }: { base: BaseRecord }) {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const { run } = useAction()
  const leave = useLeavePage()
  const tools = useKnowledgeTools(id)
  const params = { path: { id } }
  const onConfirm = async () => {
    const isDone = await run(() => unwrap(api.DELETE('/api/knowledge-bases/{id}', { params })), { success: t.removed })
    if (isDone) leave('/knowledge', ['/api/knowledge-bases'])
  }
  const warning = <AffectedAgents agents={tools && agentsUsing(tools)}>{t.removeWarning}</AffectedAgents>
  const removal = { name: t.removeBase, question: t.removeQuestion(name), warning, onConfirm }
  return <MoreMenu id={id} entries={[]} removal={removal} />
}
