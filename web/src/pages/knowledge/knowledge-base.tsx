// One knowledge base: its documents, a search to try it, who uses it.
import { Grid, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'wouter'
import type { KnowledgeBase as BaseRecord } from '../../../../client/paths.ts'
import { api, done, queries } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { ConfirmButton, useAction, useLeaving } from '../../parts/doing.tsx'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Reading } from '../../parts/states.tsx'
import { SaveBar } from '../../parts/unsaved.tsx'
import { agentsOf, WhoWillMiss } from '../../parts/use-of-thing.tsx'
import { AddDocuments } from './add-documents.tsx'
import { type BaseDraft, BaseFields, baseBody } from './base-fields.tsx'
import { Documents } from './documents.tsx'
import { knowledgeWords } from './knowledge-words.ts'
import { TrySearch } from './try-search.tsx'
import { UseOfBase, useToolsOf } from './use-of-base.tsx'

export function KnowledgeBase() {
  const { id = '' } = useParams<{ id: string }>()
  const t = useWords(knowledgeWords)
  const base = queries.useQuery('get', '/api/knowledge-bases/{id}', { params: { path: { id } } })
  const { data } = base
  return (
    <Page
      title={data?.name ?? t.title}
      back={{ to: '/knowledge', name: t.title }}
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
      <Reading of={base}>
        {(found) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Stack gap="lg">
                <AddDocuments baseId={found.id} />
                <Documents baseId={found.id} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack gap="lg">
                <TrySearch baseId={found.id} />
                <UseOfBase base={found} />
                <Settings key={found.id} base={found} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Reading>
    </Page>
  )
}

const draftOf = ({ name, description, language, generateQuestions }: BaseRecord): BaseDraft => ({
  name,
  description: description ?? '',
  language: language ?? '',
  generateQuestions,
})

function Settings({ base }: { base: BaseRecord }) {
  const t = { ...useWords(common), ...useWords(knowledgeWords) }
  const { isDoing, run } = useAction()
  const leave = useLeaving()
  const tools = useToolsOf(base.id)
  const [draft, setDraft] = useState<BaseDraft | null>(null)
  const value = draft ?? draftOf(base)
  const isDirty = draft !== null && JSON.stringify(baseBody(draft)) !== JSON.stringify(baseBody(draftOf(base)))
  const problem = value.name.trim() === '' ? t.nameNeeded : null
  const params = { path: { id: base.id } }

  const save = async () => {
    if (problem) return false
    const isSaved = await run(() => done(api.PATCH('/api/knowledge-bases/{id}', { params, body: baseBody(value) })), {
      success: t.saved,
      stale: ['/api/knowledge-bases'],
    })
    if (isSaved) setDraft(null)
    return isSaved
  }
  const remove = async () => {
    const isDone = await run(() => done(api.DELETE('/api/knowledge-bases/{id}', { params })), { success: t.removed })
    if (isDone) leave('/knowledge', ['/api/knowledge-bases'])
  }
  return (
    <>
      <Section title={t.settings}>
        <BaseFields value={value} problem={problem} onChange={setDraft} />
        <SaveBar isDirty={isDirty} isSaving={isDoing} onSave={() => void save()} onDiscard={() => setDraft(null)} />
        <LeaveGuard isDirty={isDirty} onSave={save} />
      </Section>
      <Section title={t.danger} about={t.dangerText}>
        <div>
          <ConfirmButton
            question={t.removeQuestion(base.name)}
            warning={<WhoWillMiss agents={tools && agentsOf(tools)}>{t.dangerText}</WhoWillMiss>}
            onConfirm={remove}
          >
            {t.removeBase}
          </ConfirmButton>
        </div>
      </Section>
    </>
  )
}
