// Transfers by REFER (RFC 3515): ours, with progress reported by the peer, and theirs, with progress reported by us.
import { type AgentContext, replyTo } from '../agent-context.ts'
import type { HeaderList } from '../message/headers.ts'
import type { SipMessage } from '../message/message.ts'
import { listOf, parseNameAddr, withoutParams } from '../message/values.ts'
import type { ServerTransaction } from '../stack.ts'
import type { CallHandlers } from './call.ts'
import { cseqOf } from './dialog.ts'
import type { DialogRequests } from './dialog-requests.ts'
import { hasOption } from './session-timer.ts'

export type ReferOutcome = { status: number; reason: string }

const FRAG = 'message/sipfrag;version=2.0'
/** Time limit of a transfer requested by the peer; its subscription expires then. */
const EXPIRES_S = 180

/** The first line of a sipfrag: `SIP/2.0 180 Ringing`. */
export function readFrag(body: string): ReferOutcome | null {
  const [, status, reason = ''] = /^\s*SIP\/2\.0\s+(\d{3})(?:[ \t]+([^\r\n]*))?/i.exec(body) ?? []
  return status === undefined ? null : { status: Number(status), reason: reason.trim().slice(0, 200) }
}

export const eventOf = ({ headers }: SipMessage): string => withoutParams(headers.get('event'))

const isTerminated = ({ headers }: SipMessage): boolean =>
  /^\s*terminated\b/i.test(headers.get('subscription-state') ?? '')

/** Transfers requested by us, one at a time. */
export class Transfers {
  readonly #line: DialogRequests
  #waiting: { last: ReferOutcome | null; finish: (outcome: ReferOutcome) => void } | undefined
  #hasAsked = false

  constructor(line: DialogRequests) {
    this.#line = line
  }

  /** Resolves with the last reported status, or 408 if there was none. */
  async refer(to: string, timeoutMs: number): Promise<ReferOutcome> {
    if (this.#waiting) return { status: 491, reason: 'another transfer is under way' }
    const target = parseNameAddr(to)?.uri ?? to
    this.#hasAsked = true
    const { promise, resolve, reject } = Promise.withResolvers<ReferOutcome>()
    const waiting = { last: null as ReferOutcome | null, finish: resolve }
    // Set before sending: the first NOTIFY may overtake the 202.
    this.#waiting = waiting
    const timer = setTimeout(
      () => resolve(waiting.last ?? { status: 408, reason: 'the peer never reported the outcome' }),
      timeoutMs,
    )
    const headers: HeaderList = [
      ['refer-to', `<${target}>`],
      ['referred-by', `<${parseNameAddr(this.#line.dialog.local)?.uri ?? ''}>`],
    ]
    this.#line.send('REFER', { headers }, timeoutMs).then((outcome) => {
      if ('failure' in outcome) return resolve({ status: 408, reason: outcome.detail })
      const { status, reason } = outcome.response
      if (status >= 300) resolve({ status, reason })
    }, reject)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting = undefined
    }
  }

  /** True if this NOTIFY belongs to a transfer of ours. */
  receive({ request }: ServerTransaction): boolean {
    if (eventOf(request) !== 'refer' || !this.#hasAsked) return false
    const waiting = this.#waiting
    const told = readFrag(request.body.toString('utf8'))
    if (waiting && told) waiting.last = told
    if (waiting && told && told.status >= 200) waiting.finish(told)
    else if (waiting && isTerminated(request))
      waiting.finish(waiting.last ?? { status: 408, reason: 'the peer never reported the outcome' })
    return true
  }

  /** A peer that hangs up after accepting the transfer usually means success. */
  end(isByRemote: boolean): void {
    const silent = isByRemote ? { status: 202, reason: 'Accepted' } : { status: 408, reason: 'the call is over' }
    this.#waiting?.finish(this.#waiting.last ?? silent)
  }
}

/** An incoming REFER. */
export function receiveRefer(
  transaction: ServerTransaction,
  parts: { context: AgentContext; line: DialogRequests; onRefer: CallHandlers['onRefer']; isFirst: boolean },
) {
  const { context, line, onRefer, isFirst } = parts
  const { request } = transaction
  const targets = listOf(request.headers, 'refer-to')
  const target = targets.length === 1 ? parseNameAddr(targets[0] ?? '')?.uri : undefined
  const reply = (status: number, headers: HeaderList = []) =>
    transaction.respond(replyTo(context.name, request, status, { headers }))
  if (target === undefined) return reply(400)
  const isSilent =
    /^\s*false\b/i.test(request.headers.get('refer-sub') ?? '') || hasOption(request.headers, 'require', 'norefersub')
  // RFC 3515 section 2.4.6: the id identifies later transfers. The first has none, because some phones do not support it.
  const reporter = progressReporter(line, isFirst ? 'refer' : `refer;id=${cseqOf(request)}`, isSilent)
  const isTaken = onRefer?.(target, (status, reason) => reporter.tell(status, reason)) ?? false
  if (!isTaken) return reply(603)
  reply(202, [['contact', line.dialog.contact], ...(isSilent ? ([['refer-sub', 'false']] as const) : [])])
  reporter.begin()
}

/** Reports the progress of a transfer to the peer that requested it. */
function progressReporter(line: DialogRequests, event: string, isSilent: boolean) {
  let isOver = isSilent
  let hasBegun = false
  let last: ReferOutcome = { status: 100, reason: 'Trying' }
  /** One at a time: two NOTIFYs in flight could arrive out of order. */
  let sending: Promise<unknown> = Promise.resolve()

  function notify(): void {
    if (isOver || !hasBegun) return
    const { status, reason } = last
    isOver = status >= 200
    const headers: HeaderList = [
      ['event', event],
      ['subscription-state', isOver ? 'terminated;reason=noresource' : `active;expires=${EXPIRES_S}`],
    ]
    const body = { type: FRAG, content: `SIP/2.0 ${status} ${reason.replace(/[\r\n]+/g, ' ')}\r\n` }
    sending = sending.then(() => line.send('NOTIFY', { headers, body })).catch(() => {})
  }

  return {
    /** RFC 3515 section 2.4.4: an immediate NOTIFY, even before there is progress. */
    begin(): void {
      hasBegun = true
      notify()
    },
    tell(status: number, reason: string): void {
      last = { status, reason }
      notify()
    },
  }
}
