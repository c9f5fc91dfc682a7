// The list of knowledge bases, and a dialog to create one.
import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBook2, IconPlus } from '@tabler/icons-react'
import { type FormEvent, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { KnowledgeBase } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { dim, LanguageCode, ShortTime } from '../../components/list/list-cells.tsx'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useLocalRows } from '../../components/list/use-local-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/query-states.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { BaseFields, baseBody, emptyBase } from './base-fields.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

const noFields = [] as const
const sorts = ['name', 'documentCount', 'passageCount', 'updatedAt']
const rules = {
  textsOf: ({ name, description }: KnowledgeBase) => [name, description],
  valueOf: (base: KnowledgeBase, key: string) => base[key as 'name'],
}

export function Knowledge() {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts) }
  const { locale } = useLanguage()
  const bases = queries.useQuery('get', '/api/knowledge-bases')
  const [isOpen, { open, close }] = useDisclosure(false)
  const create = (
    <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
      {t.newBase}
    </Button>
  )
  const nameOf = ({ name }: KnowledgeBase) => name
  const used = useListAddress(noFields, sorts)
  const source = useLocalRows(bases, used.address, rules)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change with the language
  const view = useMemo(
    (): ListView<KnowledgeBase> => ({
      name: 'knowledge',
      label: t.title,
      nameOf,
      openAt: ({ id }) => `/knowledge/${id}`,
      columns: [
        {
          key: 'name',
          name: t.name,
          width: 'minmax(0, 2fr)',
          cell: nameOf,
          csv: nameOf,
          sort: { by: 'name', first: 'asc' },
        },
        {
          key: 'documents',
          name: t.documents,
          width: '8rem',
          isEnd: true,
          cell: ({ documentCount }) => dim(documentCount.toLocaleString(locale)),
          csv: ({ documentCount }) => documentCount,
          sort: { by: 'documentCount', first: 'desc' },
        },
        {
          key: 'passages',
          name: t.passages,
          width: '8rem',
          isEnd: true,
          cell: ({ passageCount }) => dim(passageCount.toLocaleString(locale)),
          csv: ({ passageCount }) => passageCount,
          sort: { by: 'passageCount', first: 'desc' },
        },
        {
          key: 'language',
          name: t.languageShort,
          width: '6rem',
          cell: ({ language }) => (language ? <LanguageCode tag={language} /> : dim('–')),
          csv: ({ language }) => language,
        },
        {
          key: 'changed',
          name: t.changed,
          width: 'minmax(0, 1fr)',
          isEnd: true,
          isTime: true,
          cell: ({ updatedAt }) => <ShortTime at={updatedAt} />,
          csv: ({ updatedAt }) => new Date(updatedAt),
          sort: { by: 'updatedAt', first: 'desc' },
        },
      ],
      card: (base) => ({
        title: base.name,
        aside: base.language ? <LanguageCode tag={base.language} /> : null,
        line: `${t.documents}: ${base.documentCount.toLocaleString(locale)}`,
        end: <ShortTime at={base.updatedAt} />,
      }),
    }),
    [locale],
  )
  return (
    <Page title={t.title} about={t.about} actions={bases.data?.length ? create : undefined}>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.search}
        nouns={t.baseCount}
        empty={
          <EmptyState
            icon={<IconBook2 size={28} aria-hidden />}
            title={t.emptyTitle}
            text={t.emptyText}
            action={create}
          />
        }
      />
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
