// Preemptive generation: a reply is generated before the caller's turn is known to be over, and used only if it was.
import { CANCELLED } from '../../base/concurrency/abort.ts'
import type { Llm, LlmPart, Message, ReplyOptions, Tool } from '../ports.ts'
import { plainText } from '../same-text.ts'

export type PreemptiveLlm = Llm & {
  /** Starts a reply. The next `reply` call with the same prompt takes it over; only then do its tool calls run. */
  generateEarly(history: Promise<readonly Message[]>, tools: readonly Tool[], options: ReplyOptions): void
  /** The caller has said more. */
  cancelEarly(): void
}

/** Parts buffered; reading from the model stops there until some are used. */
const MAX_PARTS = 500

type EarlyReply = {
  /** Null until the history has loaded. */
  prompt: string | null
  tools: readonly Tool[]
  stopped: AbortController
  parts: LlmPart[]
  state: 'generating' | 'done' | 'failed'
  error?: unknown
  /** Wakes the reader that waits for the next part, or the generator that waits for room. */
  wake: () => void
}

export function preemptiveGeneration(llm: Llm): PreemptiveLlm {
  let current: EarlyReply | undefined

  function cancelEarly(): void {
    current?.stopped.abort(CANCELLED)
    current?.wake()
    current = undefined
  }

  function takeEarly(history: readonly Message[], tools: readonly Tool[], options: ReplyOptions) {
    const early = current
    const isSame = early?.prompt === promptOf(history, options) && areSame(early.tools, tools)
    // After a failure, the reply is generated again.
    if (!early || !isSame || early.state === 'failed') return cancelEarly() as undefined
    current = undefined
    return early
  }

  return {
    name: llm.name,
    isModel: llm.isModel,
    cancelEarly,
    generateEarly(history, tools, options) {
      cancelEarly()
      const early: EarlyReply = {
        prompt: null,
        tools,
        stopped: new AbortController(),
        parts: [],
        state: 'generating',
        wake: () => {},
      }
      current = early
      void generate(llm, early, history, options)
    },
    async *reply(history, tools, options, signal) {
      const early = takeEarly(history, tools, options)
      if (!early) return yield* llm.reply(history, tools, options, signal)
      const stop = () => {
        early.stopped.abort(CANCELLED)
        early.wake()
      }
      signal.addEventListener('abort', stop, { once: true })
      try {
        while (!signal.aborted) {
          const part = early.parts.shift()
          if (part) {
            early.wake()
            yield part
          } else if (early.state === 'failed') throw early.error
          else if (early.state === 'done') return
          else await nextChange(early)
        }
      } finally {
        signal.removeEventListener('abort', stop)
        stop()
      }
    },
  }
}

async function generate(
  llm: Llm,
  early: EarlyReply,
  history: Promise<readonly Message[]>,
  options: ReplyOptions,
): Promise<void> {
  const { signal } = early.stopped
  try {
    const messages = await history
    if (signal.aborted) return
    early.prompt = promptOf(messages, options)
    for await (const part of llm.reply(messages, early.tools, options, signal)) {
      if (signal.aborted) return
      early.parts.push(part)
      early.wake()
      while (early.parts.length >= MAX_PARTS && !signal.aborted) await nextChange(early)
    }
    early.state = 'done'
  } catch (error) {
    early.state = 'failed'
    early.error = error
  }
  early.wake()
}

const nextChange = (early: EarlyReply): Promise<void> =>
  new Promise((resolve) => {
    early.wake = resolve
  })

/** The early reply may answer a partial transcript, which lacks the capital and full stop of the final one. */
function promptOf(history: readonly Message[], options: ReplyOptions): string {
  const at = history.findLastIndex(({ role }) => role === 'user')
  return JSON.stringify([
    history.map((message, i) => (i === at ? { ...message, content: plainText(message.content) } : message)),
    options,
  ])
}
const areSame = (a: readonly Tool[], b: readonly Tool[]) => a.length === b.length && a.every((tool, i) => tool === b[i])
