// What a web call tells the page that it runs in, and what both of its ways have in common. docs/web-calls.md explains it.

export type CallEvent =
  | { type: 'started'; callId: string; conversationId: string; inputRateHz: number; outputRateHz: number }
  | { type: 'said'; who: 'agent' | 'caller'; text: string; at: string }
  | { type: 'turn'; turn: Record<string, unknown> & { number: number } }
  | { type: 'tool'; name: string; status: 'running' | 'done' | 'failed' }
  | { type: 'clear' }
  /** The connection broke, and another is looked for: what is said meanwhile is not heard. Then `resumed`, or `ended`. */
  | { type: 'reconnecting' }
  | { type: 'resumed' }
  | { type: 'ended'; endReason: string }

/** From 0 to 1. */
export type Levels = { caller: number; agent: number }

/** The server did not take the call; `status` is as in HTTP: 401 the token, 409 used or not active, 429 too many calls, 503 later. */
export class WebCallError extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.name = 'WebCallError'
    this.status = status
  }
}

/** One way to the server. */
export type CallTransport = {
  mute(isMuted: boolean): void
  send(message: object): void
  /** Microphone and speakers are given back, once what is queued was heard or so much time has passed. */
  close(withinMs: number): void
}
export type TransportEvents = {
  onEvent(event: CallEvent): void
  onLevel(levels: Partial<Levels>): void
  /** The connection is gone; `refusal` where the server had a reason. */
  onClosed(refusal?: WebCallError): void
}

export function readEvent(text: string): CallEvent | undefined {
  try {
    const event = JSON.parse(text)
    return typeof event?.type === 'string' ? event : undefined
  } catch {
    return undefined
  }
}
