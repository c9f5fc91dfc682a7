// A chip that shows how a call ended.
import { Tooltip } from '@mantine/core'
import type { Call } from '../../../../client/paths.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { callTexts } from './call-texts.ts'
import { endReasonTexts } from './end-reason-texts.ts'
import { endReasonText, isProblem } from './end-reasons.ts'

/** The end reason as a short label; the tooltip explains it. */
export function EndChip({ call }: { call: Pick<Call, 'status' | 'endReason' | 'endedAt'> }) {
  const t = useTexts(callTexts)
  const reason = endReasonText(useTexts(endReasonTexts), call.endReason)
  if (call.endedAt === null) return <StatusBadge tone="good" word={t.status[call.status]} />
  const tone = isProblem(call.endReason) ? 'bad' : call.status === 'completed' ? 'off' : 'warn'
  return (
    <Tooltip label={reason?.means ?? t.status[call.status]} multiline maw={320} events={tooltipEvents}>
      <span>
        <StatusBadge tone={tone} word={reason?.short ?? t.status[call.status]} />
      </span>
    </Tooltip>
  )
}

const tooltipEvents = { hover: true, focus: true, touch: true }
