// Interfaces of the conversation engine: STT, TTS, VAD, LLM, tools, transport and clock. Types only.
// A stream is an AsyncIterable, cancellation is an AbortSignal, an expected failure is a return value.

import type { MessagePort } from 'node:worker_threads'
import type { EndReason } from '../base/domain/end-reasons.ts'

/** Computed beside the media clock for each 20 ms frame of the caller. Levels in dBFS. */
export type SoundFeatures = {
  readonly levelDb: number
  /** The noise floor, or the echo of our own playout where that is louder. */
  readonly noiseDb: number
  /** Running level of the caller near the telephone; null before it is known. */
  readonly nearDb: number | null
  /** Null: unvoiced. */
  readonly pitchHz: number | null
  /** Clearly farther away than the caller: a television, another person. */
  readonly isFar: boolean
}

/**
 * 16-bit mono PCM. `words`: the words that start here, if the TTS reports word timings. `atMs`: when its last sample was received,
 * on the monotonic clock. `recordedMs`: its position in the call's recording.
 */
export type AudioFrame = {
  readonly pcm: Int16Array
  readonly rateHz: number
  readonly words?: string
  readonly atMs?: number
  readonly recordedMs?: number
  /** Of the caller's audio. */
  readonly sound?: SoundFeatures
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
  /** The agent's pronunciation dictionary. */
  pronunciation?: readonly { from: string; to: string }[]
  /** Vendor settings (model_id, voice_settings …), passed on unchanged. */
  vendor?: Readonly<Record<string, unknown>>
  /** The same object for all sentences of a reply that a caller waits for; absent for other speech. */
  reply?: object
}

/** Text to speech. `speak` streams, and stops at once when the signal fires. */
export interface Tts {
  readonly name: string
  voices(signal: AbortSignal): Promise<Voice[]>
  speak(text: string, options: SpeakOptions, signal: AbortSignal): Audio
  /** Whether the phrase comes from a cache: speaking it says nothing about the engine. */
  knows?(text: string, options: SpeakOptions): boolean
}

/** A voice of an engine, with what an agent sets for it. */
export type Speaker = {
  tts: Tts
  /** Null: the provider's default for the language. */
  voiceId: string | null
  language: string
  speed?: number
  pronunciation?: SpeakOptions['pronunciation']
  vendor?: SpeakOptions['vendor']
}

/** Speaks in the agent's voice. */
export interface Say {
  (text: string, signal: AbortSignal): Audio
  /** A chain of voices watches its links itself; a sentence that breaks off is asked for again, from the word, so many times. */
  readonly tries?: number
}

export type Transcript = {
  text: string
  isFinal: boolean
  confidence?: number
  /** Without text: whether it sounded like speech, so that the agent can ask again; absent where it cannot be told. */
  hasSpeech?: boolean
}

export type SttOptions = {
  /** BCP 47, such as pt-BR. */
  language: string
  /** Names and words of the agent's trade that the caller may say. */
  hints?: readonly string[]
  /** What the agent said last: the caller answers it. */
  prompt?: string
  /** An overlap: it goes before all that are not urgent. */
  isUrgent?: boolean
}

/**
 * Speech to text of one utterance: partial transcripts where the engine has them, then a final one. The final transcript covers the
 * audio from its first frame to its end; the signal cancels.
 */
export interface Stt {
  readonly name: string
  /** Runs on this machine: recognizing the same audio again costs time only. May change between utterances. */
  readonly isEmbedded?: boolean
  /** False while its model is not in memory; absent: always ready. */
  readonly isReady?: boolean
  /** Recognizes while the audio arrives: give it frames as they are spoken, and it yields partial transcripts. May change likewise. */
  readonly isLive?: boolean
  transcribe(audio: Audio, options: SttOptions, signal: AbortSignal): AsyncIterable<Transcript>
}

/** Voice activity detection for one stream; streams are batched behind it. */
export interface VadStream {
  /** Takes PCM at the stream's rate; returns the speech probability of each completed step (32 ms). */
  push(pcm: Int16Array): Promise<readonly number[]>
  close(): void
}
export interface Vad {
  open(rateHz: 8000 | 16000): VadStream
  /** Connects another thread with the engine, where that can be reached directly (voice/listening/vad-client.ts). */
  connect?(events: VadConnectionEvents): VadConnection
}
export type VadConnectionEvents = {
  /** A port to the engine: at once, and again after each restart of the engine. */
  onPort(port: MessagePort): void
  /** The engine could not be restarted; `onPort` follows when it could. */
  onStopped(error: unknown): void
}
export type VadConnection = {
  /** Reports a lost batch of the other thread. */
  fault(error: unknown): void
  close(): void
}

/** Tone of the caller's last syllables: pitch and energy of the last 300 ms. */
export type FinalProsody = 'falling' | 'level' | 'rising'

/** A span of the call's recording. */
export type Span = { readonly fromMs: number; readonly toMs: number }

/**
 * How much was played; where known, when its first and last frames were sent, on the session's clock, and its span in the recording.
 * A play that was held takes longer than `playedMs`: a word that was heard twice is counted once.
 */
export type PlayoutResult = {
  readonly playedMs: number
  readonly startedAt?: number
  readonly endedAt?: number
  readonly recorded?: Span
}

/**
 * `atMs`: where in the stream speech started or ended; `nowMs`: the stream's position; `voicedMs`: speech without its pauses.
 * `relativeDb`: its level against the caller's own, as far as known; `prosody`: of its end.
 */
export type SpeechChange = {
  isSpeaking: boolean
  atMs: number
  nowMs: number
  voicedMs: number
  relativeDb: number | null
  prosody: FinalProsody | null
}

/** What is heard of the caller, beside the media clock (voice/listening/speech-tracker.ts). */
export type ListenEvent =
  | { type: 'speech'; change: SpeechChange }
  /** Within speech: a pause that may become its end, or speech continues. */
  | { type: 'pause'; on: boolean; voicedMs: number }
  /** Possible speech; or it was none. `isStrong`: voiced, and as loud as the caller; may follow a weak one, or the start of speech. */
  | { type: 'candidate'; on: boolean; isStrong: boolean }
  /** Sound of somebody else after `sinceMs`; replaces what was reported of that part. */
  | { type: 'far'; sinceMs: number; spans: readonly Span[] }
  /** A recording tone or a tone of the network has ended; time has passed. With `hasAmd` only. */
  | { type: 'beep' | 'progress-tone' | 'time' }
  /** Only its position is news. */
  | { type: 'position' }

/** A run of the caller's audio, from `fromMs` of media time on. */
export type HeardAudio = { pcm: Int16Array; rateHz: number; fromMs: number; recordedMs: number | null }

/** Media time: how much audio has been heard, at which rate the last of it, and when that arrived, on the monotonic clock. */
export type HeardPosition = { readonly nowMs: number; readonly arrivedAtMs: number; readonly rateHz: number }

/** Gets audio around speech only; before each event all audio until then. Positions are overwritten by later ones. */
export interface ListenSink {
  /** A view: copy what must be kept. Continues the run before, unless `fromMs` says otherwise. */
  onAudio(run: HeardAudio, position: HeardPosition): void
  onEvent(event: ListenEvent, position: HeardPosition): void
}

export type ListenOptions = {
  vad: Vad
  /** How much audio before the detection of speech is passed on with it. */
  keepMs: number
  /** Audio in the silence after speech is wanted as promptly as speech. */
  needsSilence: boolean
  /** Answering-machine detection: report tones, and the time until `stopTime`. */
  hasAmd: boolean
}

export interface Listening {
  /** Resolves when the caller's audio ends; rejects when VAD fails. */
  readonly ended: Promise<void>
  /** The audio after this many starts of speech is not needed any more: none is passed on until speech starts again. */
  release(starts: number): void
  stopTime(): void
  stop(): void
}

/** The caller's side of a session: an RTP leg, a browser connection, or a script in a test. */
export interface Transport {
  /** The caller's audio in frames of 20 ms; ends when they leave. Unread frames are dropped, oldest first. */
  readonly input: Audio
  /**
   * Listens where the audio arrives: its frames need not cross threads, only speech does. One at a time; undefined where it cannot, and
   * then `input` is to be read. What arrived while nobody listened (two seconds at most) is heard first.
   */
  listen?(options: ListenOptions, sink: ListenSink): Listening | undefined
  /** DTMF. */
  readonly digits: AsyncIterable<string>
  /** Resolves when the audio was played; when `signal` fires, queued audio is dropped at once. */
  play(audio: Audio, signal: AbortSignal): Promise<PlayoutResult>
  /** Playout gain from now on; below 1 while the agent is ducked. */
  volume?(gain: number): void
  /** Freezes playout at once, or continues it from the last word; the queue is kept, and later plays are held too. */
  hold?(isHeld: boolean): void
  /** Expected failures are results, not exceptions. */
  act(action: CallAction): Promise<ActOutcome>
}

export type CallAction =
  | { do: 'digits'; digits: string; mode?: 'rfc4733' | 'info' | 'inband' | 'auto'; toneMs?: number; gapMs?: number }
  | ({ do: 'transfer' } & Transfer)
  | { do: 'hangup'; reason: EndReason }

/** Why a session ends: as the call does, or because another agent takes over. */
export type SessionEndReason = EndReason | 'handed_over'

/** Transfer to a number or SIP address. */
export type Transfer = {
  to: string
  /** `refer`: the remote side makes the new call (RFC 3515); `bridge`: we call the target and join both legs. */
  method?: 'refer' | 'bridge'
  /** Played to the person who answers, before the legs are joined (warm transfer, bridge only). */
  whisper?: () => Audio
  /** Played to the caller while the target rings. */
  hold?: () => Audio
  callerId?: string
  /** DTMF digits sent once the target has answered. */
  extension?: string
  ringTimeoutMs?: number
  headers?: Readonly<Record<string, string>>
}

export type ActOutcome = {
  status: 'done' | 'connected' | 'no_answer' | 'busy' | 'voicemail' | 'failed' | 'canceled'
  /** For the model and the log. */
  detail?: string
}

/** A message of the conversation. A `tool` message is the result of the call with that id. */
export type Message = {
  readonly role: 'system' | 'user' | 'agent' | 'tool'
  readonly content: string
  readonly calls?: readonly ToolCall[]
  readonly callId?: string
  /** Our instructions about a tool's result; they do not come from the tool. */
  readonly note?: string
}
export type ToolCall = { readonly id: string; readonly name: string; readonly args: unknown }
export type LlmPart =
  /** `endsCall`: hang up with this reason once everything said was played. */
  { readonly say: string; readonly endsCall?: EndReason } | { readonly call: ToolCall }

export type ReplyOptions = {
  /** BCP 47. */
  language: string
  /** The agent's `llmConfig` as far as the operator permits: model, temperature, maxTokens … */
  settings?: Readonly<Record<string, unknown>>
  /** False: the tools are listed, since the history mentions them, but the model must answer in words. */
  mayCallTools?: boolean
  /** A question about the conversation, such as for its summary: what can only talk to the caller must fail. */
  isAboutConversation?: boolean
}

/** A language model or rule agent. Streams its reply; stops at once when the signal fires. */
export interface Llm {
  readonly name: string
  /** False: a rule agent; logs and API say so. */
  readonly isModel: boolean
  reply(
    history: readonly Message[],
    tools: readonly Tool[],
    options: ReplyOptions,
    signal: AbortSignal,
  ): AsyncIterable<LlmPart>
}

export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: object
  /** What is said while it runs, and afterwards. */
  readonly messages?: ToolMessages
  /** The default time-out when absent. */
  readonly timeoutMs?: number
  /** Median duration of recent runs; null before the first. A quick tool needs no announcement. */
  typicalMs?(): number | null
  /** Read-only: may run beside others of the same step. */
  readonly isConcurrent?: boolean
  /** Not stopped by an interruption or the end of the call. The signal fires at the time-out. */
  run(call: ToolCall, context: ToolInvocation, signal: AbortSignal): Promise<ToolResult>
}

export type ToolInvocation = {
  act: Transport['act']
  /** For the summary of a warm transfer. */
  history: readonly Message[]
}

export type ToolResult = {
  /** For the model, as data. */
  text: string
  failed: boolean
  /** Hang up with this reason once everything said was played. */
  endsCall?: SessionEndReason
  /** Said to the caller verbatim, before the call ends or the model goes on. */
  say?: string
  /** The call was transferred: nothing more is said. */
  isTransferred?: boolean
}

/** A message about a tool, for the language and arguments of the call. */
export type ToolMessage = {
  text: string
  /** `assistant`: said to the caller; `system`: given to the model. */
  role: 'assistant' | 'system'
  /** The tool starts once this was played. */
  isBlocking: boolean
  endsCall: boolean
}
export type ToolMessages = {
  start(args: unknown): ToolMessage | null
  complete(args: unknown): ToolMessage | null
  failed(args: unknown): ToolMessage | null
  /** Each is said when the tool has run for `atMs`; ordered by time. */
  delayed(args: unknown): readonly (ToolMessage & { atMs: number })[]
}

/** End-of-turn detection: the probability (0 to 1) that the caller has finished. */
export interface TurnModel {
  endOfTurn(utterance: { text: string; pcm: Int16Array; rateHz: number }, signal: AbortSignal): Promise<number>
}

export interface Clock {
  now(): number
  /** Resolves after `ms`, or at once when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
