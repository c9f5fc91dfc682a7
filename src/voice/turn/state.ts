// The turn machine's state, events and commands. Types and the initial state.
import type { AnsweredBy, LineEnd } from '../amd/classifier.ts'
import type { FinalProsody, SessionEndReason, SpeechEvidence } from '../ports.ts'
import { initialRhythm, type Rhythm } from './endpointing.ts'
import type { Expectation } from './expectation-words.ts'

export const timerNames = [
  'opening', // say the opening even if nobody has said hello
  'opening-deadline', // say the opening even into speech
  'endpointing', // the pause is long enough: the caller has finished
  'interrupt', // enough speech over the agent to be an interruption
  'resume', // no words followed: it was a false interruption
  'take-back', // the reply has been audible too long to be taken back
  'early-recognition', // a pause within speech that may end the turn
  'stable-partial', // the partial transcript has not changed in a pause within speech
  'overlap', // transcribe speech over the agent before it ends
  'max-utterance', // transcribe a long turn before it ends
  'recognition',
  'backchannel', // it is too old to count as an answer
  'digits',
  'idle',
  'silence',
  'filler',
  'reply',
  'max-duration',
  'voicemail-silence', // the greeting has ended without a tone
  'voicemail-max', // the greeting does not end: leave the message now; or there is still no AMD result
] as const
export type TimerName = (typeof timerNames)[number]

export type TurnKind = 'reply' | 'opening' | 'reminder' | 'phrase' | 'late-tool-result' | 'operator'

/** One turn of the agent, from taking the floor until it was played, dropped or has failed. */
export type AgentTurn = {
  readonly kind: TurnKind
  /** Part of it was played. */
  readonly hasPlayed: boolean
  /** How long it may wait for a tool; null if it does not wait. */
  readonly toolWaitMs: number | null
  /** How often speech paused it before any of it was played. */
  readonly falseStarts: number
  readonly fillers: number
  /** Started over the caller's speech, which therefore does not interrupt it. */
  readonly isUrgent: boolean
  /** The text, for kind `operator`. */
  readonly operatorText: string
}

/** Exclusive modes, each with its own fields. */
export type TurnMode =
  /** `hasEarlyReply`: the model is already generating a reply to the transcript so far. */
  | { readonly name: 'listening'; readonly hasEarlyReply: boolean }
  | ({ readonly name: 'thinking' } & AgentTurn)
  | ({ readonly name: 'speaking'; readonly isDucked: boolean } & AgentTurn)
  /** Speech has paused the turn; it resumes if no words come of it. */
  | ({ readonly name: 'paused' } & AgentTurn)
  /** A transfer is under way or done: the agent is silent unless it fails. */
  | { readonly name: 'transferring' }
  /** A voicemail has answered; the agent waits for its tone. */
  | { readonly name: 'voicemail-greeting' }
  | { readonly name: 'ended' }

/** The modes in which the agent has a turn. */
export type AgentTurnMode = Extract<TurnMode, AgentTurn>

export type TurnState = {
  readonly mode: TurnMode
  /** Number of the agent's latest turn: events of older turns are ignored. */
  readonly turn: number
  readonly isCallerSpeaking: boolean
  /** Sound that may be speech, too short so far to be sure. */
  readonly isSpeechCandidate: boolean
  /** What the current speech is, by its sound. */
  readonly evidence: SpeechEvidence
  /** When the caller's speech last started or ended, in media time. */
  readonly speechChangedAtMs: number
  /** The caller's latest speech without its pauses. */
  readonly voicedMs: number
  /** How often the caller's turn was transcribed because it did not end. */
  readonly probes: number
  /** Number of the latest recognition: older transcripts are ignored. */
  readonly recognition: number
  readonly isRecognizing: boolean
  /** The caller has continued past the audio being recognized. */
  readonly isRecognitionPartial: boolean
  /** Recognition that started in the current pause within speech; null if none did. */
  readonly earlyRecognition: { readonly transcript: Recognized | null } | null
  /** A short pause within the caller's speech. */
  readonly isInPause: boolean
  /** Partial transcript of the pending audio; empty once the final one is there. */
  readonly partial: string
  /** The agent interjected, and the caller has talked on since. */
  readonly talksOn: boolean
  /** The timer that limits the caller's turn is running. */
  readonly isTurnTimed: boolean
  /** What the caller has said since the agent last got the floor, and where that started, in media time. */
  readonly transcript: string
  readonly transcriptFromMs: number | null
  /** The part of it whose audio was released: it is not recognized again. */
  readonly committed: string
  /** Transcript of the pending audio at the caller's last pause. */
  readonly heardBefore: string
  /** Start of the pending audio: speech that is recognized again when more follows. */
  readonly pendingFromMs: number | null
  /** What the agent's reply answers, while that reply can still be taken back. */
  readonly answered: { readonly text: string; readonly fromMs: number } | null
  /** What the agent's last words ask for. */
  readonly expected: Expectation | null
  /** The part of the expected value that was dictated in earlier turns. */
  readonly dictated: string
  /** Of the caller's latest speech; `relativeDb`: relative to their usual level, null if unknown. */
  readonly prosody: FinalProsody | null
  readonly relativeDb: number | null
  /** Consecutive utterances without recognizable words. */
  readonly notUnderstood: number
  /** The pause between the caller's last sound and the agent's turn. */
  readonly waitedMs: number
  /** The pause before the speech being recognized, if that continues the turn; and the caller's rhythm. */
  readonly lastPauseMs: number | null
  readonly rhythm: Rhythm
  /** Number of early replies for this turn of the caller, and the text that the latest one answers. */
  readonly earlyReplies: number
  readonly earlyReplyTo: string
  /** DTMF digits of an incomplete number. */
  readonly digits: string
  /** A recent backchannel over the agent. */
  readonly backchannel: string
  readonly reminders: number
  readonly failures: number
  /** The timer of the caller's silence; reminders do not restart it. */
  readonly silence: 'off' | 'running' | 'passed'
  /** The agent speaks first; and the opening has not been said yet, or only while it still rang. */
  readonly opens: boolean
  readonly owesOpening: boolean
  /** The announcement that the call must end soon. */
  readonly warning: 'none' | 'due' | 'given'
  /** Hang up with this reason after the agent's turn. */
  readonly hangupReason: SessionEndReason | null
  /** Tools are running, possibly of earlier turns. */
  readonly areToolsRunning: boolean
  /** A tool of an earlier turn has a result that the caller has not heard. */
  readonly hasLateToolResult: boolean
  /** Texts of an operator, said in order when the floor is free. */
  readonly operatorTexts: readonly string[]
  /** A voicemail may have answered, or nobody yet: timers that would make the agent speak are held until that is known. */
  readonly answerPending: { readonly heldTimers: readonly TimerName[] } | null
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
  /** `atMs`: where speech started or ended; `nowMs`: media time now, if later. `relativeDb`: relative to the caller's usual level. */
  | {
      type: 'speech'
      on: boolean
      atMs: number
      voicedMs: number
      nowMs?: number
      prosody?: FinalProsody | null
      relativeDb?: number | null
    }
  /** Possible speech starts, or turned out to be none; or there is more evidence of what it is. */
  | { type: 'speech-candidate'; on: boolean; evidence?: SpeechEvidence }
  /** A pause within speech that may end it, or its continuation. `voicedMs`: speech so far. */
  | { type: 'speech-pause'; on: boolean; voicedMs: number }
  /** The pending audio was transcribed; empty for noise, or for speech without recognizable words. `atMs` is media time now. */
  | ({ type: 'transcript'; recognition: number } & Recognized)
  /** Partial transcript of the pending audio; replaces the previous one. */
  | { type: 'partial-transcript'; text: string }
  /** What the agent has just asked for. */
  | { type: 'expectation'; expected: Expectation | null; dictated?: string }
  /** The turn model's probability that the caller has finished. */
  | { type: 'end-of-turn'; recognition: number; probability: number; atMs: number }
  | { type: 'voicemail-suspected' }
  /** The telephone still rings, or music on hold plays; or no more. */
  | { type: 'call-progress'; isWaiting: boolean }
  /** Nobody is there to talk to. */
  | { type: 'line-ended'; reason: LineEnd }
  /** Who answered an outbound call. `atMs` is media time now. */
  | { type: 'amd-result'; by: AnsweredBy; isByWords: boolean; atMs: number }
  /** The voicemail's recording tone. */
  | { type: 'beep' }
  | { type: 'digit'; digit: string }
  | { type: 'timer'; name: TimerName }
  | { type: 'playout-started'; turn: number }
  /** Everything synthesized so far was played, and more will follow. */
  | { type: 'underrun'; turn: number }
  /** The turn starts to wait for a tool, at most `timeoutMs`, or stops waiting. */
  | { type: 'tool-wait'; turn: number; on: boolean; timeoutMs?: number }
  | { type: 'tools-running'; areRunning: boolean }
  /** A running tool has a message to say about its delay. */
  | { type: 'delayed-message' }
  | { type: 'filler-played'; turn: number }
  /** A tool has returned a result that no turn waits for. */
  | { type: 'late-tool-result' }
  /** Hang up after this turn. */
  | { type: 'hang-up-after-turn'; turn: number; reason: SessionEndReason }
  /** A tool of this turn has transferred the call. */
  | { type: 'transferred'; turn: number }
  /** An operator wants this said: at once, or when the floor is free. */
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
  /** There was speech, but no words were recognized. */
  | 'not-understood'
  /** The apology for interrupting a caller who does not pause. */
  | 'interject'
  | 'warning'
  | 'not-transferred'

export type TurnCommand =
  /** Transcribe the pending audio: all speech since it was last released. Urgent: the agent is being spoken over. */
  | { do: 'recognize'; recognition: number; isUrgent: boolean }
  | { do: 'cancel-recognition' }
  /** Start live recognition of the pending audio and what follows. */
  | { do: 'stream-speech'; isUrgent: boolean }
  /** The recognized audio is not recognized again. */
  | { do: 'release-audio' }
  /** Ask the turn model whether the caller has finished, from the audio since `fromMs`. */
  | { do: 'predict-end-of-turn'; recognition: number; fromMs: number; text: string }
  /** Preemptive generation: the caller may have finished with this. */
  | { do: 'generate-early'; to: string }
  | { do: 'cancel-early' }
  /** `to`, here and below: what the caller has said. `interjects`: they are still speaking. */
  | { do: 'reply'; turn: number; to: string; interjects: boolean }
  /** The caller had not finished: drop the reply as if it had never started. */
  | { do: 'take-back'; turn: number }
  | { do: 'tell-late-result'; turn: number }
  | { do: 'say-for-operator'; turn: number; to: string; text: string }
  | { do: 'open'; turn: number; to: string }
  | { do: 'leave-message'; turn: number; to: string }
  | { do: 'say'; turn: number; phrase: Phrase; times: number; to?: string }
  | { do: 'play-filler'; turn: number; times: number }
  /** Silence the turn, for good or until it is resumed. */
  | { do: 'stop'; turn: number; isFinal: boolean }
  | { do: 'resume'; turn: number }
  | { do: 'duck' }
  | { do: 'unduck' }
  | { do: 'arm'; timer: TimerName; ms: number }
  | { do: 'disarm'; timer: TimerName }
  | { do: 'hang-up'; reason: SessionEndReason }

/** The commands that start a turn of the agent. */
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
  evidence: 'none',
  speechChangedAtMs: 0,
  voicedMs: 0,
  probes: 0,
  recognition: 0,
  isRecognizing: false,
  isRecognitionPartial: false,
  earlyRecognition: null,
  isInPause: false,
  partial: '',
  talksOn: false,
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
  opens: false,
  owesOpening: false,
  warning: 'none',
  hangupReason: null,
  areToolsRunning: false,
  hasLateToolResult: false,
  operatorTexts: [],
  answerPending: null,
  voicemailMessage: 'none',
}
