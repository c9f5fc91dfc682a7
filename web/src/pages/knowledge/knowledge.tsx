// The knowledge base list, and creating one.
import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBook2, IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { KnowledgeBase } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { languageName } from '../../components/language-select.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { BaseFields, baseBody, emptyBase } from './base-fields.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

export function Knowledge() {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const { locale } = useLanguage()
  const bases = usePages<KnowledgeBase>('/api/knowledge-bases')
  const [isOpen, { open, close }] = useDisclosure(false)
  const create = (
    <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
      {t.newBase}
    </Button>
  )
  const columns: Column<KnowledgeBase>[] = [
    { name: t.name, cell: ({ name }) => name },
    { name: t.documents, cell: ({ documentCount }) => documentCount.toLocaleString(locale) },
    { name: t.passages, cell: ({ passageCount }) => passageCount.toLocaleString(locale) },
    { name: t.language, cell: ({ language }) => (language ? languageName(language, locale) : '–') },
    { name: t.changed, isEnd: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ]
  return (
    <Page title={t.title} about={t.about} actions={bases.data?.length ? create : undefined}>
      <QueryResult query={bases}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconBook2 size={28} aria-hidden />}
              title={t.emptyTitle}
              text={t.emptyText}
              action={create}
            />
          ) : (
            <RecordTable
              label={t.title}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              openAt={({ id }) => `/knowledge/${id}`}
            />
          )
        }
      </QueryResult>
      <LoadMore pages={bases} />
      <Modal opened={isOpen} onClose={close} title={t.newBase} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
        <NewBase onCancel={close} />
      </Modal>
    </Page>
  )
}

function NewBase({ onCancel }: { onCancel: () => void }) {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const [value, setValue] = useState(emptyBase)
  const [problem, setProblem] = useState<string | null>(null)
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (value.name.trim() === '') return setProblem(t.nameNeeded)
    let id = ''
    const isDone = await run(
      async () => {
        id = (await unwrap(api.POST('/api/knowledge-bases', { body: baseBody(value) }))).id
      },
      { stale: ['/api/knowledge-bases'] },
    )
    if (isDone) go(`/knowledge/${id}`)
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <BaseFields
          value={value}
          problem={problem}
          onChange={(next) => {
            setValue(next)
            setProblem(null)
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
