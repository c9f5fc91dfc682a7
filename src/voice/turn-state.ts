// What is known of a conversation at one moment, what can happen to it, and what can be done about it. Types and the first moment.

export const timerNames = [
  'opening', // the opening phrase is due, whether or not somebody said hello
  'pause', // the caller has finished
  'interrupt', // this much voice is no accident
  'resume', // no words came of it: it was one after all
  'breath', // nobody speaks so long without one: what is it that we hear?
  'recognition',
  'murmur', // an acknowledgement is no answer any more
  'keys',
  'idle',
  'silence',
  'filler',
  'answer',
  'limit',
] as const
export type TimerName = (typeof timerNames)[number]

export type TurnState = {
  readonly phase: 'listening' | 'thinking' | 'speaking' | 'over'
  /** The caller's voice is heard now. */
  readonly isVoiced: boolean
  /** When that voice began or ended, in media time. */
  readonly changedAtMs: number
  /** How often it was asked what this voice says, before it ended. */
  readonly breaths: number
  /** Number of the last recognition: the words of an older one were thrown away. */
  readonly recognition: number
  readonly isRecognising: boolean
  /** What the caller has said since the agent was last given the floor. */
  readonly heard: string
  /** What he has pressed of a number that is not complete. */
  readonly keys: string
  /** An acknowledgement said over the agent a moment ago. */
  readonly murmur: string
  /** Number of the agent's turn: what an older one still says or does is nobody's business. */
  readonly turn: number
  readonly kind: 'reply' | 'opening' | 'reminder' | 'phrase'
  /** Something of this turn was heard. */
  readonly hasSounded: boolean
  /** A tool is at work for it. */
  readonly isWorking: boolean
  /** The turn was held by a voice, and nobody knows yet whether it said anything. */
  readonly isCut: boolean
  /** How often that was so before anything of it was heard. */
  readonly holds: number
  readonly isDucked: boolean
  readonly fillers: number
  readonly reminders: number
  readonly failures: number
  /** The time without a word of the caller; reminders do not break it. */
  readonly silence: 'off' | 'running' | 'passed'
  /** The opening phrase is still owed: somebody spoke before it. */
  readonly owesOpening: boolean
  /** That the call must end soon. */
  readonly warning: 'none' | 'due' | 'given'
  /** Why the call is hung up when this turn was said. */
  readonly leaving: string | null
}

export type TurnEvent =
  | { type: 'begin'; speaks: boolean; afterMs: number }
  | { type: 'voice'; on: boolean; atMs: number; voicedMs: number }
  /** Within a voice: it may be ending, or goes on after all. `voicedMs` is how much voice there was so far. */
  | { type: 'lull'; on: boolean; voicedMs: number }
  /** An utterance was recognised; empty when it was noise. `atMs` is media time now. */
  | { type: 'words'; recognition: number; text: string; atMs: number; hasFailed?: boolean }
  | { type: 'key'; digit: string }
  | { type: 'timer'; name: TimerName }
  /** Sound of this turn is heard from now on. */
  | { type: 'sounded'; turn: number }
  /** All that there is of this turn was heard, and more is to come. */
  | { type: 'dry'; turn: number }
  | { type: 'tool'; turn: number; on: boolean }
  /** Everything of this turn was said and heard. */
  | { type: 'spoken'; turn: number }
  /** The rest of this turn cannot be said. */
  | { type: 'failed'; turn: number; stage: 'model' | 'synthesis' }
  | { type: 'left' }

export type Phrase = 'filler' | 'reminder' | 'apology' | 'goodbye' | 'not-heard' | 'warning'

export type TurnCommand =
  /** What was heard since the last recognition that was not thrown away. A probe leaves the sound to the next one. */
  | { do: 'recognise'; recognition: number; isProbe: boolean }
  /** The recognition under way is thrown away: the caller goes on. */
  | { do: 'forget' }
  | { do: 'reply'; turn: number; to: string }
  /** The opening phrase, perhaps after a hello. */
  | { do: 'open'; turn: number; to: string }
  | { do: 'say'; turn: number; phrase: Phrase; times: number }
  /** The reply takes long: something is said before it. */
  | { do: 'fill'; turn: number; times: number }
  /** Nothing more of this turn is heard: for good, or until it is resumed. */
  | { do: 'stop'; turn: number; isForGood: boolean }
  /** It was stopped by mistake: the rest of it is said. */
  | { do: 'resume'; turn: number }
  /** Quieter, while a voice may become an interruption. */
  | { do: 'duck' }
  | { do: 'unduck' }
  | { do: 'arm'; timer: TimerName; ms: number }
  | { do: 'disarm'; timer: TimerName }
  | { do: 'hang-up'; reason: string }

export type Step = { readonly state: TurnState; readonly commands: readonly TurnCommand[] }

export const start: TurnState = {
  phase: 'listening',
  isVoiced: false,
  changedAtMs: 0,
  breaths: 0,
  recognition: 0,
  isRecognising: false,
  heard: '',
  keys: '',
  murmur: '',
  turn: 0,
  kind: 'phrase',
  hasSounded: false,
  isWorking: false,
  isCut: false,
  holds: 0,
  isDucked: false,
  fillers: 0,
  reminders: 0,
  failures: 0,
  silence: 'off',
  owesOpening: false,
  warning: 'none',
  leaving: null,
}
