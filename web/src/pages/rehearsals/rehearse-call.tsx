// The button on the call page that creates a rehearsal from the call.
import { Button } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useAction } from '../../components/use-action.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { rehearsalsTexts } from './rehearsals-texts.ts'

export function RehearseCall({ call }: { call: Pick<Call, 'id' | 'agentId' | 'startedAt'> }) {
  const t = useTexts(rehearsalsTexts)
  const { locale } = useLanguage()
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  if (call.agentId === null) return null
  const make = () =>
    run(
      async () => {
        const when = new Date(call.startedAt).toLocaleString(locale, { dateStyle: 'short', timeStyle: 'short' })
        const body = { callId: call.id, name: t.rehearseName(when) }
        go(`/rehearsals/${(await unwrap(api.POST('/api/rehearsal-scripts/from-call', { body }))).id}`)
      },
      { stale: ['/api/rehearsal-scripts'] },
    )
  return (
    <Button
      variant="default"
      leftSection={<IconChecklist size={16} aria-hidden />}
      loading={isPending}
      onClick={() => void make()}
    >
      {t.rehearse}
    </Button>
  )
}
