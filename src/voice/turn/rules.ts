// Timing of turn taking in milliseconds; `endpointing.ts` says how long a pause ends a turn.

export type TurnRules = {
  interruptible: boolean
  /** Bounds of the pause that ends a turn. */
  minPauseMs: number
  maxPauseMs: number
  /** Preemptive generation: start the reply during the pause; at most so often per turn, and only for turns this short. */
  speculate: boolean
  maxEarlyReplies: number
  earlyReplyMaxSpeechMs: number
  /** How long the turn model may take; 0: there is none. */
  turnModelMs: number
  /** This much speech, or this many words, interrupt the agent. Speech as loud as the caller's own pauses it at once. */
  interruptAfterMs: number
  interruptAfterWords: number
  /** Without words so long after brief speech it was a false interruption; and after speech that is long enough to interrupt. */
  resumeAfterMs: number
  resumeAfterLongMs: number
  /** Speech over a paused agent is transcribed after this long although it goes on. */
  overlapProbeMs: number
  /** A reply that has been audible for less than this is taken back if the caller goes on. */
  takeBackMs: number
  /** A pause within speech this long is transcribed: it may be the end of the turn. 0: never. */
  earlyRecognitionMs: number
  /** Speech is recognized while it is spoken: its partial transcripts come as events. */
  hasLiveRecognition: boolean
  /** In a pause, a partial transcript that has not changed for this long is worth an early reply. */
  stablePartialMs: number
  /** Turns of the caller longer than this are not recognized as one piece. */
  maxJoinedMs: number
  /** The opening is said by then, even into speech; 0: it waits. */
  openingDeadlineMs: number
  /** Speech this long without words is asked about where the STT cannot tell whether it was speech. */
  notUnderstoodMs: number
  maxNotUnderstood: number
  /** How often speech without words may delay a reply of which nothing was played. */
  maxFalseStarts: number
  /** A backchannel this shortly before the end of the agent's turn answers it. */
  backchannelMs: number
  /** A turn this long is transcribed before it ends; after `maxProbes` times the agent interjects. */
  maxUtteranceMs: number
  maxProbes: number
  recognitionTimeoutMs: number
  /** Digits closer together than this are one number. */
  digitGapMs: number
  idleReminderMs: number
  maxReminders: number
  silenceHangupMs: number
  maxDurationMs: number
  warnBeforeMs: number
  /** Silence before the first filler, and between fillers. */
  fillerMs: number
  nextFillerMs: number
  maxFillers: number
  /** How long the agent may take to become audible, and how long while a tool runs. */
  replyTimeoutMs: number
  toolTimeoutMs: number
  maxFailures: number
  voicemail: 'hangup' | 'message' | 'ignore'
  /** Without a tone the message is left after this much silence, or this long after the voicemail was detected. */
  voicemailSilenceMs: number
  voicemailMaxMs: number
  /** BCP 47; '' where it is not known. */
  language: string
  /** What the caller says to end the call. */
  endPhrases: readonly string[]
}

export const defaultTurnRules: TurnRules = {
  interruptible: true,
  minPauseMs: 400,
  maxPauseMs: 2500,
  speculate: true,
  maxEarlyReplies: 3,
  earlyReplyMaxSpeechMs: 10_000,
  turnModelMs: 0,
  interruptAfterMs: 900,
  interruptAfterWords: 2,
  resumeAfterMs: 600,
  resumeAfterLongMs: 4000,
  overlapProbeMs: 1200,
  takeBackMs: 700,
  earlyRecognitionMs: 0,
  hasLiveRecognition: false,
  stablePartialMs: 120,
  maxJoinedMs: 12_000,
  openingDeadlineMs: 2000,
  notUnderstoodMs: 600,
  maxNotUnderstood: 2,
  maxFalseStarts: 3,
  backchannelMs: 1000,
  maxUtteranceMs: 8000,
  maxProbes: 3,
  recognitionTimeoutMs: 8000,
  digitGapMs: 2500,
  idleReminderMs: 8000,
  maxReminders: 2,
  silenceHangupMs: 30_000,
  maxDurationMs: 1_800_000,
  warnBeforeMs: 30_000,
  fillerMs: 3000,
  nextFillerMs: 5000,
  maxFillers: 2,
  replyTimeoutMs: 12_000,
  toolTimeoutMs: 20_000,
  maxFailures: 3,
  voicemail: 'ignore',
  voicemailSilenceMs: 1500,
  voicemailMaxMs: 30_000,
  language: '',
  endPhrases: [],
}
