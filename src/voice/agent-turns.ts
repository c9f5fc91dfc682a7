// The agent's turns: each is words that come from somewhere, said by the mouth, and written down as far as they were heard.
import { raceAbort, waitAtMost } from '../base/abort.ts'
import { type Said, spokenHistory, type When } from './history.ts'
import { phraseFor } from './phrases.ts'
import type { Clock, Llm, Message, Tool, Transport } from './ports.ts'
import { type ReplyParts, replyWords, WAIT_MS } from './reply.ts'
import { type SpokenTurn, speechPlayout } from './speech-playout.ts'
import type { Say } from './synthesise.ts'
import { type ToolDone, type ToolRefused, toolCalls } from './tool-calls.ts'
import type { Phrase, TurnEvent } from './turn-state.ts'

/** When the parts of a turn came to be, on the conversation's clock; and how long its first word waited for tools. */
export type Marks = {
  /** What it answers; null if that was not spoken. */
  caller: When | null
  /** It was known that the voice had ended. */
  voiceOffAt: number
  recognisedAt: number
  repliedAt: number
  wordAt: number
  toolMs: number
}

export type TalkEvent =
  | Said
  | TurnTimes
  | ToolDone
  | ToolRefused
  | { type: 'trouble'; stage: 'recognition' | 'model' | 'synthesis'; error: unknown }

/** Told before what was said of it: the sound was first made at `soundAt`, sent at `sentAt`, and heard to be speech at `heardAt`. */
export type TurnTimes = Omit<Marks, 'caller'> & {
  type: 'turn'
  turn: number
  voiceEndedAt: number
  soundAt: number
  sentAt: number
  heardAt: number
}

export type TalkParts = {
  transport: Transport
  llm: Llm
  say: Say
  /** Words as they come in, sentences out as soon as each is whole. */
  sentences: (words: AsyncIterable<string>) => AsyncIterable<string>
  tools: readonly Tool[]
  clock: Clock
  /** The rate of the line, once it is known. */
  lineHz?: () => number | undefined
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
/** What has to be heard before a tool acts is waited for so long at most. */
const HEARD_MS = 10_000

type Turn = {
  number: number
  spoken: SpokenTurn
  did: Message[]
  thinking: AbortController
  isWhole: boolean
  marks: Marks
  isReply: boolean
  /** When its first sound was made. */
  soundAt: number | null
}
type Making = { did: Message[]; thinking: AbortSignal; marks: Marks; quiet: () => Promise<void> }
type Sentences = (making: Making) => AsyncIterable<string>

export function talk(
  parts: TalkParts,
  options: TalkOptions,
  take: (event: TurnEvent) => void,
  tell: (event: TalkEvent) => void,
) {
  const { transport, clock } = parts
  const { language } = options
  const history = spokenHistory(options.systemPrompt, tell)
  const work = toolCalls({
    tools: parts.tools,
    act: (action) => transport.act(action),
    clock,
    onOut: (areOut) => take({ type: 'tools', areOut }),
    onDue: () => take({ type: 'due' }),
    onNews: () => take({ type: 'news' }),
    tell,
    onRefused: (call, why) => tell({ type: 'tool-refused', call, why }),
  })
  /** What is written down is written in order: the agent's words before the caller's next. */
  let written: Promise<void> = Promise.resolve()
  let current: Turn | undefined
  const pace = { letters: 0, ms: 0 }

  /** What was really heard of the agent's turn goes into the history, and nothing else. */
  function settle(): void {
    if (!current) return
    const turn = current
    current = undefined
    turn.thinking.abort()
    const ended = turn.spoken.end()
    written = written
      .then(() => ended)
      .then(() => {
        const times = timesOf(turn)
        if (times) tell(times)
        history.agent(turn.spoken.heard(), !turn.isWhole, turn.did, turn.spoken.when())
      })
  }

  function callerSaid(text: string, when: When | null): Promise<void> {
    written = written.then(() => history.caller(text, when))
    return written
  }

  function speak(number: number, sentences: Sentences, told: { marks: Marks; isReply: boolean }): void {
    settle()
    const did: Message[] = []
    const thinking = new AbortController()
    const { marks } = told
    const quiet = () => spoken.quiet()
    const spoken: SpokenTurn = speechPlayout(sentences({ did, thinking: thinking.signal, marks, quiet }), {
      play: (audio, signal) => transport.play(audio, signal),
      say: parts.say,
      clock,
      pace,
      ...(parts.lineHz ? { lineHz: parts.lineHz } : {}),
      onTrouble: (error) => tell({ type: 'trouble', stage: 'synthesis', error }),
      onDry: () => take({ type: 'dry', turn: number }),
      onFilled: () => take({ type: 'filled', turn: number }),
      onSound() {
        turn.soundAt ??= clock.now()
        take({ type: 'sounded', turn: number })
      },
    })
    const turn: Turn = { number, spoken, did, thinking, isWhole: false, ...told, soundAt: null }
    current = turn
    void sound(turn)
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
  async function* words(turn: number, ready: Promise<void>, waitMs: number, making: Making): AsyncGenerator<string> {
    const { did, thinking, marks, quiet } = making
    await ready
    let workedFrom: number | null = null
    const replyParts: ReplyParts = {
      llm: parts.llm,
      work,
      waitMs,
      heard: () => within(HEARD_MS, quiet(), thinking),
      onWork(limitMs) {
        if (workedFrom !== null && marks.wordAt === 0) marks.toolMs += clock.now() - workedFrom
        workedFrom = limitMs === null ? null : clock.now()
        take({ type: 'tool', turn, on: limitMs !== null, ...(limitMs === null ? {} : { limitMs }) })
      },
      onLeave: (reason) => take({ type: 'leaving', turn, reason }),
      onLast: () => take({ type: 'given-away', turn }),
    }
    for await (const word of replyWords(replyParts, history.forModel, { language }, did, thinking)) {
      marks.wordAt ||= clock.now()
      yield word
    }
  }

  async function within(ms: number, promise: Promise<void>, signal: AbortSignal): Promise<void> {
    await raceAbort(signal, waitAtMost(ms, promise, clock), () => undefined)
  }

  const answer =
    (turn: number, ready: Promise<void>): Sentences =>
    (making) =>
      parts.sentences(words(turn, ready, WAIT_MS, making))

  /** What has come is told as if it had been asked for just now. */
  const news =
    (turn: number, ready: Promise<void>): Sentences =>
    (making) => {
      const brought = ready.then(() => history.bringLast(new Set(work.late().flatMap(({ ids }) => ids))))
      const hasAny = async function* () {
        await brought
        if (work.late().length > 0) yield* words(turn, brought, 0, making)
      }
      return parts.sentences(hasAny())
    }

  /** The opening phrase stands in for a model that fails or is late, unless that has begun to speak. */
  const greeting = (turn: number, ready: Promise<void>): Sentences =>
    async function* (making) {
      if (!options.generatesOpening) return yield* once(options.opening ?? '')
      const late = new AbortController()
      const thinking = AbortSignal.any([making.thinking, late.signal])
      const own = answer(turn, ready)({ ...making, thinking })[Symbol.asyncIterator]()
      const first = await waitAtMost(GREETING_MS, own.next(), clock).catch((error) => {
        tell({ type: 'trouble', stage: 'model', error })
      })
      if (!first || first.done) {
        late.abort()
        return yield* once(options.opening ?? '')
      }
      yield first.value
      yield* { [Symbol.asyncIterator]: () => own }
    }

  /** A tool at work may have words of its own for that. */
  const textOf = (phrase: Phrase, times: number): string =>
    (phrase === 'filler' ? work.dueMessage() : null) ?? phraseFor(language, phrase, times)

  return {
    reply(turn: number, to: string, marks: Marks): void {
      settle()
      speak(turn, answer(turn, callerSaid(to, marks.caller)), { marks, isReply: true })
    },
    news(turn: number, marks: Marks): void {
      settle()
      speak(turn, news(turn, written), { marks, isReply: false })
    },
    open(turn: number, hello: string, marks: Marks): void {
      settle()
      speak(turn, greeting(turn, callerSaid(hello, marks.caller)), { marks, isReply: false })
    },
    /** What the model will be asked if the caller has finished with this. */
    asking: (to: string): Promise<Message[]> => written.then(() => work.answered(history.forModel(to))),
    /** For a mailbox, after what it said. */
    leaveMessage(turn: number, to: string, text: string, marks: Marks): void {
      settle()
      void callerSaid(to, marks.caller)
      speak(turn, () => once(text), { marks, isReply: false })
    },
    /** An operator's words, after what the caller said; on record they are the agent's. */
    relay(turn: number, to: string, text: string, marks: Marks): void {
      settle()
      void callerSaid(to, marks.caller)
      speak(turn, () => parts.sentences(once(text)), { marks, isReply: false })
    },
    say(turn: number, phrase: Phrase, times: number, to: string, marks: Marks): void {
      settle()
      void callerSaid(to, marks.caller)
      speak(turn, () => once(textOf(phrase, times)), { marks, isReply: false })
    },
    fill(turn: number, times: number): void {
      if (current?.number === turn) current.spoken.interject(() => textOf('filler', times))
    },
    volume(gain: number): void {
      transport.volume?.(gain)
      current?.spoken.volume(gain)
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
    async end(lastWords: string, when: When | null): Promise<void> {
      settle()
      work.close()
      await callerSaid(lastWords, when)
    },
  }
}

/** Of a reply to something that was spoken, if it was heard. */
function timesOf({ number, spoken, marks, isReply, soundAt }: Turn): TurnTimes | null {
  const { caller, ...rest } = marks
  if (!isReply || !caller || soundAt === null) return null
  const agent = spoken.when()
  const { at: heardAt, sentAt } = agent ?? { at: soundAt, sentAt: soundAt }
  // Where both are in the recording, that is the better measure: what is heard comes here a little late.
  const gapMs = agent?.recorded && caller.recorded ? agent.recorded.fromMs - caller.recorded.toMs : null
  const voiceEndedAt = gapMs === null ? caller.toAt : heardAt - gapMs
  return { type: 'turn', turn: number, ...rest, voiceEndedAt, soundAt, sentAt, heardAt }
}

async function* once(text: string): AsyncGenerator<string> {
  if (text !== '') yield text
}
