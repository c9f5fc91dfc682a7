// What is known of a conversation at one moment, what can happen to it, and what can be done about it. Types and the first moment.
import type { Answerer } from './amd-classifier.ts'
import { USUAL_PAUSE_MS } from './endpointing.ts'
import type { SessionEndReason } from './ports.ts'

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
  'quiet', // the mailbox has finished, and gives no tone
  'message', // it does not finish: the message is left now
] as const
export type TimerName = (typeof timerNames)[number]

export type TurnState = {
  readonly phase: 'listening' | 'thinking' | 'speaking' | 'over'
  /** The caller's voice is heard now. */
  readonly isVoiced: boolean
  /** Or something that may turn out to be one. */
  readonly isMaybe: boolean
  /** When that voice began or ended, in media time. */
  readonly changedAtMs: number
  /** How often it was asked what this voice says, before it ended. */
  readonly breaths: number
  /** Number of the last recognition: the words of an older one were thrown away. */
  readonly recognition: number
  readonly isRecognising: boolean
  /** What the caller has said since the agent was last given the floor, and where that began, in media time. */
  readonly heard: string
  readonly beganAtMs: number | null
  /** How long he paused before the voice that is being understood, if he may have gone on with it; and how long he usually does. */
  readonly pausedMs: number | null
  readonly paceMs: number
  /** The model was asked what it would say if he had finished with this; how often that was done in this turn. */
  readonly isGuessed: boolean
  readonly guesses: number
  /** What he has pressed of a number that is not complete. */
  readonly keys: string
  /** An acknowledgement said over the agent a moment ago. */
  readonly murmur: string
  /** Number of the agent's turn: what an older one still says or does is nobody's business. */
  readonly turn: number
  readonly kind: 'reply' | 'opening' | 'reminder' | 'phrase' | 'news' | 'relay'
  /** Something of this turn was heard. */
  readonly hasSounded: boolean
  /** A tool is at work for it, and takes so long at most. */
  readonly isWorking: boolean
  readonly workMs: number
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
  readonly leaving: SessionEndReason | null
  /** Tools are at work, also those of earlier turns. */
  readonly toolsOut: boolean
  /** One of an earlier turn has brought a result that the caller was not told yet. */
  readonly hasNews: boolean
  /** What an operator wants said, in order, when the floor is free; and those words of his that the agent was given last. */
  readonly relays: readonly string[]
  readonly relayed: string
  /** They were begun over the caller, whose voice therefore does not stop them. */
  readonly isUrgent: boolean
  /** The call was given to somebody else, or is about to be: nothing is said until that has failed. */
  readonly isAway: boolean
  /**
   * A mailbox may have answered, and nothing is said until that is known; or it has: its greeting is listened to, then our message is
   * said, and once again if the tone came only then.
   */
  readonly mailbox: 'none' | 'suspected' | 'greeting' | 'saying' | 'again'
  /** Timers that ran out while nothing may be said. */
  readonly due: readonly TimerName[]
}

export type TurnEvent =
  | { type: 'begin'; speaks: boolean; afterMs: number }
  | { type: 'voice'; on: boolean; atMs: number; voicedMs: number }
  /** Something sounds like a voice, too short so far to be sure; or it was none. */
  | { type: 'maybe'; on: boolean }
  /** Within a voice: it may be ending, or goes on after all. `voicedMs` is how much voice there was so far. */
  | { type: 'lull'; on: boolean; voicedMs: number }
  /** An utterance was recognised; empty when it was noise. `atMs` is media time now. */
  | { type: 'words'; recognition: number; text: string; atMs: number; hasFailed?: boolean }
  /** A turn model has judged what was heard with this recognition: how likely it is that the caller has finished. */
  | { type: 'judged'; recognition: number; finished: number; atMs: number }
  /** A mailbox may have answered: whether it has will be told. */
  | { type: 'suspected' }
  /** It is known who answered a call of ours. `atMs` is media time now. */
  | { type: 'answered'; by: Answerer; atMs: number }
  /** The tone after which a mailbox records. */
  | { type: 'beep' }
  | { type: 'key'; digit: string }
  | { type: 'timer'; name: TimerName }
  /** Sound of this turn is heard from now on. */
  | { type: 'sounded'; turn: number }
  /** All that there is of this turn was heard, and more is to come. */
  | { type: 'dry'; turn: number }
  /** A tool is waited for in this turn, so long at most, or no longer. */
  | { type: 'tool'; turn: number; on: boolean; limitMs?: number }
  /** Tools are at work, whoever asked for them, or none is any more. */
  | { type: 'tools'; areOut: boolean }
  /** One of them has something to say about how long it takes. */
  | { type: 'due' }
  /** What was said because it takes long has been heard. */
  | { type: 'filled'; turn: number }
  /** A tool has brought a result that no turn waits for. */
  | { type: 'news' }
  /** This turn is the last: the call is hung up when it was said. */
  | { type: 'leaving'; turn: number; reason: SessionEndReason }
  | { type: 'given-away'; turn: number }
  /** An operator's words for the agent's mouth: at once, or when nobody speaks. */
  | { type: 'relay'; text: string; isUrgent: boolean }
  /** An operator gives the call to somebody else; or that has failed, and the agent goes on. */
  | { type: 'away' }
  | { type: 'back' }
  /** Everything of this turn was said and heard. */
  | { type: 'spoken'; turn: number }
  /** The rest of this turn cannot be said. */
  | { type: 'failed'; turn: number; stage: 'model' | 'synthesis' }
  | { type: 'left' }

export type Phrase =
  | 'filler'
  | 'reminder'
  | 'apology'
  | 'goodbye'
  | 'farewell'
  | 'not-heard'
  | 'warning'
  | 'not-transferred'

export type TurnCommand =
  /** What was heard since the last recognition that was not thrown away. A probe leaves the sound to the next one. */
  | { do: 'recognise'; recognition: number; isProbe: boolean }
  /** The recognition under way is thrown away: the caller goes on. */
  | { do: 'forget' }
  /** Whether the caller has finished: judged by the sound since then. */
  | { do: 'judge'; recognition: number; fromMs: number; text: string }
  /** The model is asked, for nobody yet: he may have finished with this. */
  | { do: 'guess'; to: string }
  | { do: 'forget-guess' }
  | { do: 'reply'; turn: number; to: string }
  /** Nobody asked: a tool has brought something. */
  | { do: 'news'; turn: number }
  /** An operator's words, after what the caller has said. */
  | { do: 'relay'; turn: number; to: string; text: string }
  /** The opening phrase, perhaps after a hello. */
  | { do: 'open'; turn: number; to: string }
  /** Our message, after what the mailbox said. */
  | { do: 'leave-message'; turn: number; to: string }
  /** `to` is what the caller has said before it. */
  | { do: 'say'; turn: number; phrase: Phrase; times: number; to?: string }
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
  | { do: 'hang-up'; reason: SessionEndReason }

export type Step = { readonly state: TurnState; readonly commands: readonly TurnCommand[] }

export const start: TurnState = {
  phase: 'listening',
  isVoiced: false,
  isMaybe: false,
  changedAtMs: 0,
  breaths: 0,
  recognition: 0,
  isRecognising: false,
  heard: '',
  beganAtMs: null,
  pausedMs: null,
  paceMs: USUAL_PAUSE_MS,
  isGuessed: false,
  guesses: 0,
  keys: '',
  murmur: '',
  turn: 0,
  kind: 'phrase',
  hasSounded: false,
  isWorking: false,
  workMs: 0,
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
  toolsOut: false,
  hasNews: false,
  relays: [],
  relayed: '',
  isUrgent: false,
  isAway: false,
  mailbox: 'none',
  due: [],
}
