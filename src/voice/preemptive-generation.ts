// A model that is asked before it is certain that the question is whole: what it says then is kept, and said only if that was so.
import type { Llm, LlmPart, Message, ReplyOptions, Tool } from './ports.ts'

export type GuessingLlm = Llm & {
  /** Asks for nobody yet. The next reply to exactly this takes over what came of it; a tool that it wants runs only then. */
  prepare(history: Promise<readonly Message[]>, tools: readonly Tool[], options: ReplyOptions): void
  /** It was not that. */
  forget(): void
}

/** So many parts at most are read ahead; the model waits with the rest. */
const MAX_PARTS = 500

type Guess = {
  /** What was asked; null until it is known. */
  question: string | null
  tools: readonly Tool[]
  stopped: AbortController
  parts: LlmPart[]
  state: 'going-on' | 'done' | 'failed'
  error?: unknown
  /** Somebody waits for the next part, or for room. */
  wake: () => void
}

export function preemptiveGeneration(llm: Llm): GuessingLlm {
  let guess: Guess | undefined

  async function fill(made: Guess, history: Promise<readonly Message[]>, options: ReplyOptions): Promise<void> {
    const { signal } = made.stopped
    try {
      const asked = await history
      if (signal.aborted) return
      made.question = questionOf(asked, options)
      for await (const part of llm.reply(asked, made.tools, options, signal)) {
        if (signal.aborted) return
        made.parts.push(part)
        made.wake()
        while (made.parts.length >= MAX_PARTS && !signal.aborted) await changeOf(made)
      }
      made.state = 'done'
    } catch (error) {
      made.state = 'failed'
      made.error = error
    }
    made.wake()
  }

  function forget(): void {
    guess?.stopped.abort()
    guess?.wake()
    guess = undefined
  }

  function taken(history: readonly Message[], tools: readonly Tool[], options: ReplyOptions): Guess | undefined {
    const made = guess
    const isSame = made?.question === questionOf(history, options) && isEvery(made.tools, tools)
    // One that failed before anybody heard of it is asked anew.
    if (!made || !isSame || made.state === 'failed') return forget() as undefined
    guess = undefined
    return made
  }

  return {
    name: llm.name,
    isModel: llm.isModel,
    forget,
    prepare(history, tools, options) {
      forget()
      const made: Guess = {
        question: null,
        tools,
        stopped: new AbortController(),
        parts: [],
        state: 'going-on',
        wake: () => {},
      }
      guess = made
      void fill(made, history, options)
    },
    async *reply(history, tools, options, signal) {
      const made = taken(history, tools, options)
      if (!made) return yield* llm.reply(history, tools, options, signal)
      const stop = () => {
        made.stopped.abort()
        made.wake()
      }
      signal.addEventListener('abort', stop, { once: true })
      try {
        while (!signal.aborted) {
          const part = made.parts.shift()
          if (part) {
            made.wake()
            yield part
          } else if (made.state === 'failed') throw made.error
          else if (made.state === 'done') return
          else await changeOf(made)
        }
      } finally {
        signal.removeEventListener('abort', stop)
        stop()
      }
    },
  }
}

const changeOf = (made: Guess): Promise<void> =>
  new Promise((resolve) => {
    made.wake = resolve
  })

const questionOf = (history: readonly Message[], options: ReplyOptions) => JSON.stringify([history, options])
const isEvery = (a: readonly Tool[], b: readonly Tool[]) => a.length === b.length && a.every((tool, i) => tool === b[i])
