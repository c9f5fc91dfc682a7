// Rules and time limits of turn taking, in milliseconds; endpointing.ts chooses the pause that ends a turn.

export type TurnRules = {
  interruptible: boolean
  /** Bounds of the pause that ends a turn. */
  minPauseMs: number
  maxPauseMs: number
  /** Preemptive generation during the pause: at most `maxEarlyReplies` per turn, and only for turns up to this length. */
  speculate: boolean
  maxEarlyReplies: number
  earlyReplyMaxSpeechMs: number
  /** How long the turn model may take; 0: there is none. */
  turnModelMs: number
  /** This much speech, or this many words, interrupt the agent. Speech as loud as the caller's own pauses it at once. */
  interruptAfterMs: number
  interruptAfterWords: number
  /** Without words for this long it was a false interruption: after brief speech, and after speech long enough to interrupt. */
  resumeAfterMs: number
  resumeAfterLongMs: number
  /** Speech over a paused agent is transcribed at this interval while it lasts. */
  overlapProbeMs: number
  /** A reply audible for less than this is taken back if the caller continues. */
  takeBackMs: number
  /** A pause this long within speech is transcribed, since it may end the turn; 0: never. */
  earlyRecognitionMs: number
  /** Recognition is live: partial transcripts arrive as events. */
  hasLiveRecognition: boolean
  /** In a pause, a partial transcript unchanged for this long is worth an early reply. */
  stablePartialMs: number
  /** Longer turns of the caller are recognized in pieces. */
  maxJoinedMs: number
  /** Deadline of the opening, even over speech; 0: none. */
  openingDeadlineMs: number
  /** If the STT cannot tell whether there was speech, sound this long without words makes the agent ask again. */
  notUnderstoodMs: number
  maxNotUnderstood: number
  /** How often speech without words may delay a reply that is not audible yet. */
  maxFalseStarts: number
  /** A backchannel this shortly before the end of the agent's turn answers it. */
  backchannelMs: number
  /** A turn this long is transcribed before it ends; after `maxProbes` transcripts the agent interjects. */
  maxUtteranceMs: number
  maxProbes: number
  recognitionTimeoutMs: number
  /** Digits at most this far apart are one number. */
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
  /** How long the agent may take to become audible, without and with a running tool. */
  replyTimeoutMs: number
  toolTimeoutMs: number
  maxFailures: number
  voicemail: 'hangup' | 'message' | 'ignore'
  /** Without a tone the message is left after this much silence, or this long after the voicemail was detected. */
  voicemailSilenceMs: number
  voicemailMaxMs: number
  /** BCP 47; '' if unknown. */
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
  openingDeadlineMs: 1800,
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
