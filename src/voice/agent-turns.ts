// The agent's turns: sentences from a model or a phrase, played out, and added to the history as far as they were heard.

import { CANCELLED } from '../base/concurrency/abort.ts'
import type { AgentTurnsOptions, AgentTurnsParts, TurnMarks, TurnTimestamps } from './agent-turn-types.ts'
import { conversationHistory, type SpeechTiming } from './history.ts'
import { type PlayoutEnd, type PlayoutParts, type SpeechPlayout, speechPlayout } from './playout/speech-playout.ts'
import type { Message } from './ports.ts'
import { toolCalls } from './tool-calls.ts'
import { turnSources } from './turn/sources.ts'
import type { StartCommand } from './turn/state.ts'

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
  /** The history is written in order: the agent's words before the caller's next. */
  let written: Promise<void> = Promise.resolve()
  let current: Turn | undefined
  const speakingRate = { letters: 0, ms: 0 }

  /**
   * Ends the current turn: only what the caller heard of it goes into the history. Taken back: the caller had not finished,
   * so the text it answered becomes part of what they say now.
   */
  function finishTurn(isTakenBack = false): void {
    const turn = current
    if (!turn) return
    current = undefined
    turn.stopped.abort(CANCELLED)
    const ended = turn.playout.end()
    void write(async () => {
      await ended
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

  /** Changes the history after all earlier changes. */
  function write(change: () => void | Promise<void>): Promise<void> {
    written = written.then(change)
    return written
  }

  function start(command: StartCommand, marks: TurnMarks, isUnclear = parts.isUnclear()): void {
    finishTurn()
    const number = command.turn
    const to = ('to' in command && command.to) || ''
    const ready = write(() => history[command.do === 'reply' ? 'setPending' : 'addCaller'](to, marks.caller, isUnclear))
    const toolMessages: Message[] = []
    const stopped = new AbortController()
    const drained = () => playout.drained()
    const sentences = sources.sentencesOf(command, {
      number,
      ready,
      toolMessages,
      signal: stopped.signal,
      marks,
      drained,
    })
    const playout = turnPlayout(sentences, { ...parts, number, speakingRate, onStarted })
    const turn: Turn = {
      number,
      playout,
      toolMessages,
      stopped,
      marks,
      isReply: command.do === 'reply',
      isOperator: command.do === 'say-for-operator',
      isComplete: false,
      isPaused: false,
      ended: null,
      synthesizedAt: null,
    }
    function onStarted(): void {
      turn.synthesizedAt ??= clock.now()
      onTurnEvent({ type: 'playout-started', turn: number })
    }
    current = turn
    void play(turn)
  }

  async function play(turn: Turn): Promise<void> {
    const result = await turn.playout.speak()
    if (current !== turn || result.end === 'stopped') return
    // A turn that ends while it is paused reports that when it is resumed.
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
    start,
    /** The caller continues: the reply is dropped, together with the text it answered. */
    takeBack(turn: number): void {
      if (current?.number === turn) finishTurn(true)
    },
    /** What the caller said is final. */
    commitCaller(): void {
      void write(history.commitPending)
    },
    /** The prompt if the caller has finished with `to`. */
    promptFor: (to: string, isUnclear = parts.isUnclear()): Promise<Message[]> =>
      written.then(() => running.withResults(history.forModel(to, isUnclear))),
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
    /** Resolves when all that was said is in the history. */
    async end(lastWords: string, timing: SpeechTiming | null): Promise<void> {
      finishTurn()
      running.close()
      await write(() => history.addCaller(lastWords, timing))
    },
  }
}

type TurnPlayoutParts = AgentTurnsParts & Pick<PlayoutParts, 'speakingRate' | 'onStarted'> & { number: number }

function turnPlayout(
  sentences: AsyncIterable<string>,
  { number, transport, say, clock, lineRateHz, onEvent, onTurnEvent, onSpeaking, ...parts }: TurnPlayoutParts,
): SpeechPlayout {
  return speechPlayout(sentences, {
    play: (audio, signal) => transport.play(audio, signal),
    ...(transport.hold && { hold: (isHeld: boolean) => transport.hold?.(isHeld) }),
    say,
    sentenceTries: parts.sentenceTries,
    clock,
    speakingRate: parts.speakingRate,
    ...(lineRateHz && { lineRateHz }),
    onStarted: parts.onStarted,
    onError: (error) => onEvent({ type: 'error', stage: 'synthesis', error }),
    onUnderrun: () => onTurnEvent({ type: 'underrun', turn: number }),
    onFillerPlayed: () => onTurnEvent({ type: 'filler-played', turn: number }),
    onSentence: (sentence) => onSpeaking?.({ who: 'agent', ...sentence }),
  })
}

/** Null unless the turn replies to speech and some of it was heard. */
function timestampsOf({ number, playout, marks, isReply, synthesizedAt }: Turn): TurnTimestamps | null {
  const { caller, ...rest } = marks
  if (!isReply || !caller || synthesizedAt === null) return null
  const agent = playout.timing()
  const { startedAt: heardAt, sentAt } = agent ?? { startedAt: synthesizedAt, sentAt: synthesizedAt }
  // Where both are in the recording, it is more exact: incoming audio arrives here a little late.
  const gapMs = agent?.recorded && caller.recorded ? agent.recorded.fromMs - caller.recorded.toMs : null
  const speechEndedAt = gapMs === null ? caller.endedAt : heardAt - gapMs
  return { type: 'turn', turn: number, ...rest, speechEndedAt, synthesizedAt, sentAt, heardAt }
}
