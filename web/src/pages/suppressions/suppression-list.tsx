// The numbers on one imported list.
import { IconFileImport } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useParams } from 'wouter'
import type { Suppression } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/query-states.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { LISTS } from './suppression-tabs.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'
import { useSuppressionsView } from './use-suppressions-view.tsx'

const noFields: readonly never[] = []

export function SuppressionListPage() {
  const { id = '' } = useParams<{ id: string }>()
  const t = useTexts(suppressionsTexts)
  const { data, error, refetch } = queries.useQuery('get', '/api/suppression-lists/{id}', { params: { path: { id } } })
  const back = { to: LISTS, name: t.backToLists }
  const title = data ? t.numbersOf(data.name) : t.listsTab
  return (
    <Page title={title} back={back} about={data?.sector}>
      {error && !data ? <ErrorMessage error={error} retry={refetch} /> : data ? <Numbers listId={id} /> : <Loading />}
    </Page>
  )
}

function Numbers({ listId }: { listId: string }) {
  const t = useTexts(suppressionsTexts)
  const used = useListAddress(noFields)
  const query = useMemo(() => ({ ...used.query, listId }), [used.query, listId])
  const source = useServerRows<Suppression>('/api/suppressions', { query })
  const view = useSuppressionsView(true)
  return (
    <RecordList
      view={view}
      used={used}
      source={source}
      searchLabel={t.number}
      nouns={t.count}
      empty={<EmptyState icon={<IconFileImport size={28} aria-hidden />} title={t.noNumbers} text={t.noNumbersText} />}
    />
  )
}
