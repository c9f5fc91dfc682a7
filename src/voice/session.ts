// A conversation by voice: streams in as events, commands out as streams. Decides nothing: who has the floor is in turns.ts.
import { Ear, type Utterance } from './ear.ts'
import { type Say, type SpokenTurn, spokenTurn } from './mouth.ts'
import { phraseFor } from './phrases.ts'
import type { Audio, Clock, Llm, Message, Stt, Tool, ToolCall, Transport, Vad } from './ports.ts'
import { replyWords } from './reply.ts'
import type { TurnRules } from './turn-rules.ts'
import { start, step, type TimerName, type TurnCommand, type TurnEvent } from './turns.ts'

export type SessionParts = {
  transport: Transport
  vad: Vad
  stt: Stt
  llm: Llm
  say: Say
  /** Words as they come in, sentences out as soon as each is whole. */
  sentences: (words: AsyncIterable<string>) => AsyncIterable<string>
  tools: readonly Tool[]
  clock: Clock
}

export type SessionOptions = {
  language: string
  systemPrompt: string
  rules: TurnRules
  /** Null: the caller speaks first. */
  opening: string | null
  /** Who is called is given so long to say hello. */
  openAfterMs?: number
  hints?: readonly string[]
  llmSettings?: Readonly<Record<string, unknown>>
  endPhrases?: readonly string[]
}

/** What a conversation tells while it goes on. Times are of its clock. */
export type SessionEvent =
  | { type: 'said'; who: 'caller' | 'agent'; text: string; isCut: boolean }
  | {
      type: 'turn'
      turn: number
      voiceEndedAt: number
      recognisedAt: number
      repliedAt: number
      wordAt: number
      soundAt: number
    }
  | { type: 'tool'; call: ToolCall; failed: boolean }
  | { type: 'state'; state: 'listening' | 'thinking' | 'speaking' }
  | { type: 'trouble'; stage: 'recognition' | 'model' | 'synthesis'; error: unknown }

export type SessionEnd = { endReason: string }

const KEYS_GAP_MS = 2500

type Marks = { voiceEndedAt: number; recognisedAt: number; repliedAt: number; wordAt: number }

export async function runSession(
  parts: SessionParts,
  options: SessionOptions,
  signal: AbortSignal,
  tell: (event: SessionEvent) => void,
): Promise<SessionEnd> {
  const { transport, stt, clock } = parts
  const { language, rules } = options
  const left = new AbortController()
  const over = Promise.withResolvers<SessionEnd>()
  const timers = new Map<TimerName, AbortController>()
  const history: Message[] = [{ role: 'system', content: options.systemPrompt }]
  const marks: Marks = { voiceEndedAt: 0, recognisedAt: 0, repliedAt: 0, wordAt: 0 }
  let state = start
  let current: { turn: number; spoken: SpokenTurn; added: Message[]; thinking: AbortController } | undefined
  let reminders = 0

  const ear = new Ear(parts.vad, {
    onVoice(on, atMs, nowMs) {
      if (!on) marks.voiceEndedAt = clock.now() - (nowMs - atMs)
      take({ type: 'voice', on, atMs })
    },
  })

  function take(event: TurnEvent): void {
    if (left.signal.aborted) return
    const before = state.phase
    const next = step(state, event, rules)
    state = next.state
    if (state.phase !== before && state.phase !== 'over') tell({ type: 'state', state: state.phase })
    for (const command of next.commands) run(command)
  }

  function run(command: TurnCommand): void {
    if (command.do === 'recognise') void recognise(ear.take())
    else if (command.do === 'open') open(command.turn, command.to)
    else if (command.do === 'say') speak(command.turn, once(phraseFor(language, command.phrase, reminders++)))
    else if (command.do === 'reply') reply(command.turn, command.to)
    else if (command.do === 'arm') arm(command.timer, command.ms)
    else if (command.do === 'disarm') disarm(command.timer)
    else if (command.do === 'hang-up') over.resolve({ endReason: command.reason })
    else if (current?.turn === command.turn) {
      if (command.do === 'stop') current.spoken.stop()
      else if (command.do === 'fill') fill(current.thinking.signal)
      else void sound(command.turn, current.spoken)
    }
  }

  function open(turn: number, hello = ''): void {
    if (hello !== '') heardFromCaller(hello)
    speak(turn, once(options.opening ?? ''))
  }

  function fill(thinking: AbortSignal): void {
    const text = phraseFor(language, 'filler')
    transport
      .play(parts.say(text, thinking), thinking)
      .catch((error) => tell({ type: 'trouble', stage: 'synthesis', error }))
  }

  function disarm(timer: TimerName): void {
    timers.get(timer)?.abort()
    timers.delete(timer)
  }

  function arm(timer: TimerName, ms: number): void {
    timers.get(timer)?.abort()
    const stopped = new AbortController()
    timers.set(timer, stopped)
    void clock.sleep(ms, stopped.signal).then(() => {
      if (stopped.signal.aborted) return
      timers.delete(timer)
      take({ type: 'timer', name: timer })
    })
  }

  async function recognise(utterance: Utterance | undefined): Promise<void> {
    let text = ''
    try {
      if (utterance)
        for await (const transcript of stt.transcribe(
          soundOf(utterance),
          { language, hints: options.hints },
          left.signal,
        ))
          text = transcript.text
    } catch (error) {
      if (!left.signal.aborted) tell({ type: 'trouble', stage: 'recognition', error })
    }
    marks.recognisedAt = clock.now()
    if (options.endPhrases?.some((phrase) => phrase !== '' && text.toLowerCase().includes(phrase.toLowerCase()))) {
      heardFromCaller(text)
      over.resolve({ endReason: 'end_phrase' })
      return
    }
    take({ type: 'words', text, atMs: ear.nowMs })
  }

  function heardFromCaller(text: string): void {
    history.push({ role: 'user', content: text })
    tell({ type: 'said', who: 'caller', text, isCut: false })
  }

  /** What was really heard of the agent's last turn goes into the history, and nothing else. */
  function settle(): void {
    if (!current) return
    const { spoken, added, thinking } = current
    current = undefined
    thinking.abort()
    const heard = spoken.heard()
    const isCut = !isWhole.get(spoken)
    spoken.end()
    history.push(...added)
    if (heard === '') return
    history.push({ role: 'agent', content: isCut ? `${heard}…` : heard })
    tell({ type: 'said', who: 'agent', text: heard, isCut })
  }
  const isWhole = new WeakMap<SpokenTurn, boolean>()

  function reply(turn: number, to: string): void {
    settle()
    heardFromCaller(to)
    marks.repliedAt = clock.now()
    marks.wordAt = 0
    const thinking = new AbortController()
    const added: Message[] = []
    const replyParts = {
      llm: parts.llm,
      tools: parts.tools,
      act: transport.act,
      onTool: (call: ToolCall, result: { failed: boolean }) => tell({ type: 'tool', call, failed: result.failed }),
    }
    const settings = options.llmSettings ? { settings: options.llmSettings } : {}
    const words = replyWords(replyParts, [...history], { language, ...settings }, added, thinking.signal)
    speak(turn, parts.sentences(marked(words)), thinking, added)
  }

  async function* marked(words: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const word of words) {
      marks.wordAt ||= clock.now()
      yield word
    }
  }

  function speak(
    turn: number,
    sentences: AsyncIterable<string>,
    thinking = new AbortController(),
    added: Message[] = [],
  ): void {
    settle()
    const spoken = spokenTurn(sentences, transport, parts.say, () => {
      const { wordAt, ...before } = marks
      if (wordAt > 0) tell({ type: 'turn', turn, ...before, wordAt, soundAt: clock.now() })
      take({ type: 'sounded', turn })
    })
    current = { turn, spoken, added, thinking }
    void sound(turn, spoken)
  }

  async function sound(turn: number, spoken: SpokenTurn): Promise<void> {
    try {
      const isAll = await spoken.speak()
      if (!isAll) return
      isWhole.set(spoken, true)
      if (current?.spoken === spoken) settle()
      take({ type: 'spoken', turn })
    } catch (error) {
      if (left.signal.aborted || current?.spoken !== spoken) return
      tell({ type: 'trouble', stage: marks.wordAt > 0 ? 'synthesis' : 'model', error })
      take({ type: 'failed', turn })
    }
  }

  /** Keys that follow each other closely are one number; # ends it. */
  async function takeKeys(): Promise<void> {
    let digits = ''
    let gap = new AbortController()
    const give = () => {
      if (digits === '') return
      const text = digits
      digits = ''
      take({ type: 'keys', digits: text })
    }
    for await (const digit of transport.digits) {
      gap.abort()
      if (digit === '#') {
        give()
        continue
      }
      digits += digit
      gap = new AbortController()
      const { signal: stopped } = gap
      void clock.sleep(KEYS_GAP_MS, stopped).then(() => {
        if (!stopped.aborted) give()
      })
    }
  }

  const leave = () => over.resolve({ endReason: 'caller_hangup' })
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const hearing = ear.listen(transport.input).then(leave, leave)
  const keys = takeKeys().catch(() => {})
  const begin = () => take({ type: 'begin', speaks: options.opening !== null })
  if (options.openAfterMs) void clock.sleep(options.openAfterMs, left.signal).then(begin)
  else begin()
  const end = await over.promise
  signal.removeEventListener('abort', leave)
  take({ type: 'left' })
  left.abort()
  current?.spoken.stop()
  settle()
  for (const stopped of timers.values()) stopped.abort()
  if (signal.aborted) await Promise.all([hearing, keys])
  return end
}

async function* once(text: string): AsyncGenerator<string> {
  if (text !== '') yield text
}

async function* soundOf({ pcm, rateHz }: Utterance): Audio extends AsyncIterable<infer F> ? AsyncGenerator<F> : never {
  yield { pcm, rateHz }
}
