// The browser's side of a web call, over WebSocket or WebRTC. Types only.
import type { WebSocket } from 'ws'
import type { RtpPacket } from '../rtp/packet.ts'
import type { Decoder } from '../rtp/receiver.ts'
import type { ClientMessage, ServerMessage } from './protocol.ts'

export type ClientEvents = {
  onAudio(packet: RtpPacket, nowMs: number): void
  onMessage(message: ClientMessage): void
  /** The browser left on purpose, or broke the protocol. */
  onHangup(): void
  /** The connection broke and was not resumed in time. */
  onConnectionLost(): void
}

export type ClientTransport = {
  /** Decodes the browser's audio. */
  readonly codec: Decoder
  readonly payloadType: number
  /** Sample rate of the audio sent to the browser. */
  readonly outputHz: number
  /** So much audio the client has buffered, and drops on the message `clear`; 0 when it drops none. */
  readonly bufferMs: number
  /** False when the browser could not be reached. */
  readonly ready: Promise<boolean>
  /** Must be called exactly once. */
  listen(events: ClientEvents): void
  /** Called every 20 ms with 20 ms of audio. `isTalk`: the frame is not silence. */
  sendAudio(frame: Int16Array, isTalk: boolean): void
  sendMessage(message: ServerMessage): void
  /** Messages already sent are still delivered. */
  close(): void
  /** The call was refused; the caller of the transport reports why. */
  refuse(): void
  /** Continues on another socket after the first one broke; false when the call is over. */
  resume?(socket: WebSocket): boolean
  /** ICE restart: answers the new offer of the same browser, received from this address. */
  restartIce?(offer: string, peerAddress: string): Promise<string>
}
