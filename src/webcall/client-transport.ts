// The browser's side of a web call, over WebSocket or WebRTC, as the main thread sees it. Types only.
import type { RawData } from 'ws'
import type { LegEvent } from '../rtp/leg.ts'
import type { MainLeg } from '../rtp/main-leg.ts'
import type { ServerMessage } from './protocol.ts'

/** The browser's WebSocket, or one that another node relays. */
export type BrowserSocket = {
  readonly readyState: number
  readonly OPEN: number
  /** Unsent bytes. */
  readonly bufferedAmount: number
  on(event: 'error', listener: () => void): unknown
  on(event: 'message', listener: (data: RawData, isBinary: boolean) => void): unknown
  once(event: 'close', listener: (code: number) => void): unknown
  send(message: Buffer | string): void
  close(code: number): void
  terminate(): void
  /** Starts delivering messages; they are queued until then. */
  resume(): void
}

export type ClientEvents = {
  /** The browser left on purpose, or broke the protocol. */
  onHangup(): void
  /** The connection broke and was not resumed in time. */
  onConnectionLost(): void
  onMedia(event: LegEvent): void
}

export type ClientTransport = {
  /** The call's audio, processed in a worker. */
  readonly media: Pick<MainLeg, 'input' | 'listen' | 'digits' | 'play' | 'volume' | 'hold' | 'record' | 'close'>
  /** Sample rates of the audio from and to the browser. */
  readonly inputHz: number
  readonly outputHz: number
  /** False when the browser could not be reached. */
  readonly ready: Promise<boolean>
  /** Must be called exactly once. */
  listen(events: ClientEvents): void
  sendMessage(message: ServerMessage): void
  /** Messages already sent are still delivered. */
  close(): void
  /** The call was refused; the caller of the transport reports why. */
  refuse(): void
  /** Continues on another socket after the first one broke; false when the call is over. */
  resume?(socket: BrowserSocket): boolean
  /** ICE restart: answers the new offer of the same browser, received from this address. */
  restartIce?(offer: string, peerAddress: string): Promise<string>
}
