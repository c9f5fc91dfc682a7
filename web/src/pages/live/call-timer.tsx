// The running duration of a call.
import { useEffect, useState } from 'react'
import type { Call } from '../../../../client/paths.ts'
import { formatDuration } from '../../components/date-time.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { liveTexts } from './live-texts.ts'

export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

export function CallTimer({ call }: { call: Pick<Call, 'startedAt' | 'answeredAt' | 'endedAt'> }) {
  const t = useTexts(liveTexts)
  const now = useNow()
  const from = Date.parse(call.answeredAt ?? call.startedAt)
  const to = call.endedAt === null ? now : Date.parse(call.endedAt)
  return (
    <span className="numbers">
      {call.endedAt === null && `${t.since} `}
      {formatDuration(Math.floor((to - from) / 1000))}
      {call.answeredAt === null && call.endedAt === null && ` · ${t.waiting}`}
    </span>
  )
}
