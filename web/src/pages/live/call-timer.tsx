// The running duration of a call.
import { VisuallyHidden } from '@mantine/core'
import type { Call } from '../../../../client/paths.ts'
import { formatDuration } from '../../components/date-time.tsx'
import { useNow } from '../../components/use-now.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { liveTexts } from './live-texts.ts'

/** With `isAnnounced`, screen readers announce each full minute; every second would be too much. */
export function CallTimer({
  call,
  isAnnounced = false,
}: {
  call: Pick<Call, 'startedAt' | 'answeredAt' | 'endedAt'>
  isAnnounced?: boolean
}) {
  const t = useTexts(liveTexts)
  const now = useNow()
  const from = Date.parse(call.answeredAt ?? call.startedAt)
  const to = call.endedAt === null ? now : Date.parse(call.endedAt)
  const seconds = Math.floor((to - from) / 1000)
  const minutes = Math.floor(seconds / 60)
  return (
    <span className="numbers" role="timer">
      {formatDuration(seconds)}
      {call.answeredAt === null && call.endedAt === null && ` · ${t.waiting}`}
      {isAnnounced && (
        <VisuallyHidden role="status">{minutes > 0 && call.endedAt === null ? t.minutes(minutes) : ''}</VisuallyHidden>
      )}
    </span>
  )
}
