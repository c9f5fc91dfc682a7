// What a conversation asks of the world. Types only; imports nothing.
// A stream is an AsyncIterable, a stop is an AbortSignal, an outcome is a return value.

/** 16-bit mono PCM. `words` are those that begin to be heard here, if it is speech of ours. */
export type AudioFrame = { readonly pcm: Int16Array; readonly rateHz: number; readonly words?: string }
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

/** One end of a conversation: an RTP leg, a browser's socket, or a script in a test. */
export interface Transport {
  /** What the far side says, in frames of 20 ms; ends when it leaves. What nobody reads is dropped, oldest first. */
  readonly input: Audio
  readonly digits: AsyncIterable<string>
  /** Resolves when the audio was heard to its end, or as far as it got when `signal` fired: what was queued is then dropped at once. */
  play(audio: Audio, signal: AbortSignal): Promise<{ heardMs: number }>
  /** How loud what is played is from now on: 1 as it is, less while somebody may be interrupting. */
  volume?(gain: number): void
  act(action: CallAction): Promise<void>
}

export type CallAction =
  | { do: 'digits'; digits: string }
  | { do: 'transfer'; to: string }
  | { do: 'hangup'; reason: string }

/** What was said so far. A `tool` message answers the call of that id. */
export type Message = {
  readonly role: 'system' | 'user' | 'agent' | 'tool'
  readonly content: string
  readonly calls?: readonly ToolCall[]
  readonly callId?: string
}
export type ToolCall = { readonly id: string; readonly name: string; readonly args: unknown }
export type LlmPart = { readonly say: string } | { readonly call: ToolCall }

export type ReplyOptions = {
  /** BCP 47. */
  language: string
  /** The agent's `llmConfig` as far as the operator allows it: model, temperature, maxTokens … */
  settings?: Readonly<Record<string, unknown>>
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
  run(args: unknown, context: { act: Transport['act'] }, signal: AbortSignal): Promise<string>
}

export interface Clock {
  now(): number
  /** Resolves after so long, or at once when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
