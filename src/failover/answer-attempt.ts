// One link's answer while it arrives: read ahead into a queue, so that a chain can wait for several answers at once.
import type { EndReason } from '../base/domain/end-reasons.ts'
import { spokenLetters } from '../base/text/spoken-letters.ts'
import type { Clock, Llm, LlmPart, Message, ReplyOptions, Tool, ToolCall } from '../voice/ports.ts'
import type { Breaker, ChainLink } from './ports.ts'

export type LlmRequest = { history: readonly Message[]; tools: readonly Tool[]; options: ReplyOptions }

export type Attempt = {
  readonly link: ChainLink<Llm>
  readonly breaker: Breaker
  readonly startedAt: number
  /** Words that were not taken yet. */
  readonly words: string[]
  /** Executed only when the answer is complete. */
  readonly calls: ToolCall[]
  /** Hang up with this reason once its words were played. */
  endsCall: EndReason | undefined
  state: 'running' | 'done' | 'failed'
  error: unknown
  /** Its first word or call. */
  firstAt: number | null
  lastAt: number
  /** Of all its words. */
  letters: number
  readonly stop: AbortController
  /** Takes the next words; undefined when there are none yet. */
  take(): string | undefined
}

/** Parts read ahead; the model is not read further until they are taken. */
const MAX_PARTS = 500

type AttemptParts = { link: ChainLink<Llm>; breaker: Breaker; clock: Clock; notify: () => void }

export function startAttempt({ link, breaker, clock, notify }: AttemptParts, request: LlmRequest): Attempt {
  const stop = new AbortController()
  let hasRoom = () => {}
  const attempt: Attempt = {
    link,
    breaker,
    stop,
    startedAt: clock.now(),
    words: [],
    calls: [],
    endsCall: undefined,
    state: 'running',
    error: undefined,
    firstAt: null,
    lastAt: clock.now(),
    letters: 0,
    take() {
      const next = attempt.words.shift()
      if (next !== undefined && attempt.words.length < MAX_PARTS) hasRoom()
      return next
    },
  }
  const nextRoom = () =>
    new Promise<void>((resolve) => {
      hasRoom = resolve
      stop.signal.addEventListener('abort', () => resolve(), { once: true })
    })

  function add(part: LlmPart): void {
    attempt.lastAt = clock.now()
    if ('call' in part) attempt.calls.push(part.call)
    else {
      attempt.words.push(part.say)
      attempt.letters += spokenLetters(part.say)
      attempt.endsCall ??= part.endsCall
    }
    if ('call' in part || part.say.trim() !== '') attempt.firstAt ??= attempt.lastAt
  }

  async function read(): Promise<void> {
    const { history, tools, options } = request
    try {
      for await (const part of link.engine.reply(history, tools, options, stop.signal)) {
        if (stop.signal.aborted) return
        add(part)
        notify()
        while (attempt.words.length >= MAX_PARTS && !stop.signal.aborted) await nextRoom()
        attempt.lastAt = clock.now()
      }
      attempt.state = 'done'
    } catch (error) {
      attempt.state = 'failed'
      attempt.error = error
    }
    notify()
  }
  void read()
  return attempt
}
