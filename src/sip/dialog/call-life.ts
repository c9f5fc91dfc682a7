// How long a call lives: its handlers are told of its end once and of nothing after, and it counts until its last request is answered.
import type { AgentContext, LiveCall } from '../agent-context.ts'
import type { CallEnding, CallHandlers } from './call.ts'

export class CallLife {
  readonly #context: AgentContext
  readonly #call: LiveCall
  #given: CallHandlers | undefined
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

  /** Those who come late hear of the end all the same. */
  handle(handlers: CallHandlers): void {
    this.#given = handlers
    if (this.#ending) queueMicrotask(() => this.#tell())
  }

  /** What sessions call: nothing passes after the end, and what is thrown goes no farther. */
  get handlers(): CallHandlers {
    const life = this
    return {
      onRinging: (status, sdp) => life.#run((given) => given.onRinging?.(status, sdp)),
      onAnswered: (sdp) => life.#run((given) => given.onAnswered?.(sdp)),
      // Asked for each time: whether there is anybody to ask makes a difference, and handlers may come late.
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

  #run<T>(work: (given: CallHandlers) => T): T | undefined {
    if (!this.#given || this.isOver) return undefined
    try {
      return work(this.#given)
    } catch (error) {
      this.#context.onFault(error)
      return undefined
    }
  }

  /** Keeps the call in the count until then. */
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
    try {
      this.#given.onEnd(this.#ending)
    } catch (error) {
      this.#context.onFault(error)
    }
  }

  #leave(): void {
    if (this.#ending && this.#tasks === 0) this.#context.live.delete(this.#call)
  }
}
