// The browser's end of a web call, however it is reached: by a WebSocket or by WebRTC. Types only.
import type { WebSocket } from 'ws'
import type { RtpPacket } from '../rtp/packet.ts'
import type { Decoder } from '../rtp/receiver.ts'
import type { ClientMessage, ServerMessage } from './protocol.ts'

export type ClientEvents = {
  onAudio(packet: RtpPacket, nowMs: number): void
  onMessage(message: ClientMessage): void
  /** It has left, and says nothing more. */
  onHangup(): void
  /** Its way broke, and it did not come back by another one. */
  onConnectionLost(): void
}

export type ClientTransport = {
  /** How what comes from it is decoded, and the rate of what it is sent. */
  readonly codec: Decoder
  readonly payloadType: number
  readonly outputHz: number
  /** False when it could not be reached. */
  readonly ready: Promise<boolean>
  /** Once. */
  listen(events: ClientEvents): void
  /** 20 ms, every 20 ms; `isTalk`: there is something in it. */
  sendAudio(frame: Int16Array, isTalk: boolean): void
  sendMessage(message: ServerMessage): void
  /** What was told before still goes out. */
  close(): void
  /** It was not let in; who let it come this far tells it why. */
  refuse(): void
  /** Another socket in the place of the one that broke; false when the call is over. */
  resume?(socket: WebSocket): boolean
  /** Another way for the sound of the same browser: its new offer, which came from this address, is answered. */
  restartIce?(offer: string, peerAddress: string): Promise<string>
}
