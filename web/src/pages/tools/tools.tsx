// The list of tools.
import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy, IconPlus, IconTool, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { ListedTool } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { dim, ShortTime, StatusText } from '../../components/list/list-cells.tsx'
import { listTexts } from '../../components/list/list-texts.ts'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useBulk } from '../../components/list/use-bulk.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/query-states.tsx'
import { removalTexts } from '../../components/removal-texts.ts'
import { useDuplicate } from '../../components/use-duplicate.ts'
import { useRemoval } from '../../components/use-removal.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { NewTool } from './new-tool.tsx'
import { toolRemoval } from './tool-menu.tsx'
import { typeGroups } from './tool-types.ts'
import { toolsTexts } from './tools-texts.ts'
import { TypeIcon } from './type-icon.tsx'

const types = typeGroups.flatMap((group) => group.types)
const fields = [
  { key: 'type', values: types },
  { key: 'active', param: 'isActive', values: ['true', 'false'] },
]
const sorts = ['name', 'type', 'createdAt']
const stale = ['/api/tools', '/api/agents/{id}/tools']
const nameOf = ({ name }: ListedTool) => name

export function Tools() {
  const t = useTexts(toolsTexts)
  const l = useTexts(listTexts)
  const used = useListAddress(fields, sorts)
  const source = useServerRows<ListedTool>('/api/tools', used)
  const view = useToolsView()
  const [isOpen, { open, close }] = useDisclosure(false)
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {t.make}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={source.rows?.length || used.address.q ? make : undefined}>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.search}
        inputs={[
          {
            kind: 'choice',
            key: 'type',
            label: t.type,
            placeholder: l.any,
            options: types.map((value) => ({ value, label: t.types[value].name })),
          },
          {
            kind: 'choice',
            key: 'active',
            label: t.state,
            placeholder: l.anyShe,
            options: [
              { value: 'true', label: t.on },
              { value: 'false', label: t.off },
            ],
          },
        ]}
        nouns={t.count}
        empty={<EmptyState icon={<IconTool aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={make} />}
      />
      <NewTool isOpen={isOpen} onClose={close} />
    </Page>
  )
}

function useToolsView(): ListView<ListedTool> {
  const t = useTexts(toolsTexts)
  const c = useTexts(commonTexts)
  const r = useTexts(removalTexts)
  const duplicate = useDuplicate('tools')
  const remove = useRemoval()
  const bulk = useBulk<ListedTool>({
    nameOf,
    stale,
    removal: toolRemoval,
    isActive: ({ isActive }) => isActive,
    setActive: ({ id }, isActive) =>
      unwrap(api.PATCH('/api/tools/{id}', { params: { path: { id } }, body: { isActive } })),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  return useMemo((): ListView<ListedTool> => {
    const typeName = ({ type }: ListedTool) => t.types[type].name
    const about = ({ description, type }: ListedTool) => description ?? t.types[type].text
    const status = ({ isActive }: ListedTool) => (
      <StatusText tone={isActive ? 'good' : 'off'} word={isActive ? t.on : t.off} />
    )
    const named = (tool: ListedTool) => (
      <Group gap={10} wrap="nowrap" component="span">
        <TypeIcon type={tool.type} size={26} />
        <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{tool.name}</span>
      </Group>
    )
    return {
      name: 'tools',
      label: t.title,
      nameOf,
      bulk,
      openAt: ({ id }) => `/tools/${id}`,
      columns: [
        {
          key: 'name',
          name: t.name,
          width: 'minmax(0, 1.4fr)',
          cell: named,
          csv: nameOf,
          sort: { by: 'name', first: 'asc' },
        },
        {
          key: 'type',
          name: t.type,
          width: 'minmax(0, 1fr)',
          cell: (tool) => dim(typeName(tool)),
          csv: typeName,
          sort: { by: 'type', first: 'asc' },
        },
        {
          key: 'about',
          name: c.description,
          width: 'minmax(0, 2fr)',
          from: 760,
          cell: (tool) => dim(about(tool)),
          csv: ({ description }) => description,
        },
        {
          key: 'url',
          name: 'URL',
          width: 'minmax(0, 1.4fr)',
          isExtra: true,
          cell: ({ requestUrl }) => dim(requestUrl ?? '–'),
          csv: ({ requestUrl }) => requestUrl,
        },
        {
          key: 'created',
          name: c.createdAt,
          width: 'minmax(0, 0.9fr)',
          isTime: true,
          from: 860,
          cell: ({ createdAt }) => <ShortTime at={createdAt} />,
          csv: ({ createdAt }) => new Date(createdAt),
          sort: { by: 'createdAt', first: 'desc' },
        },
        {
          key: 'status',
          name: t.state,
          width: '7rem',
          cell: status,
          csv: ({ isActive }) => (isActive ? t.on : t.off),
        },
      ],
      card: (tool) => ({
        title: tool.name,
        aside: tool.isActive ? null : status(tool),
        line: about(tool),
        end: typeName(tool),
      }),
      menu: (tool) => [
        { label: r.duplicate, icon: <IconCopy size={16} aria-hidden />, onClick: () => void duplicate(tool) },
        {
          label: c.remove,
          icon: <IconTrash size={16} aria-hidden />,
          isDangerous: true,
          onClick: () => remove([tool], toolRemoval),
        },
      ],
    }
  }, [t, c, r])
}
