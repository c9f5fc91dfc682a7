// What the answer hook decided about a call; renders nothing if no hook was called.
import type { Call } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { answerHookTexts } from '../../components/answer-hook/answer-hook-texts.ts'
import { HookResult } from '../../components/answer-hook/hook-outcome.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'

export function CallHook({ call: { id, direction } }: { call: Call }) {
  const t = useTexts(answerHookTexts)
  const params = { path: { id } }
  const enabled = direction === 'inbound'
  const { data } = queries.useQuery('get', '/api/calls/{id}/answer-hook', { params }, { enabled })
  if (!data?.hook) return null
  return (
    <Section title={t.title}>
      <HookResult outcome={data.hook} />
    </Section>
  )
}
