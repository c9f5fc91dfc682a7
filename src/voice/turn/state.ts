// The state of turn taking, the events that change it and the commands it issues. Types and the initial state.
import type { AnsweredBy } from '../amd/classifier.ts'
import type { FinalProsody, SessionEndReason } from '../ports.ts'
import { initialRhythm, type Rhythm } from './endpointing.ts'
import type { Expectation } from './expectation.ts'

export const timerNames = [
  'opening', // say the opening even if nobody has said hello
  'opening-deadline', // say the opening even into speech
  'endpointing', // the pause is long enough: the caller has finished
  'interrupt', // enough speech over the agent to be an interruption
  'resume', // no words followed: it was a false interruption
  'take-back', // the reply has been audible for so long that it is no longer taken back
  'early-recognition', // a pause within speech: it may be the end of the turn
  'stable-partial', // the partial transcript has not changed in a pause within speech
  'overlap', // transcribe what is said over the agent although the speech goes on
  'max-utterance', // transcribe what was heard so far although the turn goes on
  'recognition',
  'backchannel', // too long ago to count as an answer
  'digits',
  'idle',
  'silence',
  'filler',
  'reply',
  'max-duration',
  'voicemail-silence', // the greeting has ended without a tone
  'voicemail-max', // the greeting does not end: leave the message now
] as const
export type TimerName = (typeof timerNames)[number]

export type TurnKind = 'reply' | 'opening' | 'reminder' | 'phrase' | 'late-tool-result' | 'operator'

/** One turn of the agent, from the moment it gets the floor until it is played, dropped or has failed. */
export type AgentTurn = {
  readonly kind: TurnKind
  /** Some of it was played. */
  readonly hasPlayed: boolean
  /** It waits for a tool, at most this long; null: it does not. */
  readonly toolWaitMs: number | null
  /** How often it was paused by speech before anything of it was played. */
  readonly falseStarts: number
  readonly fillers: number
  /** An operator's text that was started over the caller's speech, which therefore does not interrupt it. */
  readonly isUrgent: boolean
  /** The operator's text, of a turn of that kind. */
  readonly operatorText: string
}

/** Exclusive situations, each with the fields that mean something only there. */
export type TurnMode =
  /** `hasEarlyReply`: the model is already generating a reply to the transcript so far. */
  | { readonly name: 'listening'; readonly hasEarlyReply: boolean }
  | ({ readonly name: 'thinking' } & AgentTurn)
  | ({ readonly name: 'speaking'; readonly isDucked: boolean } & AgentTurn)
  /** Speech has paused the turn; it resumes if no words come of it. */
  | ({ readonly name: 'paused' } & AgentTurn)
  /** The call was transferred, or is being: the agent is silent unless that fails. */
  | { readonly name: 'transferring' }
  /** A voicemail has answered; the agent waits for its tone. */
  | { readonly name: 'voicemail-greeting' }
  | { readonly name: 'ended' }

/** Those in which the agent has a turn. */
export type AgentTurnMode = Extract<TurnMode, AgentTurn>

export type TurnState = {
  readonly mode: TurnMode
  /** Number of the agent's latest turn: events of older ones are ignored. */
  readonly turn: number
  readonly isCallerSpeaking: boolean
  /** Possibly speech; not long enough to be sure. */
  readonly isSpeechCandidate: boolean
  /** When the caller's speech last started or ended, in media time. */
  readonly speechChangedAtMs: number
  /** The caller's latest speech without its pauses. */
  readonly voicedMs: number
  /** How often this turn of the caller was transcribed because it did not end. */
  readonly probes: number
  /** Number of the latest recognition: transcripts of older ones are ignored. */
  readonly recognition: number
  readonly isRecognizing: boolean
  /** The caller went on after the audio that is being recognized. */
  readonly isRecognitionPartial: boolean
  /** The current pause within speech is being recognized, or was; null: it is not. */
  readonly earlyRecognition: { readonly transcript: Recognized | null } | null
  /** The caller speaks, but has paused for a moment. */
  readonly isInPause: boolean
  /** The pending audio as recognized while it is spoken; empty once its transcript is there. */
  readonly partial: string
  /** The timer of the caller's turn runs. */
  readonly isTurnTimed: boolean
  /** What the caller has said since the agent last got the floor, and where that started, in media time. */
  readonly transcript: string
  readonly transcriptFromMs: number | null
  /** The part of it that is not recognized again: its audio was released. */
  readonly committed: string
  /** What the pending audio was recognized as when the caller last paused. */
  readonly heardBefore: string
  /** Where the pending audio starts: speech that is recognized again when more follows. */
  readonly pendingFromMs: number | null
  /** What the agent's reply answers, while it can be taken back because the caller goes on. */
  readonly answered: { readonly text: string; readonly fromMs: number } | null
  /** What the agent's last words ask for. */
  readonly expected: Expectation | null
  /** What earlier turns have dictated of the expected value. */
  readonly dictated: string
  /** Of the caller's latest speech; its level against their own, null where that is not known. */
  readonly prosody: FinalProsody | null
  readonly relativeDb: number | null
  /** Consecutive utterances without recognizable words. */
  readonly notUnderstood: number
  /** The pause after which the agent took its turn, from the caller's last sound. */
  readonly waitedMs: number
  /** The caller's pause before the speech being recognized, if that continues the turn; and their rhythm. */
  readonly lastPauseMs: number | null
  readonly rhythm: Rhythm
  /** Early replies generated for this turn of the caller, and what the latest answers. */
  readonly earlyReplies: number
  readonly earlyReplyTo: string
  /** DTMF digits of a number that is not complete. */
  readonly digits: string
  /** A backchannel said over the agent a moment ago. */
  readonly backchannel: string
  readonly reminders: number
  readonly failures: number
  /** Time without a word from the caller; reminders do not restart it. */
  readonly silence: 'off' | 'running' | 'passed'
  /** The opening is still to be said: the caller spoke before it. */
  readonly owesOpening: boolean
  /** The announcement that the call must end soon. */
  readonly warning: 'none' | 'due' | 'given'
  /** Hang up with this reason once the agent's turn was played. */
  readonly hangupReason: SessionEndReason | null
  /** Tools are running, also those of earlier turns. */
  readonly areToolsRunning: boolean
  /** A tool of an earlier turn has a result the caller has not been told. */
  readonly hasLateToolResult: boolean
  /** What an operator wants said, in order, when the floor is free. */
  readonly operatorTexts: readonly string[]
  /** A voicemail may have answered: timers that would make the agent speak are kept until that is known. */
  readonly suspectedVoicemail: { readonly heldTimers: readonly TimerName[] } | null
  /** The message left on a voicemail; played once more if the tone came only during it. */
  readonly voicemailMessage: 'none' | 'first' | 'repeated'
}

/** `atMs`: media time now. `hasSpeech`: undefined where the STT cannot tell. */
export type Recognized = {
  readonly text: string
  readonly atMs: number
  readonly hasFailed?: boolean
  readonly hasSpeech?: boolean | undefined
}

export type TurnEvent =
  | { type: 'begin'; speaks: boolean; afterMs: number }
  /** `atMs`: where speech started or ended; `nowMs`: media time now, if that is later. `relativeDb`: its level against the caller's own. */
  | {
      type: 'speech'
      on: boolean
      atMs: number
      voicedMs: number
      nowMs?: number
      prosody?: FinalProsody | null
      relativeDb?: number | null
    }
  /** Possible speech, too short so far to be sure; or it was none. `isStrong`: voiced, and as loud as the caller. */
  | { type: 'speech-candidate'; on: boolean; isStrong?: boolean }
  /** A pause within speech that may become its end; or speech continues. `voicedMs`: speech so far. */
  | { type: 'speech-pause'; on: boolean; voicedMs: number }
  /** The pending audio was transcribed; empty for noise, or for speech without recognizable words. `atMs` is media time now. */
  | ({ type: 'transcript'; recognition: number } & Recognized)
  /** The pending audio as far as it is recognized while the caller speaks; replaces the one before. */
  | { type: 'partial-transcript'; text: string }
  /** What the agent has just asked for. */
  | { type: 'expectation'; expected: Expectation | null; dictated?: string }
  /** The turn model's probability that the caller has finished. */
  | { type: 'end-of-turn'; recognition: number; probability: number; atMs: number }
  | { type: 'voicemail-suspected' }
  /** Who answered an outbound call. `atMs` is media time now. */
  | { type: 'amd-result'; by: AnsweredBy; atMs: number }
  /** The tone after which a voicemail records. */
  | { type: 'beep' }
  | { type: 'digit'; digit: string }
  | { type: 'timer'; name: TimerName }
  | { type: 'playout-started'; turn: number }
  /** Everything synthesized so far was played, and more is to come. */
  | { type: 'underrun'; turn: number }
  /** The turn waits for a tool, at most this long; or no longer. */
  | { type: 'tool-wait'; turn: number; on: boolean; timeoutMs?: number }
  | { type: 'tools-running'; areRunning: boolean }
  /** A running tool has a "this takes a while" message to say. */
  | { type: 'delayed-message' }
  | { type: 'filler-played'; turn: number }
  /** A tool has a result that no turn waits for. */
  | { type: 'late-tool-result' }
  /** Hang up once this turn was played. */
  | { type: 'hang-up-after-turn'; turn: number; reason: SessionEndReason }
  /** A tool of this turn has transferred the call. */
  | { type: 'transferred'; turn: number }
  /** Text an operator wants said: at once, or when the floor is free. */
  | { type: 'operator-say'; text: string; isUrgent: boolean }
  /** An operator transfers the call. */
  | { type: 'transfer-started' }
  | { type: 'transfer-failed' }
  /** The whole turn was played. */
  | { type: 'turn-played'; turn: number }
  /** The rest of the turn cannot be said. */
  | { type: 'turn-failed'; turn: number; stage: 'model' | 'synthesis' }
  | { type: 'caller-left' }

export type Phrase =
  | 'filler'
  | 'reminder'
  | 'apology'
  | 'goodbye'
  | 'farewell'
  | 'not-heard'
  /** There was speech, and no words were recognized. */
  | 'not-understood'
  /** Before what the agent must say to a caller who does not pause. */
  | 'interject'
  | 'warning'
  | 'not-transferred'

export type TurnCommand =
  /** Transcribe the pending audio: all speech since it was last released. Urgent: the agent is being spoken over. */
  | { do: 'recognise'; recognition: number; isUrgent: boolean }
  | { do: 'cancel-recognition' }
  /** Recognize the pending audio and what follows while it is spoken. */
  | { do: 'stream-speech'; isUrgent: boolean }
  /** What was recognized is not heard again. */
  | { do: 'release-audio' }
  /** Ask the turn model whether the caller has finished, from the audio since `fromMs`. */
  | { do: 'predict-end-of-turn'; recognition: number; fromMs: number; text: string }
  /** Preemptive generation: the caller may have finished with this. */
  | { do: 'generate-early'; to: string }
  | { do: 'cancel-early' }
  /** `to` is what the caller has said, here and below. `interjects`: they have not stopped. */
  | { do: 'reply'; turn: number; to: string; interjects: boolean }
  /** The caller has not finished: the reply is dropped as if it had never been started. */
  | { do: 'take-back'; turn: number }
  | { do: 'tell-late-result'; turn: number }
  | { do: 'say-for-operator'; turn: number; to: string; text: string }
  | { do: 'open'; turn: number; to: string }
  | { do: 'leave-message'; turn: number; to: string }
  | { do: 'say'; turn: number; phrase: Phrase; times: number; to?: string }
  | { do: 'play-filler'; turn: number; times: number }
  /** Silence the turn: for good, or until it is resumed. */
  | { do: 'stop'; turn: number; isFinal: boolean }
  | { do: 'resume'; turn: number }
  | { do: 'duck' }
  | { do: 'unduck' }
  | { do: 'arm'; timer: TimerName; ms: number }
  | { do: 'disarm'; timer: TimerName }
  | { do: 'hang-up'; reason: SessionEndReason }

/** Those that start a turn of the agent. */
export type StartCommand = Extract<
  TurnCommand,
  { do: 'reply' | 'tell-late-result' | 'say-for-operator' | 'open' | 'leave-message' | 'say' }
>

export type TurnStep = { readonly state: TurnState; readonly commands: readonly TurnCommand[] }

export const listening: TurnMode = { name: 'listening', hasEarlyReply: false }

export const initialState: TurnState = {
  mode: listening,
  turn: 0,
  isCallerSpeaking: false,
  isSpeechCandidate: false,
  speechChangedAtMs: 0,
  voicedMs: 0,
  probes: 0,
  recognition: 0,
  isRecognizing: false,
  isRecognitionPartial: false,
  earlyRecognition: null,
  isInPause: false,
  partial: '',
  isTurnTimed: false,
  transcript: '',
  transcriptFromMs: null,
  committed: '',
  heardBefore: '',
  pendingFromMs: null,
  answered: null,
  expected: null,
  dictated: '',
  prosody: null,
  relativeDb: null,
  notUnderstood: 0,
  waitedMs: 0,
  lastPauseMs: null,
  rhythm: initialRhythm,
  earlyReplies: 0,
  earlyReplyTo: '',
  digits: '',
  backchannel: '',
  reminders: 0,
  failures: 0,
  silence: 'off',
  owesOpening: false,
  warning: 'none',
  hangupReason: null,
  areToolsRunning: false,
  hasLateToolResult: false,
  operatorTexts: [],
  suspectedVoicemail: null,
  voicemailMessage: 'none',
}
