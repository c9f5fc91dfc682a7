// The sentences of an agent's turn: from the model, a late tool result, the opening or a fixed phrase.

import { CANCELLED, raceAbort, waitAtMost } from '../../base/concurrency/abort.ts'
import type { AgentTurnsOptions, AgentTurnsParts, TurnMarks } from '../agent-turn-types.ts'
import type { ConversationHistory } from '../history.ts'
import { phraseFor } from '../phrases.ts'
import type { Message } from '../ports.ts'
import { type ReplyParts, replyWords, WAIT_MS } from '../reply.ts'
import type { ToolCalls } from '../tool-calls.ts'
import type { Phrase, StartCommand } from './state.ts'

/** A turn whose sentences are being generated. */
type GeneratingTurn = {
  number: number
  /** Resolves when everything said before is in the history. */
  ready: Promise<void>
  /** Receives the turn's tool calls. */
  toolMessages: Message[]
  signal: AbortSignal
  marks: TurnMarks
  /** Resolves when everything said so far was played. */
  drained: () => Promise<void>
}

type SourceParts = Pick<AgentTurnsParts, 'llm' | 'clock' | 'sentences' | 'onEvent' | 'onTurnEvent'> & {
  toolCalls: ToolCalls
  history: ConversationHistory
}

/** How long the model may take for the first words of the opening. */
const OPENING_MS = 3000
/** How long a tool waits for playout before it acts. */
const DRAIN_MS = 10_000

export function turnSources(parts: SourceParts, options: AgentTurnsOptions) {
  const { clock, toolCalls, history, onTurnEvent } = parts
  const { language } = options

  async function* modelWords(turn: GeneratingTurn, waitMs: number): AsyncGenerator<string> {
    const { ready, toolMessages, signal, marks, drained, number } = turn
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

  const reply = (turn: GeneratingTurn) => parts.sentences(modelWords(turn, WAIT_MS))

  /** The caller does not pause: the agent apologizes for interrupting first. */
  async function* interjectedReply(turn: GeneratingTurn): AsyncGenerator<string> {
    yield phrase('interject', 0)
    yield* reply(turn)
  }

  /** The model sees the late calls as if they had just returned. */
  async function* lateResultWords(turn: GeneratingTurn): AsyncGenerator<string> {
    await turn.ready
    history.moveToEnd(new Set(toolCalls.late().flatMap(({ callIds }) => callIds)))
    if (toolCalls.late().length > 0) yield* modelWords(turn, 0)
  }

  /** A running tool's own message replaces the filler. */
  const phrase = (name: Phrase, times: number): string =>
    (name === 'filler' ? toolCalls.takeDelayedMessage() : null) ?? phraseFor(language, name, times)

  function sentencesOf(command: StartCommand, turn: GeneratingTurn): AsyncIterable<string> {
    switch (command.do) {
      case 'reply':
        return command.interjects ? interjectedReply(turn) : reply(turn)
      case 'tell-late-result':
        return parts.sentences(lateResultWords(turn))
      case 'say-for-operator':
        return parts.sentences(text(command.text))
      case 'open':
        return opening({ ...parts, ...options, turn, generate: reply })
      case 'leave-message':
        return text(options.amd?.message ?? '')
      case 'say':
        return text(phrase(command.phrase, command.times))
    }
  }

  return { sentencesOf, phrase }
}

type OpeningParts = Pick<SourceParts, 'clock' | 'sentences' | 'onEvent'> &
  Pick<AgentTurnsOptions, 'opening' | 'preface' | 'generatesOpening'> & {
    turn: GeneratingTurn
    generate: (turn: GeneratingTurn) => AsyncIterable<string>
  }

/** The fixed opening replaces the model's if that one fails or is late. */
async function* opening(parts: OpeningParts): AsyncGenerator<string> {
  const { turn, generate, clock, sentences, onEvent, generatesOpening } = parts
  const fixed = parts.opening ?? ''
  yield* sentences(text(parts.preface ?? ''))
  if (!generatesOpening) return yield* text(fixed)
  const abandoned = new AbortController()
  const signal = AbortSignal.any([turn.signal, abandoned.signal])
  const generated = generate({ ...turn, signal })[Symbol.asyncIterator]()
  const first = await waitAtMost(OPENING_MS, generated.next(), clock).catch((error) => {
    onEvent({ type: 'error', stage: 'model', error })
  })
  if (!first || first.done) {
    abandoned.abort(CANCELLED)
    return yield* text(fixed)
  }
  yield first.value
  yield* { [Symbol.asyncIterator]: () => generated }
}

async function* text(content: string): AsyncGenerator<string> {
  if (content !== '') yield content
}
