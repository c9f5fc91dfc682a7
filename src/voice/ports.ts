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
  /** Null if unvoiced. */
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
  /** Only in the caller's audio. */
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
  /** Whether the phrase is cached: speaking it then does not show whether the engine works. */
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

/** Speaks in the agent's voice. Throws when the voice fails, also in mid-sentence. */
export type Say = (text: string, signal: AbortSignal) => Audio

/** The voice of an agent's sentences. A sentence that breaks off is continued at the word it stopped at (playout/synthesize.ts). */
export type SentenceVoice = {
  say: Say
  /** How often a chain of voices, which watches for stalls itself, may be asked for a sentence. Absent: a single voice. */
  sentenceTries?: number | undefined
}

export type Transcript = {
  text: string
  isFinal: boolean
  confidence?: number
  /** Some of it is probably misheard, by the engine's own measure. */
  isUnclear?: boolean
  /** For an empty text: whether there was speech, so that the agent can ask again. Absent if the engine cannot tell. */
  hasSpeech?: boolean
}

export type SttOptions = {
  /** BCP 47, such as pt-BR. */
  language: string
  /** Names and domain terms that the caller may say. */
  hints?: readonly string[]
  /** Names that were found in the agent's prompt and in the call, and other words that the agent uses. */
  names?: readonly string[]
  words?: readonly string[]
  /** What the agent said last, as context for the answer. */
  prompt?: string
  /** Speech over the agent: recognized before all that is not urgent. */
  isUrgent?: boolean
}

/**
 * Speech to text of one utterance: partial transcripts where the engine has them, then a final one. The final transcript covers the
 * audio from its first frame to its end; the signal cancels.
 */
export interface Stt {
  readonly name: string
  /** Runs on this machine: recognizing audio again costs only CPU time. May change between utterances. */
  readonly isEmbedded?: boolean
  /** False while its model is not loaded; absent: always ready. */
  readonly isReady?: boolean
  /** Streaming recognition: fed in real time, it yields partial transcripts. May change between utterances. */
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
  /** Connects another thread directly with the engine, if supported (voice/listening/vad-client.ts). */
  connect?(events: VadConnectionEvents): VadConnection
}
export type VadConnectionEvents = {
  /** Called with a port to the engine at once, and again after each restart. */
  onPort(port: MessagePort): void
  /** The engine could not be restarted; `onPort` is called if a later restart succeeds. */
  onStopped(error: unknown): void
}
export type VadConnection = {
  /** Reports a batch that the other thread lost. */
  fault(error: unknown): void
  close(): void
}

/** Tone of the caller's last syllables: pitch and energy of the last 300 ms. */
export type FinalProsody = 'falling' | 'level' | 'rising'

/** A span of the call's recording. */
export type Span = { readonly fromMs: number; readonly toMs: number }

/**
 * How much was played; where known, also when its first and last frames were sent, on the session's clock, and its span in the
 * recording. Held playout takes longer than `playedMs`; a word repeated after the hold counts once.
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

/**
 * What speech over the agent is, by its sound: `long` speech at the caller's level, which may be `over` before it was too long for a
 * backchannel; or pitched or continued like an `interruption`.
 */
export type SpeechEvidence = 'none' | 'long' | 'over' | 'interruption'

/**
 * `beep`: the recording tone of a voicemail. `sit`: the number cannot be reached. `network`: a tone of the network whose cadence is not known (yet),
 * such as the start of a ringback.
 */
export type HeardTone = 'beep' | 'ringback' | 'busy' | 'congestion' | 'sit' | 'fax' | 'music' | 'network'

/** Reported from the media thread (voice/listening/speech-tracker.ts). */
export type ListenEvent =
  | { type: 'speech'; change: SpeechChange }
  /** Within speech: a pause that may end it, or its continuation. */
  | { type: 'pause'; on: boolean; voicedMs: number }
  /** Possible speech starts, or turned out to be none. Stronger evidence may follow, also after `speech`. */
  | { type: 'candidate'; on: boolean; evidence: SpeechEvidence }
  /** Sound from other speakers after `sinceMs`; replaces earlier reports about that part. */
  | { type: 'far'; sinceMs: number; spans: readonly Span[] }
  /** A tone was heard; time has passed. With `hasAmd` only. */
  | { type: 'tone'; tone: HeardTone }
  | { type: 'time' }
  /** Only the position has changed. */
  | { type: 'position' }

/** A contiguous run of the caller's audio, starting at `fromMs` in media time. */
export type HeardAudio = { pcm: Int16Array; rateHz: number; fromMs: number; recordedMs: number | null }

/** Media time so far, the rate of the latest audio, and when it arrived, on the monotonic clock. */
export type HeardPosition = { readonly nowMs: number; readonly arrivedAtMs: number; readonly rateHz: number }

/** Gets only the audio around speech, and before each event all audio up to it. Position objects are reused. */
export interface ListenSink {
  /** `run` is a view: copy it to keep it. It continues the previous run unless `fromMs` differs. */
  onAudio(run: HeardAudio, position: HeardPosition): void
  onEvent(event: ListenEvent, position: HeardPosition): void
}

export type ListenOptions = {
  vad: Vad
  /** How much audio before the detection of speech is passed on. */
  keepMs: number
  /** Pass on the silence after speech as promptly as speech. */
  needsSilence: boolean
  /** Answering-machine detection: report tones, and the time until `stopTime`. */
  hasAmd: boolean
}

export interface Listening {
  /** Resolves when the caller's audio ends; rejects when VAD fails. */
  readonly ended: Promise<void>
  /** The audio after this many starts of speech is no longer needed: nothing is passed on until speech starts again. */
  release(starts: number): void
  stopTime(): void
  stop(): void
}

/** The caller's side of a session: an RTP leg, a browser connection, or a script in a test. */
export interface Transport {
  /** The caller's audio in frames of 20 ms; ends when they hang up. Unread frames are dropped, oldest first. */
  readonly input: Audio
  /**
   * Listens in the thread where the audio arrives, so that only speech crosses threads. One listener at a time; undefined if that is
   * not possible: then read `input`. Audio that arrived before (two seconds at most) is processed first.
   */
  listen?(options: ListenOptions, sink: ListenSink): Listening | undefined
  /** DTMF. */
  readonly digits: AsyncIterable<string>
  /** Resolves once the audio was played; `signal` drops queued audio at once. */
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

/** The call's end reason, or another agent takes over. */
export type SessionEndReason = EndReason | 'handed_over'

/** Transfer to a number or SIP address. */
export type Transfer = {
  to: string
  /** `refer`: the remote side makes the new call (RFC 3515); `bridge`: we call the target and join both legs. */
  method?: 'refer' | 'bridge'
  /** Played to the target before the legs are joined (warm transfer, bridge only). */
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
  /** Our instructions about a tool's result; not from the tool. */
  readonly note?: string
  /** Said by the caller, and probably misheard. */
  readonly isUnclear?: boolean
}
export type ToolCall = { readonly id: string; readonly name: string; readonly args: unknown }
export type LlmPart =
  /** `endsCall`: hang up with this reason once everything said was played. */
  { readonly say: string; readonly endsCall?: EndReason } | { readonly call: ToolCall }

export type ReplyOptions = {
  /** BCP 47. */
  language: string
  /** The part of the agent's `llmConfig` that the operator permits: model, temperature, maxTokens … */
  settings?: Readonly<Record<string, unknown>>
  /** False: tools are listed because the history mentions them, but the model must answer in words. */
  mayCallTools?: boolean
  /** A question about the conversation, such as its summary: an engine that can only talk to the caller must fail. */
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
  /** Absent: the default. */
  readonly timeoutMs?: number
  /** Median duration of recent runs; null before the first. Quick tools are not announced. */
  typicalMs?(): number | null
  /** Read-only: may run in parallel with others of the same step. */
  readonly isConcurrent?: boolean
  /** Continues after an interruption or the end of the call. The signal fires at the time-out. */
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
  /** The tool starts after this was played. */
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
