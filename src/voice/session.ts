// A conversation by voice: streams in as events, commands out as streams. Decides nothing: who has the floor is in turns.ts.
import { waitAtMost } from '../base/abort.ts'
import { type Marks, type TalkEvent, type TalkOptions, type TalkParts, talk } from './agent-turns.ts'
import { screening } from './amd.ts'
import type { Answerer } from './amd-classifier.ts'
import type { When } from './history.ts'
import type { SessionEndReason, Stt, TurnModel, Vad } from './ports.ts'
import { preemptiveGeneration } from './preemptive-generation.ts'
import { namedTimers } from './timers.ts'
import { recogniser } from './transcriber.ts'
import { step } from './turn-machine.ts'
import type { TurnRules } from './turn-rules.ts'
import { start, type TimerName, type TurnCommand, type TurnEvent, type TurnState } from './turn-state.ts'
import { UtteranceDetector } from './utterance-detector.ts'

export type SessionParts = TalkParts & {
  vad: Vad
  stt: Stt
  /** Says how likely it is that the caller has finished; without one that is guessed from his words. */
  turnModel?: TurnModel
  /** Told once, when the conversation has begun: by this it can be led from outside. */
  onReady?: (lead: SessionControl) => void
}

/** What an operator can do with a conversation while it goes on. */
export type SessionControl = {
  /** The agent says this: at once, whoever speaks, or when nobody does. Refused where it cannot be said any more. */
  say(text: string, isUrgent: boolean): 'said' | 'queued' | 'refused'
  /** The agent is silent, because the call is being given to somebody else; false when it is leaving or away already. */
  suspend(): boolean
  /** That has failed: the agent says so, and goes on. */
  resume(): void
  /** This conversation is over now. */
  end(reason: SessionEndReason): void
}

export type SessionOptions = TalkOptions & {
  rules: TurnRules
  /** Who is called is given so long to say hello. */
  openAfterMs?: number
  hints?: readonly string[]
  endPhrases?: readonly string[]
  /** A call of ours: who answers may be a mailbox, which is told this where the rules say so. */
  screens?: { message: string }
}

/** What a conversation tells while it goes on. Times are of its clock. */
export type SessionEvent =
  | TalkEvent
  | { type: 'trouble'; stage: 'turn' | 'vad'; error: unknown }
  | { type: 'state'; state: 'listening' | 'thinking' | 'speaking' }
  /** Who answered a call of ours; told again when it turns out to be another. */
  | { type: 'answeredBy'; by: Answerer }

export type SessionEnd = { endReason: SessionEndReason; endDetail?: string }

/** A moment of what is heard: on the conversation's clock, and in the recording. */
type Place = { at: number; recordedMs: number | null }

/** Clearly quieter (12 dB), still there. */
const DUCKED_GAIN = 0.25
/** So long a turn model may take, and so much sound it wants. */
const JUDGE_MS = 150
const JUDGED_SOUND_MS = 8000

const MOST_LATE_MS = 160
const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

export async function runSession(
  parts: SessionParts,
  options: SessionOptions,
  signal: AbortSignal,
  tell: (event: SessionEvent) => void,
): Promise<SessionEnd> {
  const { transport, clock } = parts
  const rules: TurnRules = {
    ...options.rules,
    endPhrases: options.endPhrases ?? options.rules.endPhrases,
    judgeMs: parts.turnModel ? JUDGE_MS : 0,
  }
  const over = Promise.withResolvers<SessionEnd>()
  const last = { voiceOffAt: 0, recognisedAt: 0 }
  /** Of what the caller has said in this turn: its first sound, and its last unless he still speaks. */
  let spoken: { from: Place; to: Place | null; firstMs: number } | null = null
  let voiceFromMs = 0
  let state = start
  let isOver = false

  const screen = options.screens
    ? screening({
        onAnswered(by, atMs) {
          tell({ type: 'answeredBy', by })
          take({ type: 'answered', by, atMs })
        },
        onSuspected: () => take({ type: 'suspected' }),
        onBeep: () => take({ type: 'beep' }),
      })
    : undefined
  const hears = {
    onVoice(on: boolean, atMs: number, nowMs: number, voicedMs: number) {
      // Where the voice itself began; what is kept of the sound begins earlier.
      // Voice activity tells an end up to 140 ms late: the pause is counted from where the sound fell.
      const changedAtMs = on ? nowMs - voicedMs : within(ear.ending(voiceFromMs, atMs), atMs - MOST_LATE_MS, atMs)
      if (on) voiceFromMs = changedAtMs
      else {
        last.voiceOffAt = clock.now()
        if (spoken) spoken = { ...spoken, from: firstSound(spoken), to: place(ear.ending(voiceFromMs, atMs)) }
      }
      take({ type: 'voice', on, atMs: changedAtMs, voicedMs })
      if (on) {
        const goesOn = spoken !== null && state.beganAtMs !== changedAtMs
        const firstMs = goesOn && spoken ? spoken.firstMs : changedAtMs
        const from = goesOn && spoken ? spoken.from : place(ear.beginning(firstMs) ?? firstMs)
        spoken = { from, to: null, firstMs }
      }
      screen?.voice(on, changedAtMs)
    },
    onSpeechPause: (on: boolean, voicedMs: number) => take({ type: 'lull', on, voicedMs }),
    onSpeechCandidate: (on: boolean) => take({ type: 'maybe', on }),
  }
  const keeping = parts.turnModel ? { keepMs: JUDGED_SOUND_MS } : {}
  const ear: UtteranceDetector = new UtteranceDetector(parts.vad, hears, { ...keeping, now: () => clock.now() })
  const words = recogniser({
    ear,
    stt: parts.stt,
    language: options.language,
    ...(options.hints ? { hints: options.hints } : {}),
    onWords(recognition, text, hasFailed) {
      last.recognisedAt = clock.now()
      take({ type: 'words', recognition, text, hasFailed, atMs: ear.trueMs })
      screen?.words(text)
    },
    onTrouble: (error) => tell({ type: 'trouble', stage: 'recognition', error }),
  })
  const timers = namedTimers<TimerName>(clock, (name) => take({ type: 'timer', name }))
  const llm = preemptiveGeneration(parts.llm)
  const agent = talk({ ...parts, llm, lineHz: () => ear.rateHz }, options, take, tell)

  const place = (ms: number): Place => ({ at: ear.cameAt(ms), recordedMs: ear.recordedAt(ms) })

  /** The more of a voice was heard, the better it is known where it began. */
  function firstSound({ from, firstMs }: { from: Place; firstMs: number }): Place {
    const beganMs = ear.beginning(firstMs)
    return beganMs === undefined ? from : place(beganMs)
  }

  /** When that was said which the caller has said up to this state. */
  function callerWhen({ beganAtMs }: TurnState): When | null {
    if (!spoken || beganAtMs === null) return null
    const { from, to } = { from: spoken.from, to: spoken.to ?? place(ear.nowMs) }
    const isKnown = from.recordedMs !== null && to.recordedMs !== null
    const recorded = isKnown ? { fromMs: from.recordedMs as number, toMs: to.recordedMs as number } : null
    return { at: from.at, toAt: to.at, recorded }
  }

  function take(event: TurnEvent): void {
    if (isOver) return
    const before = state
    const next = step(state, event, rules)
    state = next.state
    if (state.phase !== before.phase && state.phase !== 'over') tell({ type: 'state', state: state.phase })
    for (const command of next.commands) run(command, before)
  }

  const marks = (before: TurnState): Marks => ({
    caller: callerWhen(before),
    ...last,
    repliedAt: clock.now(),
    wordAt: 0,
    toolMs: 0,
  })

  /** What comes too late is not told: the pause that is waited for holds. */
  async function judge(recognition: number, fromMs: number, text: string): Promise<void> {
    const sound = ear.since(Math.max(fromMs, ear.nowMs - JUDGED_SOUND_MS))
    if (!parts.turnModel || !sound) return
    const done = new AbortController()
    try {
      const finished = await waitAtMost(JUDGE_MS, parts.turnModel.finished({ text, ...sound }, done.signal), clock)
      if (finished !== undefined) take({ type: 'judged', recognition, finished, atMs: ear.trueMs })
    } catch (error) {
      if (!isOver) tell({ type: 'trouble', stage: 'turn', error })
    } finally {
      done.abort()
    }
  }

  const run = (command: TurnCommand, before: TurnState) => {
    switch (command.do) {
      case 'recognise':
        return words.recognise(command.recognition, command.isProbe)
      case 'forget':
        return words.forget()
      case 'judge':
        return void judge(command.recognition, command.fromMs, command.text)
      case 'guess':
        return llm.prepare(agent.asking(command.to), parts.tools, { language: options.language })
      case 'forget-guess':
        return llm.forget()
      case 'reply':
        return agent.reply(command.turn, command.to, marks(before))
      case 'news':
        return agent.news(command.turn, marks(before))
      case 'relay':
        return agent.relay(command.turn, command.to, command.text, marks(before))
      case 'open':
        return agent.open(command.turn, command.to, marks(before))
      case 'leave-message':
        return agent.leaveMessage(command.turn, command.to, options.screens?.message ?? '', marks(before))
      case 'say':
        return agent.say(command.turn, command.phrase, command.times, command.to ?? '', marks(before))
      case 'fill':
        return agent.fill(command.turn, command.times)
      case 'stop':
        return agent.stop(command.turn, command.isForGood)
      case 'resume':
        return agent.resume(command.turn)
      case 'duck':
        return agent.volume(DUCKED_GAIN)
      case 'unduck':
        return agent.volume(1)
      case 'arm':
        return timers.arm(command.timer, command.ms)
      case 'disarm':
        return timers.disarm(command.timer)
      case 'hang-up':
        return over.resolve({ endReason: command.reason })
    }
  }

  const lead: SessionControl = {
    say(text, isUrgent) {
      const before = state
      take({ type: 'relay', text, isUrgent })
      if (state.turn !== before.turn) return 'said'
      return state.relays.length > before.relays.length ? 'queued' : 'refused'
    },
    suspend() {
      const wasAway = state.isAway
      take({ type: 'away' })
      return !isOver && state.isAway && !wasAway
    },
    resume() {
      // What was said to nobody is not answered.
      ear.release(ear.nowMs)
      take({ type: 'back' })
    },
    end: (endReason) => over.resolve({ endReason }),
  }

  async function takeKeys(): Promise<void> {
    for await (const digit of transport.digits) take({ type: 'key', digit })
  }

  const leave = () => over.resolve({ endReason: 'caller_hangup' })
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  /** The caller is still there, but nothing they say is heard any more. */
  const deaf = (error: unknown) => {
    if (isOver || signal.aborted) return leave()
    tell({ type: 'trouble', stage: 'vad', error })
    over.resolve({ endReason: 'stt_error', endDetail: 'Voice activity detection failed' })
  }
  const hearing = ear.listen(screen ? screen.through(transport.input) : transport.input).then(leave, deaf)
  const keys = takeKeys().catch(() => {})
  take({ type: 'begin', speaks: options.opening !== null, afterMs: options.openAfterMs ?? 0 })
  parts.onReady?.(lead)
  const end = await over.promise
  signal.removeEventListener('abort', leave)
  take({ type: 'left' })
  isOver = true
  words.forget()
  llm.forget()
  timers.disarmAll()
  // What he said last is on record, though nobody answers it.
  await agent.end(`${state.heard} ${state.keys}`.trim(), callerWhen(state))
  if (signal.aborted) await Promise.all([hearing, keys])
  return end
}
