// Events of a web call, and the interface its two transports share. See docs/web-calls.md.

export type CallEvent =
  | { type: 'started'; callId: string; conversationId: string; inputRateHz: number; outputRateHz: number }
  | { type: 'said'; who: 'agent' | 'caller'; text: string; at: string }
  /** Partial transcript of a line that is not complete yet. */
  | { type: 'speaking'; who: 'agent' | 'caller'; text: string; startsAt?: number; durationMs?: number }
  | { type: 'turn'; turn: Record<string, unknown> & { number: number } }
  | { type: 'tool'; name: string; status: 'running' | 'done' | 'failed' }
  | { type: 'clear' }
  /** The connection broke and is being restored; audio is lost meanwhile. Followed by `resumed` or `ended`. */
  | { type: 'reconnecting' }
  | { type: 'resumed' }
  | { type: 'ended'; endReason: string }

/** From 0 to 1. */
export type Levels = { caller: number; agent: number }

/**
 * The server rejected the call. `status` is the HTTP status: 401 invalid token, 409 token used or agent inactive, 429
 * too many calls, 503 try again later.
 */
export class WebCallError extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.name = 'WebCallError'
    this.status = status
  }
}

/** A connection to the server. */
export type CallTransport = {
  mute(isMuted: boolean): void
  send(message: object): void
  /** Releases microphone and speakers once queued audio has played, or after `withinMs`. */
  close(withinMs: number): void
}
export type TransportEvents = {
  onEvent(event: CallEvent): void
  onLevel(levels: Partial<Levels>): void
  /** The connection closed; `error` if the server gave a reason. */
  onClosed(error?: WebCallError): void
}

export function readEvent(text: string): CallEvent | undefined {
  try {
    const event = JSON.parse(text)
    return typeof event?.type === 'string' ? event : undefined
  } catch {
    return undefined
  }
}
