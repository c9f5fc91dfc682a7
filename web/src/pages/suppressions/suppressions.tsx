// The user's own do-not-call list: search, add a number, allow one again, and check a number against all lists.
import { Button } from '@mantine/core'
import { IconPhoneCheck, IconPhoneOff, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Suppression } from '../../../../client/paths.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useServerRows } from '../../components/list/use-server-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/query-states.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useMayChange } from '../../organization.ts'
import { AddSuppression } from './add-suppression.tsx'
import { ListUploads } from './list-uploads.tsx'
import { NumberCheck } from './number-check.tsx'
import { OWN, SuppressionTabs } from './suppression-tabs.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'
import { useSuppressionsView } from './use-suppressions-view.tsx'

const reasons = ['opt_out', 'wrong_person', 'manual'] as const satisfies readonly Suppression['reason'][]
const fields = [{ key: 'reason', values: reasons }]

export function Suppressions() {
  const t = useTexts(suppressionsTexts)
  const used = useListAddress(fields)
  const query = useMemo(() => ({ ...used.query, listId: 'own' }), [used.query])
  const source = useServerRows<Suppression>('/api/suppressions', { query })
  const view = useSuppressionsView(false)
  const [open, setOpen] = useState<'add' | 'check' | null>(null)
  const close = () => setOpen(null)
  const mayChange = useMayChange()
  const actions = (
    <>
      <Button variant="default" leftSection={<IconPhoneCheck size={16} aria-hidden />} onClick={() => setOpen('check')}>
        {t.checkTitle}
      </Button>
      {mayChange && (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('add')}>
          {t.add}
        </Button>
      )}
    </>
  )
  return (
    <Page title={t.title} about={t.about} actions={actions} isForAll>
      <SuppressionTabs at={OWN}>
        <ListUploads />
        <RecordList
          view={view}
          used={used}
          source={source}
          searchLabel={t.searchLabel}
          inputs={[
            {
              kind: 'choice',
              key: 'reason',
              label: t.reason,
              placeholder: t.anyReason,
              options: reasons.map((value) => ({ value, label: t.reasons[value] })),
            },
          ]}
          nouns={t.count}
          empty={<EmptyState icon={<IconPhoneOff size={28} aria-hidden />} title={t.none} text={t.noneText} />}
        />
      </SuppressionTabs>
      {open === 'add' && <AddSuppression onClose={close} />}
      {open === 'check' && <NumberCheck onClose={close} />}
    </Page>
  )
}
