// The agent's turns: sentences from a model or a phrase, played out, and added to the history as far as they were heard.

import { CANCELLED } from '../base/concurrency/abort.ts'
import type { AgentTurnsOptions, AgentTurnsParts, TurnMarks, TurnTimestamps } from './agent-turn-types.ts'
import { conversationHistory, type SpeechTiming } from './history.ts'
import { type PlayoutEnd, type SpeechPlayout, speechPlayout } from './playout/speech-playout.ts'
import type { Message } from './ports.ts'
import { toolCalls } from './tool-calls.ts'
import { type SentenceSource, turnSources } from './turn/sources.ts'
import type { TurnCommand } from './turn/state.ts'

type Turn = {
  number: number
  playout: SpeechPlayout
  /** Tool calls of this turn, and their results. */
  toolMessages: Message[]
  stopped: AbortController
  isComplete: boolean
  isPaused: boolean
  /** How it ended while it was paused. */
  ended: PlayoutEnd | null
  marks: TurnMarks
  isReply: boolean
  isOperator: boolean
  synthesizedAt: number | null
}

type Command<Name extends TurnCommand['do']> = Extract<TurnCommand, { do: Name }>

export function agentTurns(parts: AgentTurnsParts, options: AgentTurnsOptions) {
  const { transport, clock, onEvent, onTurnEvent } = parts
  const history = conversationHistory(options.systemPrompt, onEvent)
  const running = toolCalls({
    tools: parts.tools,
    act: (action) => transport.act(action),
    clock,
    onRunningChange: (areRunning) => onTurnEvent({ type: 'tools-running', areRunning }),
    onDelayedMessage: () => onTurnEvent({ type: 'delayed-message' }),
    onLateResult: () => onTurnEvent({ type: 'late-tool-result' }),
    onFinished: onEvent,
    onRefused: (call, why) => onEvent({ type: 'tool-refused', call, why }),
  })
  const sources = turnSources({ ...parts, toolCalls: running, history }, options)
  /** History is written in order: the agent's words before the caller's next. */
  let written: Promise<void> = Promise.resolve()
  let current: Turn | undefined
  const speakingRate = { letters: 0, ms: 0 }

  /**
   * Ends the current turn: what was heard of it goes into the history, and nothing else. Taken back: the caller had not
   * finished, and what it answered is part of what they say now.
   */
  function finishTurn(isTakenBack = false): void {
    if (!current) return
    const turn = current
    current = undefined
    turn.stopped.abort(CANCELLED)
    const ended = turn.playout.end()
    written = written
      .then(() => ended)
      .then(() => {
        const { playout, isComplete, toolMessages, isOperator } = turn
        const timestamps = timestampsOf(turn)
        if (isTakenBack) history.discardPending()
        else if (timestamps) onEvent(timestamps)
        const text = playout.heardText()
        history.addAgent({ text, isCut: !isComplete, toolMessages, timing: playout.timing(), isOperator })
        if (text !== '') parts.onAgentText?.(text, running.withResults(history.forModel()))
        else parts.onSpeaking?.({ who: 'agent', text, startsAt: 0, durationMs: 0 })
      })
  }

  function addCaller(text: string, timing: SpeechTiming | null): Promise<void> {
    written = written.then(() => history.addCaller(text, timing))
    return written
  }

  function start(
    number: number,
    source: SentenceSource,
    { marks, isReply = false, isOperator = false }: StartOptions,
  ): void {
    finishTurn()
    const toolMessages: Message[] = []
    const stopped = new AbortController()
    const drained = () => playout.drained()
    const sentences = source({ number, toolMessages, signal: stopped.signal, marks, drained })
    const playout: SpeechPlayout = speechPlayout(sentences, {
      play: (audio, signal) => transport.play(audio, signal),
      ...(transport.hold ? { hold: (isHeld: boolean) => transport.hold?.(isHeld) } : {}),
      say: parts.say,
      clock,
      speakingRate,
      ...(parts.lineRateHz ? { lineRateHz: parts.lineRateHz } : {}),
      onError: (error) => onEvent({ type: 'error', stage: 'synthesis', error }),
      onUnderrun: () => onTurnEvent({ type: 'underrun', turn: number }),
      onFillerPlayed: () => onTurnEvent({ type: 'filler-played', turn: number }),
      onSentence: (sentence) => parts.onSpeaking?.({ who: 'agent', ...sentence }),
      onStarted() {
        turn.synthesizedAt ??= clock.now()
        onTurnEvent({ type: 'playout-started', turn: number })
      },
    })
    const turn: Turn = {
      number,
      playout,
      toolMessages,
      stopped,
      marks,
      isReply,
      isOperator,
      isComplete: false,
      isPaused: false,
      ended: null,
      synthesizedAt: null,
    }
    current = turn
    void play(turn)
  }

  async function play(turn: Turn): Promise<void> {
    const result = await turn.playout.speak()
    if (current !== turn || result.end === 'stopped') return
    // What ends while it is paused has ended when it is resumed.
    if (turn.isPaused) turn.ended = result
    else ended(turn, result)
  }

  function ended(turn: Turn, result: PlayoutEnd): void {
    if (result.end === 'failed') {
      onEvent({ type: 'error', stage: result.stage, error: result.error })
      onTurnEvent({ type: 'turn-failed', turn: turn.number, stage: result.stage })
      return
    }
    turn.isComplete = true
    finishTurn()
    onTurnEvent({ type: 'turn-played', turn: turn.number })
  }

  return {
    reply({ turn, to, interjects }: Command<'reply'>, marks: TurnMarks): void {
      finishTurn()
      written = written.then(() => history.setPending(to, marks.caller))
      const reply = sources.reply(written)
      start(turn, interjects ? sources.interjected(reply) : reply, { marks, isReply: true })
    },
    /** The caller goes on: the reply is dropped, and so is what it answered. */
    takeBack(turn: number): void {
      if (current?.number === turn) finishTurn(true)
    },
    /** What the caller said is final. */
    commitCaller(): void {
      written = written.then(() => history.commitPending())
    },
    tellLateResult({ turn }: Command<'tell-late-result'>, marks: TurnMarks): void {
      finishTurn()
      start(turn, sources.lateResult(written), { marks })
    },
    open({ turn, to }: Command<'open'>, marks: TurnMarks): void {
      finishTurn()
      start(turn, sources.opening(addCaller(to, marks.caller)), { marks })
    },
    /** The prompt if the caller has finished with this. */
    promptFor: (to: string): Promise<Message[]> => written.then(() => running.withResults(history.forModel(to))),
    leaveMessage({ turn, to }: Command<'leave-message'>, text: string, marks: TurnMarks): void {
      finishTurn()
      void addCaller(to, marks.caller)
      start(turn, () => sources.text(text), { marks })
    },
    /** For the model an operator's text is the agent's. */
    sayForOperator({ turn, to, text }: Command<'say-for-operator'>, marks: TurnMarks): void {
      finishTurn()
      void addCaller(to, marks.caller)
      start(turn, () => parts.sentences(sources.text(text)), { marks, isOperator: true })
    },
    say({ turn, phrase, times, to = '' }: Command<'say'>, marks: TurnMarks): void {
      finishTurn()
      void addCaller(to, marks.caller)
      start(turn, () => sources.text(sources.phrase(phrase, times)), { marks })
    },
    playFiller(turn: number, times: number): void {
      if (current?.number === turn) current.playout.playFiller(() => sources.phrase('filler', times))
    },
    volume(gain: number): void {
      transport.volume?.(gain)
      current?.playout.volume(gain)
    },
    stop(turn: number, isFinal: boolean): void {
      if (current?.number !== turn) return
      if (isFinal) {
        finishTurn()
        return
      }
      current.isPaused = true
      current.playout.pause()
    },
    resume(number: number): void {
      const turn = current
      if (turn?.number !== number) return
      turn.isPaused = false
      const result = turn.ended
      if (result) queueMicrotask(() => current === turn && ended(turn, result))
      else if (!turn.playout.resume()) void play(turn)
    },
    /** Resolves when everything that was said is in the history. */
    async end(lastWords: string, timing: SpeechTiming | null): Promise<void> {
      finishTurn()
      running.close()
      await addCaller(lastWords, timing)
    },
  }
}

type StartOptions = { marks: TurnMarks; isReply?: boolean; isOperator?: boolean }

/** Only for a reply to something spoken, if any of it was heard. */
function timestampsOf({ number, playout, marks, isReply, synthesizedAt }: Turn): TurnTimestamps | null {
  const { caller, ...rest } = marks
  if (!isReply || !caller || synthesizedAt === null) return null
  const agent = playout.timing()
  const { startedAt: heardAt, sentAt } = agent ?? { startedAt: synthesizedAt, sentAt: synthesizedAt }
  // The recording is the better measure where it has both: incoming audio arrives here a little late.
  const gapMs = agent?.recorded && caller.recorded ? agent.recorded.fromMs - caller.recorded.toMs : null
  const speechEndedAt = gapMs === null ? caller.endedAt : heardAt - gapMs
  return { type: 'turn', turn: number, ...rest, speechEndedAt, synthesizedAt, sentAt, heardAt }
}
