// Messages between browser and server in a web call, besides audio. Documented in docs/web-calls.md.
import type { EndReason } from '../base/domain/end-reasons.ts'
import { parsedOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import type { CallUpdate } from '../phone/ports.ts'

/** The name of the WebSocket's subprotocol, and of the data channel. */
export const SUBPROTOCOL = 'ramal.v1'
export const DATA_CHANNEL = 'ramal'
/** A third subprotocol, sent by a socket that resumes a call. */
export const RESUME_SUBPROTOCOL = 'ramal.resume'

/** WebSocket audio: 16-bit mono PCM each way. */
export const INPUT_HZ = 16_000
export const OUTPUT_HZ = 24_000
/** The jitter buffer of our WebSocket client, plus part of the network delay. */
export const CLIENT_BUFFER_MS = 100

/** From the browser. */
export type ClientMessage = { type: 'digit'; digit: string } | { type: 'hangup' }

/** To the browser. */
export type ServerMessage =
  | { type: 'started'; callId: string; conversationId: string; inputRateHz: number; outputRateHz: number }
  | CallUpdate
  /** The call continues on another socket. */
  | { type: 'resumed' }
  /** Drop queued audio: the caller has interrupted. */
  | { type: 'clear' }
  | { type: 'ended'; endReason: EndReason }

/** Browsers do not expose the status of a refused WebSocket, only its close code: 4000 plus the HTTP status. */
export const closeCode = (status: number): number => 4000 + status

/** Undefined for unknown messages: a newer client may send more than this server knows. */
export function parseClientMessage(text: string): ClientMessage | undefined {
  const message = parsedOutside(text, limits.callMessage)
  if (typeof message !== 'object' || message === null) return undefined
  const { type, digit } = message as { type?: unknown; digit?: unknown }
  if (type === 'hangup') return { type }
  if (type === 'digit' && typeof digit === 'string' && /^[0-9*#A-D]$/.test(digit)) return { type, digit }
  return undefined
}
