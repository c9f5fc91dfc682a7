// The cells of a call row; plain elements, to keep scrolling cheap.
import { IconFileMusic } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import type { Call } from '../../../../client/paths.ts'
import { formatDuration } from '../../components/date-time.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import styles from './call-grid.module.css'
import { CallStatus, RemoteParty } from './call-status.tsx'
import { callsTexts } from './calls-texts.ts'
import { endReasonTexts } from './end-reason-texts.ts'
import { endReasonText } from './end-reasons.ts'

export type Cell = {
  name: string
  value: (call: Call) => ReactNode
  /** The column name is for screen readers only. */
  isQuiet?: true
}

const plain = (text: ReactNode) => <span className={`${styles.text} numbers`}>{text}</span>
const dim = (text: ReactNode) => <span className={`${styles.text} ${styles.dim} numbers`}>{text}</span>

export function useCells(agentNames: ReadonlyMap<string, string>, isNarrow: boolean): Cell[] {
  const t = useTexts(callsTexts)
  const shared = useTexts(commonTexts)
  const reasons = useTexts(endReasonTexts)
  const { locale } = useLanguage()
  return useMemo(() => {
    const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' })
    const when = (call: Call) => time.format(new Date(call.startedAt))
    const agentOf = (call: Call) => (call.agentId ? (agentNames.get(call.agentId) ?? call.agentId) : '–')
    const other: Cell = {
      name: t.other,
      value: (call) => (
        <Link
          href={`/calls/${call.id}`}
          className={styles.link}
          tabIndex={-1}
          onClick={(event) => event.stopPropagation()}
        >
          <RemoteParty call={call} />
        </Link>
      ),
    }
    const status: Cell = { name: shared.status, value: (call) => <CallStatus status={call.status} /> }
    const duration: Cell = { name: t.duration, value: (call) => dim(formatDuration(call.durationSeconds)) }
    if (isNarrow)
      return [other, status, { name: shared.agent, value: (call) => dim(`${when(call)} · ${agentOf(call)}`) }, duration]
    return [
      { name: t.when, value: (call) => dim(when(call)) },
      other,
      { name: shared.agent, value: (call) => plain(agentOf(call)) },
      status,
      { name: t.end, value: (call) => dim(endReasonText(reasons, call.endReason)?.short ?? '–') },
      duration,
      {
        name: t.recording,
        isQuiet: true,
        value: (call) => call.hasRecording && <IconFileMusic size={17} role="img" aria-label={t.hasRecording} />,
      },
    ]
  }, [agentNames, isNarrow, locale, reasons, shared, t])
}
