// Layout of a SIP ladder: columns, direction and tone of each message. Pure.
import type { SipEntry } from '../../../client/paths.ts'

/** progress: 1xx; success: 2xx; challenge: 401 and 407; failure: every other response. */
export type MessageTone = 'request' | 'progress' | 'success' | 'challenge' | 'failure'

export type Rung = {
  entry: SipEntry
  /** Column indices; 0 is Ramal. */
  from: number
  to: number
  sinceFirstMs: number
  /** Time since the previous message. */
  sinceLastMs: number
  tone: MessageTone
}

export type LadderLayout = {
  /** Peers in order of appearance; null for those without a column of their own. */
  sides: (string | null)[]
  rungs: Rung[]
}

const MAX_SIDES = 4

const peerOf = ({ remote, transport }: SipEntry): string => `${remote} ${transport}`

export function layOutLadder(entries: readonly SipEntry[]): LadderLayout {
  const all = [...new Set(entries.map(peerOf))]
  const sides = all.length > MAX_SIDES ? [...all.slice(0, MAX_SIDES - 1), null] : all
  const times = entries.map((entry) => Date.parse(entry.at))
  const rungs = entries.map((entry, i): Rung => {
    const own = sides.indexOf(peerOf(entry))
    const far = own === -1 ? sides.length : own + 1
    const at = times[i] ?? 0
    return {
      entry,
      from: entry.direction === 'out' ? 0 : far,
      to: entry.direction === 'out' ? far : 0,
      sinceFirstMs: at - (times[0] ?? at),
      sinceLastMs: at - (times[i - 1] ?? at),
      tone: messageTone(entry.summary),
    }
  })
  return { sides, rungs }
}

export function messageTone(summary: string): MessageTone {
  const status = Number(/^(\d{3})\b/.exec(summary)?.[1] ?? 0)
  if (status === 0) return 'request'
  if (status < 200) return 'progress'
  if (status < 300) return 'success'
  return status === 401 || status === 407 ? 'challenge' : 'failure'
}

/** Shortens a label to fit on an arrow: `INVITE sip:600@host` becomes `INVITE`. */
export function shortLabel(summary: string): string {
  const request = /^([A-Z]+) sips?:/.exec(summary)
  if (!request?.[1]) return summary
  return summary.endsWith(' again') ? `${request[1]} ↻` : request[1]
}
