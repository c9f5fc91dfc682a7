// What a conversation asks of the world. Types only.
// A stream is an AsyncIterable, a stop is an AbortSignal, an outcome is a return value.

import type { EndReason } from '../base/end-reasons.ts'

/**
 * 16-bit mono PCM. `words` are those that begin to be heard here, if it is speech of ours. `atMs` is when the last of it came in from the
 * far side, on the monotonic clock, however long it waited on its way here; `recordedMs` is where it begins in the call's recording.
 */
export type AudioFrame = {
  readonly pcm: Int16Array
  readonly rateHz: number
  readonly words?: string
  readonly atMs?: number
  readonly recordedMs?: number
}
export type Audio = AsyncIterable<AudioFrame>

export type Voice = {
  id: string
  name: string
  /** BCP 47, such as pt-BR. */
  language: string
  gender: 'female' | 'male' | null
  description: string | null
}

export type SpeakOptions = {
  voiceId: string
  /** BCP 47; the voice's own language when absent. */
  language?: string
  /** 0.5 to 2; changes duration, not pitch. */
  speed?: number
  /** How an agent's own words are said. */
  pronunciation?: readonly { from: string; to: string }[]
  /** A vendor's own settings (model_id, voice_settings …), passed on as they are. */
  vendor?: Readonly<Record<string, unknown>>
}

/** Text to speech. `speak` yields its first frame before the whole is made, and stops at once when the signal fires. */
export interface Tts {
  readonly name: string
  voices(signal: AbortSignal): Promise<Voice[]>
  speak(text: string, options: SpeakOptions, signal: AbortSignal): Audio
}

export type Transcript = { text: string; isFinal: boolean; confidence?: number }

/** Speech to text: the audio of one utterance in, its text out (partials first where the engine has them, then one final). */
export interface Stt {
  readonly name: string
  transcribe(
    audio: Audio,
    options: { language: string; hints?: readonly string[] },
    signal: AbortSignal,
  ): AsyncIterable<Transcript>
}

/** Voice activity of one stream; many streams are computed in one batch behind it. */
export interface VadStream {
  /** Feeds PCM of the stream's rate; answers with the probability of speech of each step (32 ms) that became complete. */
  push(pcm: Int16Array): Promise<readonly number[]>
  close(): void
}
export interface Vad {
  open(rateHz: 8000 | 16000): VadStream
}

/** From where to where in the call's recording. */
export type Span = { readonly fromMs: number; readonly toMs: number }

/** How much was heard; and, where that is known, when its first sound left, on the conversation's clock, and where it is in the recording. */
export type Played = { readonly heardMs: number; readonly beganAt?: number; readonly recorded?: Span }

/** One end of a conversation: an RTP leg, a browser's socket, or a script in a test. */
export interface Transport {
  /** What the far side says, in frames of 20 ms; ends when it leaves. What nobody reads is dropped, oldest first. */
  readonly input: Audio
  readonly digits: AsyncIterable<string>
  /** Resolves when the audio was heard to its end, or as far as it got when `signal` fired: what was queued is then dropped at once. */
  play(audio: Audio, signal: AbortSignal): Promise<Played>
  /** How loud what is played is from now on: 1 as it is, less while somebody may be interrupting. */
  volume?(gain: number): void
  /** Resolves when it was done, or could not be: an expected outcome is no error. */
  act(action: CallAction): Promise<ActOutcome>
}

export type CallAction =
  | { do: 'digits'; digits: string; mode?: 'rfc4733' | 'info' | 'inband' | 'auto'; toneMs?: number; gapMs?: number }
  | ({ do: 'transfer' } & Transfer)
  | { do: 'hangup'; reason: EndReason }

/** Why a session ends: as the call does, or because another agent goes on with it. */
export type SessionEndReason = EndReason | 'handed_over'

/** A number or a SIP address that the call is given to. */
export type Transfer = {
  to: string
  /** Refer hands the call over to the far side's own exchange; bridge calls the target from here and joins the two. */
  method?: 'refer' | 'bridge'
  /** Said to who answers, before the two are joined (warm, bridged only). */
  whisper?: () => Audio
  /** Heard by the caller while the target rings. */
  hold?: () => Audio
  callerId?: string
  /** Digits sent when the target has answered. */
  extension?: string
  ringTimeoutMs?: number
  headers?: Readonly<Record<string, string>>
}

export type ActOutcome = {
  status: 'done' | 'connected' | 'no_answer' | 'busy' | 'voicemail' | 'failed' | 'canceled'
  /** In words, for the model and the record. */
  detail?: string
}

/** What was said so far. A `tool` message answers the call of that id. */
export type Message = {
  readonly role: 'system' | 'user' | 'agent' | 'tool'
  readonly content: string
  readonly calls?: readonly ToolCall[]
  readonly callId?: string
  /** Of a tool's answer: what the model is to know or do about it. It comes from us, not from the tool. */
  readonly note?: string
}
export type ToolCall = { readonly id: string; readonly name: string; readonly args: unknown }
export type LlmPart = { readonly say: string } | { readonly call: ToolCall }

export type ReplyOptions = {
  /** BCP 47. */
  language: string
  /** The agent's `llmConfig` as far as the operator allows it: model, temperature, maxTokens … */
  settings?: Readonly<Record<string, unknown>>
  /** False: the tools are shown, since the history speaks of them, but none may be called; the model has to speak. */
  mayCallTools?: boolean
}

/** A language model, or what stands for one. Yields words as they come; stops at once when the signal fires. */
export interface Llm {
  readonly name: string
  /** False: a rule agent, which the log and the API say. */
  readonly isModel: boolean
  reply(
    history: readonly Message[],
    tools: readonly Tool[],
    options: ReplyOptions,
    signal: AbortSignal,
  ): AsyncIterable<LlmPart>
}

/** Something that an agent can do besides speaking. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: object
  /** What is said about it while it works, and when it has. */
  readonly messages?: ToolMessages
  /** A tool that takes longer is given up; the usual limit when absent. */
  readonly timeoutMs?: number
  /** How long it took so far, the middle of the last runs; null when it never ran. A short one needs no "one moment". */
  usualMs?(): number | null
  /** It changes nothing, and may run beside others of the same round. */
  readonly isConcurrent?: boolean
  /** Belongs to the conversation, not to the turn: neither an interruption nor the end of the call stops it. The signal fires when time is up. */
  run(call: ToolCall, context: ToolInvocation, signal: AbortSignal): Promise<ToolResult>
}

export type ToolInvocation = {
  act: Transport['act']
  /** What was said so far: for a summary to whom the call is given. */
  history: readonly Message[]
}

export type ToolResult = {
  /** For the model, as data. */
  text: string
  failed: boolean
  /** The call is hung up with this reason once what is being said was heard. */
  endsCall?: SessionEndReason
  /** Said to the caller as it is, before the call ends or the model goes on. */
  say?: string
  /** Nothing more is to be said of it: the call was given away. */
  isLast?: boolean
}

/** One message about a tool, chosen for the language and the arguments. */
export type ToolMessage = {
  text: string
  /** Assistant: it is said. System: the model is told so instead. */
  role: 'assistant' | 'system'
  /** The tool waits until this was heard. */
  isBlocking: boolean
  endsCall: boolean
}
export type ToolMessages = {
  start(args: unknown): ToolMessage | null
  complete(args: unknown): ToolMessage | null
  failed(args: unknown): ToolMessage | null
  /** Each is said when the tool has worked so long; in order of time. */
  delayed(args: unknown): readonly (ToolMessage & { atMs: number })[]
}

/** Tells how likely it is that who spoke so has finished: 0 to 1. */
export interface TurnModel {
  finished(heard: { text: string; pcm: Int16Array; rateHz: number }, signal: AbortSignal): Promise<number>
}

export interface Clock {
  now(): number
  /** Resolves after so long, or at once when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
