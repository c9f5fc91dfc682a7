// The agent's turns: each is words that come from somewhere, said by the mouth, and written down as far as they were heard.

import { type Said, spokenHistory } from './history.ts'
import type { Say } from './made-speech.ts'
import { type SpokenTurn, spokenTurn } from './mouth.ts'
import { phraseFor } from './phrases.ts'
import type { Clock, Llm, Message, Tool, ToolCall, Transport } from './ports.ts'
import { type ReplyParts, replyWords } from './reply.ts'
import type { Phrase, TurnEvent } from './turn-state.ts'

/** When the parts of a turn came to be, on the conversation's clock. */
export type Marks = { voiceEndedAt: number; recognisedAt: number; repliedAt: number; wordAt: number }

export type TalkEvent =
  | Said
  | ({ type: 'turn'; turn: number; soundAt: number } & Marks)
  | { type: 'tool'; call: ToolCall; failed: boolean }
  | { type: 'trouble'; stage: 'recognition' | 'model' | 'synthesis'; error: unknown }

export type TalkParts = {
  transport: Transport
  llm: Llm
  say: Say
  /** Words as they come in, sentences out as soon as each is whole. */
  sentences: (words: AsyncIterable<string>) => AsyncIterable<string>
  tools: readonly Tool[]
  clock: Clock
}

export type TalkOptions = {
  language: string
  systemPrompt: string
  /** Null: the caller speaks first. */
  opening: string | null
  /** The model finds the first words; `opening` is said if it cannot. */
  generatesOpening?: boolean
}

/** So long the model may look for its first words. */
const GREETING_MS = 3000

type Turn = { number: number; spoken: SpokenTurn; did: Message[]; thinking: AbortController; isWhole: boolean }
type Sentences = (did: Message[], thinking: AbortSignal, marks: Marks) => AsyncIterable<string>

export function talk(
  parts: TalkParts,
  options: TalkOptions,
  take: (event: TurnEvent) => void,
  tell: (event: TalkEvent) => void,
) {
  const { transport, clock } = parts
  const { language } = options
  const history = spokenHistory(options.systemPrompt, tell)
  /** What is written down is written in order: the agent's words before the caller's next. */
  let written: Promise<void> = Promise.resolve()
  let current: Turn | undefined

  /** What was really heard of the agent's turn goes into the history, and nothing else. */
  function settle(): void {
    if (!current) return
    const turn = current
    current = undefined
    turn.thinking.abort()
    const ended = turn.spoken.end()
    written = written.then(() => ended).then(() => history.agent(turn.spoken.heard(), !turn.isWhole, turn.did))
  }

  function callerSaid(text: string): Promise<void> {
    written = written.then(() => history.caller(text))
    return written
  }

  function speak(number: number, sentences: Sentences, told: { marks: Marks; isReply: boolean }): void {
    settle()
    const did: Message[] = []
    const thinking = new AbortController()
    const { marks } = told
    let isTold = !told.isReply
    const spoken = spokenTurn(sentences(did, thinking.signal, marks), {
      play: (audio, signal) => transport.play(audio, signal),
      say: parts.say,
      clock,
      onTrouble: (error) => tell({ type: 'trouble', stage: 'synthesis', error }),
      onDry: () => take({ type: 'dry', turn: number }),
      onSound() {
        if (!isTold) tell({ type: 'turn', turn: number, ...marks, soundAt: clock.now() })
        isTold = true
        take({ type: 'sounded', turn: number })
      },
    })
    current = { number, spoken, did, thinking, isWhole: false }
    void sound(current)
  }

  async function sound(turn: Turn): Promise<void> {
    const outcome = await turn.spoken.speak()
    if (current !== turn || outcome.end === 'stopped') return
    if (outcome.end === 'failed') {
      tell({ type: 'trouble', stage: outcome.stage, error: outcome.error })
      take({ type: 'failed', turn: turn.number, stage: outcome.stage })
      return
    }
    turn.isWhole = true
    settle()
    take({ type: 'spoken', turn: turn.number })
  }

  /** The model's words, once everything that was said before is written down. */
  async function* words(turn: number, ready: Promise<void>, did: Message[], thinking: AbortSignal, marks: Marks) {
    await ready
    const replyParts: ReplyParts = {
      llm: parts.llm,
      tools: parts.tools,
      act: (action) => transport.act(action),
      clock,
      onWork: (on: boolean) => take({ type: 'tool', turn, on }),
      onTool: (call: ToolCall, { failed }: { failed: boolean }) => tell({ type: 'tool', call, failed }),
    }
    for await (const word of replyWords(replyParts, history.forModel(), { language }, did, thinking)) {
      marks.wordAt ||= clock.now()
      yield word
    }
  }

  const answer =
    (turn: number, ready: Promise<void>): Sentences =>
    (...rest) =>
      parts.sentences(words(turn, ready, ...rest))

  /** The opening phrase stands in for a model that fails or is late, unless that has begun to speak. */
  const greeting = (turn: number, ready: Promise<void>): Sentences =>
    async function* (did, thinking, marks) {
      if (!options.generatesOpening) return yield* once(options.opening ?? '')
      const late = new AbortController()
      const own = answer(turn, ready)(did, AbortSignal.any([thinking, late.signal]), marks)[Symbol.asyncIterator]()
      const inTime = new AbortController()
      const tooLate = clock.sleep(GREETING_MS, inTime.signal).then(() => null)
      const first = await Promise.race([own.next(), tooLate]).catch((error) => {
        tell({ type: 'trouble', stage: 'model', error })
        return null
      })
      inTime.abort()
      if (first === null || first.done) {
        late.abort()
        return yield* once(options.opening ?? '')
      }
      yield first.value
      yield* { [Symbol.asyncIterator]: () => own }
    }

  return {
    reply(turn: number, to: string, marks: Marks): void {
      settle()
      speak(turn, answer(turn, callerSaid(to)), { marks, isReply: true })
    },
    open(turn: number, hello: string, marks: Marks): void {
      settle()
      speak(turn, greeting(turn, callerSaid(hello)), { marks, isReply: false })
    },
    say: (turn: number, phrase: Phrase, times: number, marks: Marks): void =>
      speak(turn, () => once(phraseFor(language, phrase, times)), { marks, isReply: false }),
    fill(turn: number, times: number): void {
      if (current?.number === turn) current.spoken.interject(phraseFor(language, 'filler', times))
    },
    stop(turn: number, isForGood: boolean): void {
      if (current?.number !== turn) return
      if (isForGood) settle()
      else current.spoken.stop()
    },
    resume(turn: number): void {
      if (current?.number === turn) void sound(current)
    },
    /** Nothing more is said; resolves when all that was is written down. */
    async end(lastWords: string): Promise<void> {
      settle()
      await callerSaid(lastWords)
    },
  }
}

async function* once(text: string): AsyncGenerator<string> {
  if (text !== '') yield text
}
