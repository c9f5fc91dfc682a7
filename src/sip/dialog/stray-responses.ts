// A 2xx without a waiting call (a late fork, or one that crossed our CANCEL): ACK, then BYE.
import { LruCache } from '../../base/lru-cache.ts'
import type { AgentContext } from '../agent-context.ts'
import { newNonceCounters } from '../auth/digest.ts'
import type { Headers } from '../message/headers.ts'
import type { Flow, SipResponse } from '../message/message.ts'
import { parseNameAddr, tagIn } from '../message/values.ts'
import type { CallHandlers, Credentials } from './call.ts'
import { keyOfResponse, uacDialog } from './dialog.ts'
import { Session } from './session.ts'

/** The calls of half a minute at 300 a second. */
const MAX_REMEMBERED = 10_000

const silent: CallHandlers = { onEnd: () => {} }

/** RFC 3261 section 13.2.2.4. Resolves when the BYE is answered. */
export function ackAndHangUp(
  context: AgentContext,
  response: SipResponse,
  { flow, contact, credentials }: { flow: Flow; contact: string; credentials?: Credentials },
): Promise<void> {
  const { headers } = response
  const uri = parseNameAddr(headers.get('to') ?? '')?.uri ?? ''
  const dialog = uacDialog({ uri, headers }, response, flow, contact)
  const session = new Session({
    context,
    dialog,
    credentials,
    memory: newNonceCounters(),
    handlers: silent,
    onOver() {},
  })
  session.acknowledge(response)
  return session.bye()
}

/** Recently placed calls. Without this check a forged 2xx could make us send requests anywhere. */
export class RecentCalls {
  readonly #placed = new LruCache<string, { contact: string; credentials: Credentials | undefined }>(MAX_REMEMBERED)

  remember(callId: string, fromTag: string, contact: string, credentials: Credentials | undefined): void {
    this.#placed.set(`${callId}\n${fromTag}`, { contact, credentials })
  }

  /** True if the response belongs to a call that we placed. */
  isOurs({ headers }: SipResponse): boolean {
    return this.#placedBy(headers) !== undefined
  }

  receive(context: AgentContext, response: SipResponse, flow: Flow) {
    const known = context.dialogs.get(keyOfResponse(response))
    if (known) return known.acknowledge(response)
    const placed = this.#placedBy(response.headers)
    if (placed) ackAndHangUp(context, response, { flow, ...placed }).catch(context.onFault)
  }

  #placedBy(headers: Headers) {
    return this.#placed.get(`${headers.get('call-id') ?? ''}\n${tagIn(headers, 'from') ?? ''}`)
  }
}
