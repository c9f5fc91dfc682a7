// Where the sentences of an agent's turn come from: the model, a late tool result, the opening or a fixed phrase.

import { CANCELLED, raceAbort, waitAtMost } from '../../base/concurrency/abort.ts'
import type { AgentTurnsOptions, AgentTurnsParts, TurnMarks } from '../agent-turn-types.ts'
import type { ConversationHistory } from '../history.ts'
import { phraseFor } from '../phrases.ts'
import type { Message } from '../ports.ts'
import { type ReplyParts, replyWords, WAIT_MS } from '../reply.ts'
import type { ToolCalls } from '../tool-calls.ts'
import type { Phrase } from './state.ts'

/** The turn that sentences are generated for. */
export type GeneratingTurn = {
  number: number
  /** Receives the turn's tool calls. */
  toolMessages: Message[]
  signal: AbortSignal
  marks: TurnMarks
  /** Resolves when everything said so far was played. */
  drained: () => Promise<void>
}

export type SentenceSource = (turn: GeneratingTurn) => AsyncIterable<string>

type SourceParts = Pick<AgentTurnsParts, 'llm' | 'clock' | 'sentences' | 'onEvent' | 'onTurnEvent'> & {
  toolCalls: ToolCalls
  history: ConversationHistory
}

/** How long the model may take for the first words of the opening. */
const OPENING_MS = 3000
/** How long a tool waits for playout before it acts. */
const DRAIN_MS = 10_000

export function turnSources(parts: SourceParts, options: AgentTurnsOptions) {
  const { clock, toolCalls, history, onEvent, onTurnEvent } = parts
  const { language } = options

  /** The model's words, once everything said before is in the history. */
  async function* modelWords(turn: GeneratingTurn, ready: Promise<void>, waitMs: number): AsyncGenerator<string> {
    const { toolMessages, signal, marks, drained, number } = turn
    await ready
    let waitingSince: number | null = null
    const replyParts: ReplyParts = {
      llm: parts.llm,
      toolCalls,
      waitMs,
      history: history.forModel,
      options: { language },
      toolMessages,
      drained: () => raceAbort(signal, waitAtMost(DRAIN_MS, drained(), clock), () => undefined),
      onToolWait(timeoutMs) {
        if (waitingSince !== null && marks.firstWordAt === 0) marks.toolMs += clock.now() - waitingSince
        waitingSince = timeoutMs === null ? null : clock.now()
        const wait = timeoutMs === null ? { on: false } : { on: true, timeoutMs }
        onTurnEvent({ type: 'tool-wait', turn: number, ...wait })
      },
      onHangup: (reason) => onTurnEvent({ type: 'hang-up-after-turn', turn: number, reason }),
      onTransferred: () => onTurnEvent({ type: 'transferred', turn: number }),
    }
    for await (const word of replyWords(replyParts, signal)) {
      marks.firstWordAt ||= clock.now()
      yield word
    }
  }

  const reply =
    (ready: Promise<void>): SentenceSource =>
    (turn) =>
      parts.sentences(modelWords(turn, ready, WAIT_MS))

  /** The caller does not pause: the agent excuses itself first. */
  const interjected = (source: SentenceSource): SentenceSource =>
    async function* (turn) {
      yield phrase('interject', 0)
      yield* source(turn)
    }

  /** The model sees the late calls as if they had just returned. */
  const lateResult =
    (ready: Promise<void>): SentenceSource =>
    (turn) => {
      const moved = ready.then(() => history.moveToEnd(new Set(toolCalls.late().flatMap(({ callIds }) => callIds))))
      const words = async function* () {
        await moved
        if (toolCalls.late().length > 0) yield* modelWords(turn, moved, 0)
      }
      return parts.sentences(words())
    }

  /** The fixed opening replaces the model's if that fails or is late. */
  const opening = (ready: Promise<void>): SentenceSource =>
    async function* (turn) {
      yield* parts.sentences(text(options.preface ?? ''))
      if (!options.generatesOpening) return yield* text(options.opening ?? '')
      const abandoned = new AbortController()
      const signal = AbortSignal.any([turn.signal, abandoned.signal])
      const generated = reply(ready)({ ...turn, signal })[Symbol.asyncIterator]()
      const first = await waitAtMost(OPENING_MS, generated.next(), clock).catch((error) => {
        onEvent({ type: 'error', stage: 'model', error })
      })
      if (!first || first.done) {
        abandoned.abort(CANCELLED)
        return yield* text(options.opening ?? '')
      }
      yield first.value
      yield* { [Symbol.asyncIterator]: () => generated }
    }

  /** A running tool's own message replaces the filler. */
  const phrase = (name: Phrase, times: number): string =>
    (name === 'filler' ? toolCalls.takeDelayedMessage() : null) ?? phraseFor(language, name, times)

  return { reply, interjected, lateResult, opening, phrase, text }
}

async function* text(content: string): AsyncGenerator<string> {
  if (content !== '') yield content
}
