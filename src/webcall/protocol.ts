// What a browser and the server say to each other in a web call, beside the sound. docs/web-calls.md tells it to others.
import type { EndReason } from '../base/end-reasons.ts'
import type { CallUpdate } from '../phone/ports.ts'

/** The name of the WebSocket's subprotocol, and of the data channel. */
export const SUBPROTOCOL = 'ramal.v1'
export const DATA_CHANNEL = 'ramal'
/** A third subprotocol, of a socket that takes the place of one that broke. */
export const RESUME_SUBPROTOCOL = 'ramal.resume'

/** Of the WebSocket: 16-bit mono PCM each way. */
export const INPUT_HZ = 16_000
export const OUTPUT_HZ = 24_000

/** From the browser. */
export type ClientMessage = { type: 'digit'; digit: string } | { type: 'hangup' }

/** To the browser. */
export type ServerMessage =
  | { type: 'started'; callId: string; conversationId: string; inputRateHz: number; outputRateHz: number }
  | CallUpdate
  /** The call goes on by another socket. */
  | { type: 'resumed' }
  /** What is queued is thrown away: the caller has interrupted. */
  | { type: 'clear' }
  | { type: 'ended'; endReason: EndReason }

/** A browser does not see why a WebSocket was refused, only how it was closed: with 4000 and the status that HTTP would give. */
export const closeCode = (status: number): number => 4000 + status

const MAX_TEXT = 1024

/** What is not understood is nothing: a later client may say more than this server knows. */
export function parseClientMessage(text: string): ClientMessage | undefined {
  if (text.length > MAX_TEXT) return undefined
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof said !== 'object' || said === null) return undefined
  const { type, digit } = said as { type?: unknown; digit?: unknown }
  if (type === 'hangup') return { type }
  if (type === 'digit' && typeof digit === 'string' && /^[0-9*#A-D]$/.test(digit)) return { type, digit }
  return undefined
}
