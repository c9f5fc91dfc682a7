// A conversation by voice: streams in as events, commands out as streams. Decides nothing: who has the floor is in turns.ts.
import { Ear } from './ear.ts'
import type { Stt, Vad } from './ports.ts'
import { recogniser } from './recogniser.ts'
import { type Marks, type TalkEvent, type TalkOptions, type TalkParts, talk } from './talk.ts'
import { namedTimers } from './timers.ts'
import type { TurnRules } from './turn-rules.ts'
import { start, type TimerName, type TurnCommand, type TurnEvent } from './turn-state.ts'
import { step } from './turns.ts'

export type SessionParts = TalkParts & { vad: Vad; stt: Stt }

export type SessionOptions = TalkOptions & {
  rules: TurnRules
  /** Who is called is given so long to say hello. */
  openAfterMs?: number
  hints?: readonly string[]
  endPhrases?: readonly string[]
}

/** What a conversation tells while it goes on. Times are of its clock. */
export type SessionEvent = TalkEvent | { type: 'state'; state: 'listening' | 'thinking' | 'speaking' }

export type SessionEnd = { endReason: string }

/** Clearly quieter (12 dB), still there. */
const DUCKED_GAIN = 0.25

export async function runSession(
  parts: SessionParts,
  options: SessionOptions,
  signal: AbortSignal,
  tell: (event: SessionEvent) => void,
): Promise<SessionEnd> {
  const { transport, clock } = parts
  const rules: TurnRules = { ...options.rules, endPhrases: options.endPhrases ?? options.rules.endPhrases }
  const over = Promise.withResolvers<SessionEnd>()
  const last = { voiceEndedAt: 0, recognisedAt: 0 }
  let state = start
  let isOver = false

  const ear = new Ear(parts.vad, {
    onVoice(on, atMs, nowMs, voicedMs) {
      if (!on) last.voiceEndedAt = clock.now() - (nowMs - atMs)
      take({ type: 'voice', on, atMs, voicedMs })
    },
    onLull: (on, voicedMs) => take({ type: 'lull', on, voicedMs }),
  })
  const words = recogniser({
    ear,
    stt: parts.stt,
    language: options.language,
    ...(options.hints ? { hints: options.hints } : {}),
    onWords(recognition, text, hasFailed) {
      last.recognisedAt = clock.now()
      take({ type: 'words', recognition, text, hasFailed, atMs: ear.nowMs })
    },
    onTrouble: (error) => tell({ type: 'trouble', stage: 'recognition', error }),
  })
  const timers = namedTimers<TimerName>(clock, (name) => take({ type: 'timer', name }))
  const agent = talk(parts, options, take, tell)

  function take(event: TurnEvent): void {
    if (isOver) return
    const before = state.phase
    const next = step(state, event, rules)
    state = next.state
    if (state.phase !== before && state.phase !== 'over') tell({ type: 'state', state: state.phase })
    for (const command of next.commands) run(command)
  }

  const marks = (): Marks => ({ ...last, repliedAt: clock.now(), wordAt: 0 })

  const run = (command: TurnCommand) => {
    switch (command.do) {
      case 'recognise':
        return words.recognise(command.recognition, command.isProbe)
      case 'forget':
        return words.forget()
      case 'reply':
        return agent.reply(command.turn, command.to, marks())
      case 'open':
        return agent.open(command.turn, command.to, marks())
      case 'say':
        return agent.say(command.turn, command.phrase, command.times, marks())
      case 'fill':
        return agent.fill(command.turn, command.times)
      case 'stop':
        return agent.stop(command.turn, command.isForGood)
      case 'resume':
        return agent.resume(command.turn)
      case 'duck':
        return transport.volume?.(DUCKED_GAIN)
      case 'unduck':
        return transport.volume?.(1)
      case 'arm':
        return timers.arm(command.timer, command.ms)
      case 'disarm':
        return timers.disarm(command.timer)
      case 'hang-up':
        return over.resolve({ endReason: command.reason })
    }
  }

  async function takeKeys(): Promise<void> {
    for await (const digit of transport.digits) take({ type: 'key', digit })
  }

  const leave = () => over.resolve({ endReason: 'caller_hangup' })
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  const hearing = ear.listen(transport.input).then(leave, leave)
  const keys = takeKeys().catch(() => {})
  take({ type: 'begin', speaks: options.opening !== null, afterMs: options.openAfterMs ?? 0 })
  const end = await over.promise
  signal.removeEventListener('abort', leave)
  take({ type: 'left' })
  isOver = true
  words.forget()
  timers.disarmAll()
  // What he said last is on record, though nobody answers it.
  await agent.end(`${state.heard} ${state.keys}`.trim())
  if (signal.aborted) await Promise.all([hearing, keys])
  return end
}
