// SIP ladder of one call: messages with secrets masked, bounded in number and size, and rendered as text.
import { nowMs, toIso } from '../base/time/clock.ts'
import { maskedText, summaryOf } from './ladder-mask.ts'
import type { TransportName } from './message/message.ts'
import { formatHost } from './message/uri.ts'
import type { TraceEvent } from './stack.ts'

export type LadderEntry = {
  at: string
  direction: 'in' | 'out'
  transport: TransportName
  remote: string
  summary: string
  message: string
}

export type LadderLimits = { entries: number; messageChars: number }

/** A call with a transfer and ten re-INVITEs has about 60 messages. An INVITE from a carrier has 1 to 3 KB. */
const usualLimits: LadderLimits = { entries: 100, messageChars: 4000 }

export function ladderEntry(event: TraceEvent, atMs: number, messageChars = usualLimits.messageChars): LadderEntry {
  const { direction, flow, message, retransmitted } = event
  const text = maskedText(message, messageChars)
  return {
    at: toIso(atMs),
    direction,
    transport: flow.transport,
    remote: `${formatHost(flow.remote.address)}:${flow.remote.port}`,
    summary: `${summaryOf(message)}${retransmitted ? ' again' : ''}`,
    message: text.length > messageChars ? `${text.slice(0, messageChars)}…` : text,
  }
}

/** Collects the messages of one Call-ID. When there are too many, those in the middle are dropped. */
export class Ladder {
  readonly #limits: LadderLimits
  readonly #first: LadderEntry[] = []
  readonly #last: LadderEntry[] = []
  #leftOut = 0

  constructor(limits: Partial<LadderLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits }
  }

  add(event: TraceEvent, atMs = nowMs()): void {
    const { entries, messageChars } = this.#limits
    const half = Math.ceil(entries / 2)
    if (this.#first.length < half) {
      this.#first.push(ladderEntry(event, atMs, messageChars))
      return
    }
    this.#last.push(ladderEntry(event, atMs, messageChars))
    if (this.#last.length <= entries - half) return
    this.#last.shift()
    this.#leftOut += 1
  }

  get entries(): LadderEntry[] {
    return [...this.#first, ...this.#last]
  }

  /** How many are missing between the two halves. */
  get leftOut(): number {
    return this.#leftOut
  }
}

const MAX_COLUMNS = 4
const MIN_GAP = 34
const MAX_GAP = 60
const OTHERS = 'others'

/** `2026-01-02T03:04:05.678Z` becomes `03:04:05.678`. */
const timeOf = (at: string): string => at.slice(11, 23)

const centered = (text: string, width: number, fill = ' '): string => {
  const left = Math.max(0, Math.floor((width - text.length) / 2))
  return `${fill.repeat(left)}${text}${fill.repeat(Math.max(0, width - text.length - left))}`
}

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text)

export function drawLadder(entries: readonly LadderEntry[]): string {
  if (entries.length === 0) return ''
  const sides = [...new Set(entries.map(sideOf))]
  const columns = sides.length > MAX_COLUMNS ? [...sides.slice(0, MAX_COLUMNS - 1), OTHERS] : sides
  const longest = Math.max(...entries.map(({ summary }) => summary.length))
  const gap = Math.min(MAX_GAP, Math.max(MIN_GAP, longest + 6))
  const indent = ' '.repeat(14)
  const head = `${indent}${columns.reduce((line, name, i) => `${line.padEnd(gap * (i + 1))}${name}`, 'we')}`
  const empty = (from: number) => `${' '.repeat(gap - 1)}|`.repeat(columns.length - from)
  const rows = entries.map((entry) => {
    const at = columns.indexOf(sideOf(entry))
    const to = at === -1 ? columns.length : at + 1
    const width = to * gap - 3
    const label = centered(` ${cut(entry.summary, Math.min(gap, width) - 6)} `, width, '-')
    const arrow = entry.direction === 'out' ? `${label}->` : `<-${label}`
    return `${timeOf(entry.at)}  |${arrow}|${empty(to)}`
  })
  return `${[head, `${indent}|${empty(0)}`, ...rows].join('\n')}\n`
}

const sideOf = ({ remote, transport }: LadderEntry): string => `${remote} ${transport}`
