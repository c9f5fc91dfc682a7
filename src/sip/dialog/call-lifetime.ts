// Lifetime of a call: handlers see its end exactly once and nothing after it; the call is counted until its last transaction ends.
import { ownedListener } from '../../base/errors/error-containment.ts'
import type { AgentContext, LiveCall } from '../agent-context.ts'
import type { CallEnding, CallHandlers } from './call.ts'

export class CallLifetime {
  readonly #context: AgentContext
  readonly #call: LiveCall
  #given: CallHandlers | undefined
  /** Runs work on behalf of the owner who set the handlers. */
  #asOwner = (work: () => void) => work()
  #ending: CallEnding | undefined
  #isTold = false
  #tasks = 0

  constructor(context: AgentContext, call: LiveCall) {
    this.#context = context
    this.#call = call
    context.live.add(call)
  }

  get isOver(): boolean {
    return this.#ending !== undefined
  }

  /** Handlers that are set late still see the end. */
  handle(handlers: CallHandlers): void {
    this.#given = handlers
    this.#asOwner = ownedListener((work) => work())
    if (this.#ending) queueMicrotask(() => this.#tell())
  }

  /** Called by sessions: nothing is delivered after the end, and exceptions are contained. */
  get handlers(): CallHandlers {
    const life = this
    return {
      onRinging: (status, sdp) => life.#run((given) => given.onRinging?.(status, sdp)),
      onAnswered: (sdp) => life.#run((given) => given.onAnswered?.(sdp)),
      // Looked up each time: handlers may be set late.
      get onOffer() {
        const given = life.isOver ? undefined : life.#given
        return given?.onOffer?.bind(given)
      },
      onLateAnswer: (sdp) => life.#run((given) => given.onLateAnswer?.(sdp)),
      onDigit: (digit, durationMs) => life.#run((given) => given.onDigit?.(digit, durationMs)),
      onRefer: (to, progress) => life.#run((given) => given.onRefer?.(to, progress)) ?? false,
      onEnd: (ending) => life.end(ending),
    }
  }

  readonly asOwner = (work: () => void): void => this.#asOwner(work)

  #run<T>(work: (given: CallHandlers) => T): T | undefined {
    if (!this.#given || this.isOver) return undefined
    const given = this.#given
    let result: T | undefined
    this.#guard(() => {
      result = work(given)
    })
    return result
  }

  #guard(work: () => void): void {
    try {
      this.#asOwner(work)
    } catch (error) {
      this.#context.onFault(error)
    }
  }

  /** Keeps the call counted until the task ends. */
  track(task: Promise<unknown>): void {
    this.#tasks += 1
    const done = () => {
      this.#tasks -= 1
      this.#leave()
    }
    task.then(done, (error) => {
      this.#context.onFault(error)
      done()
    })
  }

  end(ending: CallEnding): void {
    if (this.#ending) return
    this.#ending = ending
    this.#tell()
    this.#leave()
  }

  #tell(): void {
    if (this.#isTold || !this.#given || !this.#ending) return
    this.#isTold = true
    const [given, ending] = [this.#given, this.#ending]
    this.#guard(() => given.onEnd(ending))
  }

  #leave(): void {
    if (this.#ending && this.#tasks === 0) this.#context.live.delete(this.#call)
  }
}
