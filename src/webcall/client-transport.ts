// The browser's end of a web call, however it is reached: by a WebSocket or by WebRTC. Types only.
import type { WebSocket } from 'ws'
import type { RtpPacket } from '../rtp/packet.ts'
import type { Decoder } from '../rtp/receiver.ts'
import type { Down, Up } from './protocol.ts'

export type FarEvents = {
  onSound(packet: RtpPacket, nowMs: number): void
  onMessage(message: Up): void
  /** It has left, and says nothing more. */
  onGone(): void
  /** Its way broke, and it did not come back by another one. */
  onLost(): void
}

export type ClientTransport = {
  /** How what comes from it is decoded, and the rate of what it is sent. */
  readonly codec: Decoder
  readonly payloadType: number
  readonly outputHz: number
  /** False when it could not be reached. */
  readonly ready: Promise<boolean>
  /** Once. */
  listen(events: FarEvents): void
  /** 20 ms, every 20 ms; `isTalk`: there is something in it. */
  send(frame: Int16Array, isTalk: boolean): void
  tell(message: Down): void
  /** What was told before still goes out. */
  close(): void
  /** It was not let in; who let it come this far tells it why. */
  refuse(): void
  /** Another socket in the place of the one that broke; false when the call is over. */
  takeUp?(socket: WebSocket): boolean
  /** Another way for the sound of the same browser: its new offer, which came from this address, is answered. */
  restart?(offer: string, peerAddress: string): Promise<string>
}
