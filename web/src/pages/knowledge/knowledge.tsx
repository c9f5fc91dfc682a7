// All knowledge bases, and a new one.
import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBook2, IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { KnowledgeBase } from '../../../../client/paths.ts'
import { api, done } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useLanguage, useWords } from '../../i18n/words.tsx'
import { useAction } from '../../parts/doing.tsx'
import { languageName } from '../../parts/language-select.tsx'
import { Page } from '../../parts/page.tsx'
import { More, usePaged } from '../../parts/paged.tsx'
import { type Column, RecordTable } from '../../parts/record-table.tsx'
import { Empty, Reading } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { BaseFields, baseBody, emptyBase } from './base-fields.tsx'
import { knowledgeWords } from './knowledge-words.ts'

export function Knowledge() {
  const t = { ...useWords(common), ...useWords(knowledgeWords) }
  const { locale } = useLanguage()
  const bases = usePaged<KnowledgeBase>('/api/knowledge-bases')
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
    { name: t.changed, isEnd: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
  ]
  return (
    <Page title={t.title} about={t.about} actions={bases.data?.length ? create : undefined}>
      <Reading of={bases}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<IconBook2 size={28} aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={create} />
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
      </Reading>
      <More of={bases} />
      <Modal opened={isOpen} onClose={close} title={t.newBase} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
        <NewBase onCancel={close} />
      </Modal>
    </Page>
  )
}

function NewBase({ onCancel }: { onCancel: () => void }) {
  const t = { ...useWords(common), ...useWords(knowledgeWords) }
  const [, go] = useLocation()
  const { isDoing, run } = useAction()
  const [value, setValue] = useState(emptyBase)
  const [problem, setProblem] = useState<string | null>(null)
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (value.name.trim() === '') return setProblem(t.nameNeeded)
    let id = ''
    const isDone = await run(
      async () => {
        id = (await done(api.POST('/api/knowledge-bases', { body: baseBody(value) }))).id
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
          <Button type="submit" loading={isDoing}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
