// Tools and tool types as the rest of the platform sees them. Types only.
import type { EndReason } from '../base/domain/end-reasons.ts'
import type { AppError } from '../base/errors/errors.ts'
import type { ActOutcome, CallAction, Message } from '../voice/ports.ts'

export type Json = Record<string, unknown>

/** A stored tool with its secrets decrypted: it must never leave the process or appear in a log or an error. */
export type ToolRecord = {
  id: string
  userId: string
  name: string
  description: string | null
  type: string
  method: string | null
  requestUrl: string | null
  /** JSON Schema of the model's arguments. */
  parameters: Json | null
  headers: Readonly<Record<string, string>> | null
  authorization: ({ type: string } & Json) | null
  body: Json | null
  messages: Json | null
  /** Settings of the type. For types that send no HTTP body, `body` provides defaults for it. */
  config: Json
  /** Why it must not be used as stored, whatever its type says; null or absent if it may be. */
  problem?: string | null
}

/** Where a tool is used: in a call, in a text conversation, or in a test by its owner. */
export type ToolContext = {
  userId: string
  agent: { id: string; name: string }
  /** Null in a tool test. */
  conversationId: string | null
  language: string
  /** IANA name. */
  timeZone: string
  call: CallControl | null
  /** For {name} besides the arguments: variables of the call, and of the responses of earlier tools. */
  variables: Readonly<Record<string, string>>
  history: readonly Message[]
  /** The conversation in two or three sentences, for the person or agent it is transferred to. */
  summary(signal: AbortSignal): Promise<string>
}

export type CallControl = {
  id: string
  direction: 'inbound' | 'outbound'
  fromNumber: string | null
  toNumber: string
  act(action: CallAction): Promise<ActOutcome>
  /** Another agent of the same owner takes over and says the message first. */
  handOver(agentId: string, message: string | null): Promise<ActOutcome>
  /** Speech in the agent's voice, for a whisper. */
  speech(text: string): AsyncIterable<{ readonly pcm: Int16Array; readonly rateHz: number }>
}

export type Run = {
  /** Id of the stored tool call: sent as idempotency key, the same on every attempt. */
  id: string
  /** Already validated against the function's schema. */
  args: Json
  context: ToolContext
}

export type Outcome =
  | {
      ok: true
      /** For the model: plain text or JSON. */
      text: string
      /** For {name} in later tools. */
      variables?: Readonly<Record<string, string>>
      endsCall?: EndReason
      say?: string
      isLast?: boolean
      /** The run continues in the background and ends with this outcome; its record stays `running` until then. */
      later?: Promise<Outcome>
    }
  | {
      ok: false
      /** For the model and the record: never a secret, never a stack trace. */
      error: string
      /** It was sent and its outcome is unknown. */
      isDoubtful?: boolean
      /** Nothing was done because a budget is used up: the error for HTTP callers. */
      overBudget?: AppError
    }

/** A function that the model may call. Most tools have one; an MCP server has one per tool. */
export type ToolFunction = {
  name: string
  description: string
  parameters: Json
  /** Undeclared arguments are passed on: the server or the tool itself checks the names. */
  keepsUndeclared?: boolean
  /** It has side effects: counted, and never run twice. */
  hasEffect: boolean
  /** The operation is idempotent, or the server has idempotency keys: it may be resent if its outcome is unknown. */
  isRepeatable: boolean
  timeoutMs: number
  /** The model gets a response at once, and the run continues in the background. */
  isAsync?: boolean
  /** Messages of this function, instead of the tool's. */
  messages?: Json
  /** Expected failures are outcomes; a thrown error is a bug. */
  run(run: Run, signal: AbortSignal): Promise<Outcome>
}

/** A tool type, created with its dependencies. Never throws: an unusable tool offers nothing and says why. */
export interface ToolType {
  functions(tool: ToolRecord): ToolFunction[]
  /**
   * Resolves when the tool's functions are known, for types that must ask a server; never throws. Until then
   * `functions` returns what is known.
   */
  ready?(tool: ToolRecord): Promise<void>
  /** Why this tool cannot be used as configured; null if it can. */
  problem?(tool: ToolRecord): string | null
  /** What is left out of the offered functions and why; shown to the owner in a tool test. */
  notice?(tool: ToolRecord): string | null
  close?(): Promise<void>
  /** Context for the model about the caller's last utterance, without a tool call; null if there is none. */
  context?(tool: ToolRecord, said: { words: string; language: string }, signal: AbortSignal): Promise<string | null>
}
