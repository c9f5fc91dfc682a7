// Tools and tool types as the rest of the platform sees them. Types only.
import type { EndReason } from '../base/end-reasons.ts'
import type { AppError } from '../base/errors.ts'
import type { ActOutcome, CallAction, Message } from '../voice/ports.ts'

export type Json = Record<string, unknown>

/** A tool as its owner made it, with its secrets open: it never leaves the process, a log or an error. */
export type ToolRecord = {
  id: string
  userId: string
  name: string
  description: string | null
  type: string
  method: string | null
  requestUrl: string | null
  /** JSON Schema of what the model fills in. */
  parameters: Json | null
  headers: Readonly<Record<string, string>> | null
  authorization: ({ type: string } & Json) | null
  body: Json | null
  messages: Json | null
  /** What is particular to the type. Of types that send no HTTP of their own, `body` is laid beneath it. */
  config: Json
  /** Why it must not be used as it is stored, whatever its type says; null or absent: it may be. */
  problem?: string | null
}

/** Where a tool is used: in a telephone call, in a written conversation, or in a test by its owner. */
export type ToolContext = {
  userId: string
  agent: { id: string; name: string }
  /** Null in a test of one tool. */
  conversationId: string | null
  language: string
  /** IANA. */
  timeZone: string
  call: CallControl | null
  /** For {name} beside the arguments: what was given with the call, and what the answers of earlier tools gave. */
  variables: Readonly<Record<string, string>>
  history: readonly Message[]
  /** The conversation in two or three sentences, for whom it is handed to. */
  summary(signal: AbortSignal): Promise<string>
}

export type CallControl = {
  id: string
  direction: 'inbound' | 'outbound'
  fromNumber: string | null
  toNumber: string
  act(action: CallAction): Promise<ActOutcome>
  /** Another agent of the same owner takes over; the words are said by it first. */
  handOver(agentId: string, message: string | null): Promise<ActOutcome>
  /** Sound of a text in the agent's voice, for a whisper. */
  speech(text: string): AsyncIterable<{ readonly pcm: Int16Array; readonly rateHz: number }>
}

export type Run = {
  /** Id of the stored record of this call: sent along as idempotency key, the same on every try. */
  id: string
  /** Already valid by the offer's schema. */
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
      /** The run goes on in the background and ends so: its record stays `running` until then. */
      later?: Promise<Outcome>
    }
  | {
      ok: false
      /** For the model and the record: never a secret, never a stack. */
      error: string
      /** It was sent, and nobody knows whether it was done. */
      isDoubtful?: boolean
      /** Nothing was done, for a budget is used up: what an HTTP caller is told instead of an outcome. */
      overBudget?: AppError
    }

/** One function that a model may call. A tool has one; an MCP server as many as it has tools. */
export type ToolFunction = {
  name: string
  description: string
  parameters: Json
  /** Arguments that the schema does not name are handed on: the far side, or the tool itself, holds them against names of its own. */
  keepsUndeclared?: boolean
  /** It changes something: counted, and never done twice. */
  hasEffect: boolean
  /** The far side knows the idempotency key, or it is so by nature: it may be sent again when nobody knows whether it was done. */
  isRepeatable: boolean
  timeoutMs: number
  /** The model gets an answer at once, and the run goes on in the background. */
  isAsync?: boolean
  /** Of this function alone, in place of the tool's. */
  messages?: Json
  /** Expected failures are outcomes; what is thrown is a fault of ours. */
  run(run: Run, signal: AbortSignal): Promise<Outcome>
}

/** One type of tool. What it needs of the world it was made with. Throws nothing: a tool that is not fit for use offers nothing and says why. */
export interface ToolType {
  functions(tool: ToolRecord): ToolFunction[]
  /** Resolves when it is known what the tool offers, for types that have to ask; never throws. Until then `offers` gives what is known. */
  ready?(tool: ToolRecord): Promise<void>
  /** Why this tool cannot be used as it is configured; null when it can. */
  problem?(tool: ToolRecord): string | null
  /** What of it is left out of what it offers, and why; for its owner, when it is tested. */
  notice?(tool: ToolRecord): string | null
  /** Lets go of connections that it keeps. */
  close?(): Promise<void>
  /** What a model is told beforehand about the caller's last words, without a call; null where there is nothing to tell. */
  context?(tool: ToolRecord, said: { words: string; language: string }, signal: AbortSignal): Promise<string | null>
}

/** HTTP to addresses that a user named: guarded against the networks that are ours. See guarded-http.ts. */
export interface GuardedHttp {
  request(asked: HttpRequest, signal: AbortSignal): Promise<HttpResponse>
  /** The same guard behind the shape of fetch, for libraries that want one. */
  fetch: typeof fetch
}
export type HttpRequest = {
  url: string
  method: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Larger answers are cut off and fail. */
  maxBytes?: number
  timeoutMs?: number
}
export type HttpResponse = { status: number; headers: Readonly<Record<string, string>>; body: Buffer }
/** What stood in the way. `wasSent` false: nothing of it reached the far side. */
export class HttpError extends Error {
  readonly kind: 'refused' | 'unreachable' | 'timeout' | 'too-large' | 'protocol'
  readonly wasSent: boolean
  constructor(kind: HttpError['kind'], message: string, wasSent: boolean, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.wasSent = wasSent
  }
}
