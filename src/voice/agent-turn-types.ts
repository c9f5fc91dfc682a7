// Parts, options, events and timestamps of the agent's turns. Types only.

import type { SpeechTiming, UtteranceEvent } from './history.ts'
import type { SentenceStart } from './playout/speech-playout.ts'
import type { Clock, Llm, Message, SentenceVoice, Tool, Transport } from './ports.ts'
import type { ToolFinished, ToolRefused } from './tool-calls.ts'
import type { TurnEvent } from './turn/state.ts'

/** When the stages of a turn were reached, on the session's clock, and how long its first word waited for tools. */
export type TurnMarks = {
  /** The speech it answers; null if it answers none. */
  caller: SpeechTiming | null
  /** VAD reported the end of speech. */
  speechEndKnownAt: number
  recognizedAt: number
  repliedAt: number
  firstWordAt: number
  toolMs: number
}

export type AgentTurnEvent =
  | UtteranceEvent
  | TurnTimestamps
  | ToolFinished
  | ToolRefused
  | { type: 'error'; stage: 'recognition' | 'model' | 'synthesis'; error: unknown }

/** Sent before the turn's utterance: audio first synthesized at `synthesizedAt`, sent at `sentAt`, audible as speech at `heardAt`. */
export type TurnTimestamps = Omit<TurnMarks, 'caller'> & {
  type: 'turn'
  turn: number
  speechEndedAt: number
  synthesizedAt: number
  sentAt: number
  heardAt: number
}

/** Live captions: the caller's words as recognized so far, and each sentence of the agent as it becomes audible. Empty: taken back. */
export type SpeechInProgress = { who: 'caller'; text: string } | ({ who: 'agent' } & SentenceStart)

export type AgentTurnsParts = SentenceVoice & {
  transport: Transport
  llm: Llm
  /** Splits a stream of words into sentences, each as soon as it is complete. */
  sentences: (words: AsyncIterable<string>) => AsyncIterable<string>
  tools: readonly Tool[]
  clock: Clock
  /** The sample rate of the line, once it is known. */
  lineRateHz?: () => number | undefined
  /** Whether the recognizer is unsure of what the caller said last. */
  isUnclear: () => boolean
  onEvent: (event: AgentTurnEvent) => void
  onTurnEvent: (event: TurnEvent) => void
  /** Called after each turn with what the caller heard of it, and the history that includes it. */
  onAgentText?: (text: string, history: readonly Message[]) => void
  /** For live captions. */
  onSpeaking?: (speech: SpeechInProgress) => void
}

export type AgentTurnsOptions = {
  language: string
  systemPrompt: string
  /** Null: the caller speaks first. */
  opening: string | null
  /** Said before the opening, also before a generated one. */
  preface?: string
  /** The model writes the opening; `opening` is said if it cannot. */
  generatesOpening?: boolean
  /** Answering-machine detection, for outbound calls; the message is left on a voicemail if the rules say so. */
  amd?: { message: string }
}
