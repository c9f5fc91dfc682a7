// A voice session: turns audio and digits into turn events, and executes the turn machine's commands. All decisions are in turn/machine.ts.

import { waitAtMost } from '../base/concurrency/abort.ts'
import { dictatedSoFar, expectationFromHistory } from '../dictation/collect-history.ts'
import type { AgentTurnEvent, AgentTurnsOptions, AgentTurnsParts, TurnMarks } from './agent-turn-types.ts'
import { agentTurns } from './agent-turns.ts'
import { answeringMachineDetector } from './amd/amd.ts'
import type { AnsweredBy } from './amd/classifier.ts'
import { expectedWords } from './expected-words.ts'
import type { Clock, Message, SessionEndReason, SpeechChange, Stt, Transcript, TurnModel, Vad } from './ports.ts'
import { namedTimers } from './timers.ts'
import { type Transcriber, transcriber } from './transcriber.ts'
import { callerTiming } from './turn/caller-timing.ts'
import { commandRunner } from './turn/commands.ts'
import { expectationOf } from './turn/expectation.ts'
import { step } from './turn/machine.ts'
import { spokenSoFar } from './turn/partials.ts'
import { endOfTurnPredictor, TURN_MODEL_AUDIO_MS, TURN_MODEL_MS } from './turn/prediction.ts'
import { preemptiveGeneration } from './turn/preemptive-generation.ts'
import { addedText, wholeText } from './turn/recognition.ts'
import type { TurnRules } from './turn/rules.ts'
import { initialState, type TimerName, type TurnEvent, type TurnState } from './turn/state.ts'
import { type AmdInput, UtteranceDetector } from './utterance-detector.ts'

export type SessionParts = Omit<AgentTurnsParts, 'onEvent' | 'onTurnEvent' | 'lineRateHz' | 'isUnclear'> & {
  vad: Vad
  stt: Stt
  /** Predicts whether the caller has finished; without one the transcript decides. */
  turnModel?: TurnModel
  onEvent: (event: SessionEvent) => void
  /** Called once, when the session has started. */
  onReady?: (control: SessionControl) => void
}

/** What an operator can do with a running session. */
export type SessionControl = {
  /** Has the agent say this: at once, even over speech, or when the floor is free. Refused once the agent can no longer speak. */
  say(text: string, isUrgent: boolean): 'said' | 'queued' | 'refused'
  /** Silences the agent during a transfer; false if it is already suspended or hanging up. */
  suspend(): boolean
  /** The transfer failed: the agent tells the caller and the conversation continues. */
  resume(): void
  end(reason: SessionEndReason): void
}

export type SessionOptions = AgentTurnsOptions & {
  rules: TurnRules
  /** Gives the called person time to say hello before the opening. */
  openingDelayMs?: number
  hints?: readonly string[]
  endPhrases?: readonly string[]
}

/** Times are of the session's clock. */
export type SessionEvent =
  | AgentTurnEvent
  | { type: 'error'; stage: 'turn' | 'vad'; error: unknown }
  | { type: 'state'; state: 'listening' | 'thinking' | 'speaking' }
  /** Who answered an outbound call; sent again when the result changes. */
  | { type: 'amd-result'; by: AnsweredBy }

export type SessionEnd = { endReason: SessionEndReason; endDetail?: string }

/** Time limit for recognizing the caller's last words when the call ends. */
const LAST_WORDS_MS = 2000
/** A pause this long may end the turn: recognition starts before that is certain. */
const EARLY_RECOGNITION_MS = 32

export async function runSession(
  parts: SessionParts,
  options: SessionOptions,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const { clock, onEvent, transport, tools } = parts
  const { language } = options
  const rulesNow = rulesOf(options, parts)
  const end = Promise.withResolvers<SessionEnd>()
  const endWith = (endReason: SessionEndReason) => end.resolve({ endReason })
  const last = { speechEndKnownAt: 0, recognizedAt: 0 }
  /** What the caller has said since the agent took its last turn. */
  let isUnclear = false
  let state = initialState
  let isOver = false
  let lastAgentText = ''

  const amd = options.amd && detectAnsweringMachine(take, onEvent)
  const detector = utteranceDetector(parts, { onSpeech, take, amd })
  const timing = callerTiming(detector)
  const vocabulary = expectedWords(options.systemPrompt, tools)
  const recognition = transcriber({
    detector,
    stt: parts.stt,
    options,
    expected: vocabulary.current,
    lastAgentText: () => lastAgentText,
    onPartial: (text) => take({ type: 'partial-transcript', text }),
    onTranscript,
    onError: (error) => onEvent({ type: 'error', stage: 'recognition', error }),
  })
  const predictor = endOfTurnPredictor({
    turnModel: parts.turnModel,
    clock,
    detector,
    onPrediction: (number, probability) =>
      take({ type: 'end-of-turn', recognition: number, probability, atMs: detector.liveMs }),
    onError: (error) => !isOver && onEvent({ type: 'error', stage: 'turn', error }),
  })
  const timers = namedTimers<TimerName>(clock, (name) => take({ type: 'timer', name }))
  const llm = preemptiveGeneration(parts.llm)
  const lineRateHz = () => detector.rateHz
  const agentParts = { ...parts, llm, onTurnEvent: take, lineRateHz, isUnclear: () => isUnclear, onAgentText }
  const agent = agentTurns(agentParts, options)
  const run = commandRunner({ agent, recognition, predictor, llm, timers, tools, language, onHangup: endWith })

  function onTranscript(recognition: number, transcript: Transcript | null): void {
    last.recognizedAt = clock.now()
    const { text, hasSpeech } = transcript ?? { text: '' }
    if (text !== '') isUnclear = transcript?.isUnclear ?? false
    const hasFailed = transcript === null
    take({ type: 'transcript', recognition, text, hasFailed, hasSpeech, atMs: detector.liveMs })
    amd?.transcript(text)
  }

  function onSpeech(change: SpeechChange): void {
    const { isSpeaking: on, voicedMs, nowMs, relativeDb, prosody } = change
    const atMs = timing.speechChanged(change)
    if (!on) last.speechEndKnownAt = clock.now()
    take({ type: 'speech', on, atMs, voicedMs, nowMs, relativeDb, prosody })
    if (on) timing.turnStarted(atMs, state.transcriptFromMs !== atMs)
    else recognition.stopStream()
    amd?.speech(on, atMs)
  }

  function onAgentText(text: string, history: readonly Message[]): void {
    lastAgentText = text
    vocabulary.agentSaid(text, history)
    const expected = expectationFromHistory(history) ?? expectationOf(text, language)
    take({ type: 'expectation', expected, dictated: dictatedSoFar(history) })
  }

  function take(event: TurnEvent): void {
    if (isOver) return
    const before = state
    const next = step(state, event, rulesNow())
    state = next.state
    const phase = phaseOf(state)
    if (phase !== phaseOf(before) && phase !== 'ended') onEvent({ type: 'state', state: phase })
    // When the agent replies, the transcript moves into the history.
    const text = spokenSoFar(state)
    const isAnswered = text === '' && state.turn !== before.turn
    if (text !== spokenSoFar(before) && !isAnswered) parts.onSpeaking?.({ who: 'caller', text })
    for (const command of next.commands) run(command, () => marksOf(before))
    if (state.turn !== before.turn) isUnclear = false
    // Speech to another person, or of a voicemail, is not transcribed.
    if (isDeaf(state)) recognition.stopStream()
  }

  const timingOf = ({ transcriptFromMs }: TurnState) => (transcriptFromMs === null ? null : timing.current())
  const marksOf = (before: TurnState): TurnMarks => ({
    caller: timingOf(before),
    ...last,
    repliedAt: clock.now(),
    firstWordAt: 0,
    toolMs: 0,
  })

  async function close(): Promise<void> {
    const before = state
    take({ type: 'caller-left' })
    isOver = true
    recognition.cancel()
    llm.cancelEarly()
    timers.disarmAll()
    // The caller's last words belong in the transcript even if nobody answers them.
    const lastWords = await lastWordsOf(before, recognition, clock)
    recognition.stopStream()
    await agent.end(`${lastWords} ${before.digits}`.trim(), timingOf(before))
    if (signal.aborted) await Promise.all([listening, dtmf])
  }

  const control = sessionControl({
    take,
    state: () => state,
    // Do not answer what the caller said to the transfer target.
    releaseAudio: () => detector.release(detector.nowMs),
    end: endWith,
  })

  const callerLeft = () => endWith('caller_hangup')
  if (signal.aborted) callerLeft()
  else signal.addEventListener('abort', callerLeft, { once: true })
  /** The caller is still on the line, but the agent can no longer hear them. */
  const vadFailed = (error: unknown) => {
    if (isOver || signal.aborted) return callerLeft()
    onEvent({ type: 'error', stage: 'vad', error })
    end.resolve({ endReason: 'stt_error', endDetail: 'Voice activity detection failed' })
  }
  const listening = detector.listen(transport).then(callerLeft, vadFailed)
  const dtmf = eachDigit(transport.digits, (digit) => take({ type: 'digit', digit }))
  take({ type: 'begin', speaks: speaksFirst(options), afterMs: options.openingDelayMs ?? 0 })
  parts.onReady?.(control)
  const result = await end.promise
  signal.removeEventListener('abort', callerLeft)
  await close()
  return result
}

/** What the caller said last, if the call ends in the middle of their turn. */
async function lastWordsOf(before: TurnState, recognition: Transcriber, clock: Clock): Promise<string> {
  if (!before.isCallerSpeaking && !before.isRecognizing) return before.transcript
  const text = await waitAtMost(LAST_WORDS_MS, recognition.lastWords(), clock)
  recognition.cancel()
  if (!text) return spokenSoFar(before)
  return before.answered ? addedText(before, text) : wholeText(before, text)
}

const speaksFirst = ({ opening, preface }: SessionOptions) => opening !== null || preface !== undefined

type DetectorParts = {
  onSpeech: (change: SpeechChange) => void
  take: (event: TurnEvent) => void
  amd: AmdInput | undefined
}

const utteranceDetector = ({ vad, turnModel, clock }: SessionParts, { onSpeech, take, amd }: DetectorParts) =>
  new UtteranceDetector(
    vad,
    {
      onSpeech,
      onSpeechPause: (on, voicedMs) => take({ type: 'speech-pause', on, voicedMs }),
      onSpeechCandidate: (on, evidence) => take({ type: 'speech-candidate', on, evidence }),
    },
    { ...(turnModel ? { keepMs: TURN_MODEL_AUDIO_MS } : {}), ...(amd ? { amd } : {}), now: () => clock.now() },
  )

type ControlParts = {
  take: (event: TurnEvent) => void
  state: () => TurnState
  releaseAudio: () => void
  end: SessionControl['end']
}

function sessionControl({ take, state, releaseAudio, end }: ControlParts): SessionControl {
  return {
    say(text, isUrgent) {
      const before = state()
      take({ type: 'operator-say', text, isUrgent })
      if (state().turn !== before.turn) return 'said'
      return state().operatorTexts.length > before.operatorTexts.length ? 'queued' : 'refused'
    },
    suspend() {
      const wasSuspended = state().mode.name === 'transferring'
      take({ type: 'transfer-started' })
      return state().mode.name === 'transferring' && !wasSuspended
    },
    resume() {
      releaseAudio()
      take({ type: 'transfer-failed' })
    },
    end,
  }
}

/** Evaluated for each event: failover may switch from a vendor's recognizer to the embedded one between utterances. */
function rulesOf(
  { rules, endPhrases, amd, language }: SessionOptions,
  { turnModel, stt }: Pick<SessionParts, 'turnModel' | 'stt'>,
): () => TurnRules {
  const common: TurnRules = {
    ...rules,
    language,
    endPhrases: endPhrases ?? rules.endPhrases,
    turnModelMs: turnModel ? TURN_MODEL_MS : 0,
    // Never talk into a voicemail greeting.
    openingDeadlineMs: amd ? 0 : rules.openingDeadlineMs,
  }
  const embedded: TurnRules = { ...common, earlyRecognitionMs: EARLY_RECOGNITION_MS }
  const live: TurnRules = { ...common, hasLiveRecognition: true }
  // A recognizer billed by the minute gets speech only: live, or once the speech has ended.
  return () => (stt.isEmbedded ? embedded : stt.isLive ? live : common)
}

function phaseOf({ mode }: TurnState): 'listening' | 'thinking' | 'speaking' | 'ended' {
  return mode.name === 'thinking' || mode.name === 'speaking' || mode.name === 'ended' ? mode.name : 'listening'
}

const isDeaf = ({ mode }: TurnState) => mode.name === 'transferring' || mode.name === 'voicemail-greeting'

const detectAnsweringMachine = (take: (event: TurnEvent) => void, onEvent: SessionParts['onEvent']) =>
  answeringMachineDetector({
    onAnsweredBy(by, isByWords, atMs) {
      onEvent({ type: 'amd-result', by })
      take({ type: 'amd-result', by, isByWords, atMs })
    },
    onSuspected: () => take({ type: 'voicemail-suspected' }),
    onWaiting: (isWaiting) => take({ type: 'call-progress', isWaiting }),
    onEnd: (reason) => take({ type: 'line-ended', reason }),
    onBeep: () => take({ type: 'beep' }),
  })

async function eachDigit(digits: AsyncIterable<string>, onDigit: (digit: string) => void): Promise<void> {
  try {
    for await (const digit of digits) onDigit(digit)
  } catch {
    // Without DTMF the conversation goes on by voice.
  }
}
