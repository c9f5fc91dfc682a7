// What the worker of web calls (webcall/worker.ts) adds to the protocol of wire.ts.

/** What the peer connection needs of the ICE settings. */
export type PeerSettings = {
  codec: 'opus' | 'PCMU'
  iceServers: readonly { urls: string | string[]; username?: string; credential?: string }[]
  ports: { from: number; to: number }
  host: string
}

/** How the browser is reached. */
export type WebClient =
  | { by: 'webrtc'; offer: string; peer: PeerSettings }
  /** Its socket stays on the main thread: its audio, both ways, is in the buffers. */
  | { by: 'socket' }

export type WebCommand =
  | { do: 'open-web'; leg: number; lostAfterMs: number; client: WebClient }
  /** For the data channel. */
  | { do: 'message'; leg: number; text: string }
  | { do: 'restart-ice'; leg: number; job: number; offer: string }
  /** After `close`, which ends the audio alone: until then messages are still delivered. */
  | { do: 'disconnect'; leg: number }

export type WebEvent =
  /** To the first offer: job 0. */
  | { type: 'answer'; job: number; sdp: string }
  | { type: 'no-answer'; job: number; problem: string }
  /** Audio can flow; false when the time for connecting is over. */
  | { type: 'connected'; isConnected: boolean }
  | { type: 'digit'; digit: string }
  | { type: 'hangup' }
  /** Of a socket: the client drops what it has buffered. */
  | { type: 'clear' }
  /** The library failed: the connection is gone. */
  | { type: 'fault'; problem: string }

export type WebNotification = { is: 'web'; leg: number; event: WebEvent }

/** In `play` of a buffer's entry: audio for the browser's socket. Audio that comes from one has its stream's number, negative. */
export const TO_SOCKET = -1
