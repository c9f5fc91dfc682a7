// A call's status badge, direction and remote party.
import { Badge } from '@mantine/core'
import { IconArrowDownLeft, IconArrowUpRight, IconBrandWhatsapp, IconWorld } from '@tabler/icons-react'
import type { Call } from '../../../../client/paths.ts'
import { formatNumber } from '../../components/phone-number.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import styles from './call-status.module.css'
import { callTexts } from './call-texts.ts'

const colors: Readonly<Record<Call['status'], string>> = {
  initiating: 'blue',
  ringing: 'blue',
  in_progress: 'teal',
  transferring: 'violet',
  completed: 'gray',
  failed: 'red',
  busy: 'orange',
  no_answer: 'yellow',
  canceled: 'gray',
}

export function CallStatus({ status, size }: { status: Call['status']; size?: string }) {
  const t = useTexts(callTexts)
  return (
    <Badge variant={colors[status] === 'gray' ? 'default' : 'light'} color={colors[status]} {...(size ? { size } : {})}>
      {t.status[status]}
    </Badge>
  )
}

type CallParties = Pick<Call, 'direction' | 'fromNumber' | 'toNumber' | 'channel'>

/** The remote party: the caller of an inbound call, the callee of an outbound call. */
export function useRemoteParty(): (call: CallParties) => string {
  const t = useTexts(callTexts)
  return ({ direction, fromNumber, toNumber, channel }) => {
    if (direction === 'outbound') return formatNumber(toNumber)
    if (fromNumber) return formatNumber(fromNumber)
    return channel === 'web' ? t.browser : t.withheld
  }
}

/** With `isWhole`, a long number wraps instead of being truncated. */
export function RemoteParty({ call, isWhole = false }: { call: CallParties; isWhole?: boolean }) {
  const t = useTexts(callTexts)
  const other = useRemoteParty()
  const Way = call.direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight
  const Channel = call.channel === 'web' ? IconWorld : call.channel === 'whatsapp' ? IconBrandWhatsapp : null
  return (
    <span className={styles.other}>
      <Way size={17} role="img" aria-label={t.direction[call.direction]} className={styles[call.direction]} />
      <span className={`${isWhole ? styles.whole : styles.number} numbers`}>{other(call)}</span>
      {Channel && <Channel size={15} role="img" aria-label={t.channel[call.channel]} />}
    </span>
  )
}
