// The transport as transactions see it: messages instead of bytes, and containment of handler exceptions.
import type { Flow, Hop, SipMessage } from '../message/message.ts'
import { serialize } from '../message/serialize.ts'
import type { SipTimers } from '../transaction/timers.ts'
import type { Listener, Transports } from './transports.ts'

export type TraceEvent = { direction: 'in' | 'out'; flow: Flow; message: SipMessage; retransmitted: boolean }

export type WireOptions = {
  timers: SipTimers
  trace?: (event: TraceEvent) => void
  onFault?: (error: unknown) => void
}

type Lost = (detail: string) => void
const ignored = () => {}

export class Wire {
  readonly timers: SipTimers
  readonly #options: WireOptions
  readonly #transports: () => Transports
  /** Serialized once, however often it is sent. */
  readonly #written = new WeakMap<SipMessage, Buffer>()

  constructor(options: WireOptions, transports: () => Transports) {
    this.timers = options.timers
    this.#options = options
    this.#transports = transports
  }

  send(message: SipMessage, to: Hop | Flow, isRepeated = false, lost: Lost = ignored): Flow {
    let bytes = this.#written.get(message)
    if (!bytes) {
      bytes = serialize(message)
      this.#written.set(message, bytes)
    }
    const flow = this.#transports().send(bytes, to, (detail) => this.call(() => lost(detail)))
    this.trace('out', flow, message, isRepeated)
    return flow
  }

  sentBy(to: Hop | Flow): Listener {
    return this.#transports().sentBy(to)
  }

  isOpen(flow: Flow): boolean {
    return this.#transports().isOpen(flow)
  }

  authenticate(flow: Flow): void {
    this.#transports().authenticate(flow)
  }

  trace(direction: 'in' | 'out', flow: Flow, message: SipMessage, retransmitted: boolean): void {
    const { trace } = this.#options
    if (trace) this.call(() => trace({ direction, flow, message, retransmitted }))
  }

  /** Exceptions of handlers are reported and contained here: no message may end the process. */
  call(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.onFault?.(error)
    }
  }

  /** The same for a function with a result: false when it throws. */
  ask<Answer extends boolean | number | string | undefined>(question: () => Answer): Answer | false {
    let answer: Answer | false = false
    this.call(() => {
      answer = question()
    })
    return answer
  }
}
