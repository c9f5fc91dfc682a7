// Additions to the protocol of wire.ts for the worker of web calls (webcall/worker.ts).

/** The settings of the peer connection. */
export type PeerSettings = {
  codec: 'opus' | 'PCMU'
  iceServers: readonly { urls: string | string[]; username?: string; credential?: string }[]
  ports: { from: number; to: number }
  host: string
}

/** How the browser is connected. */
export type WebClient =
  | { by: 'webrtc'; offer: string; peer: PeerSettings }
  /** Its socket stays on the main thread: the audio of both directions is in the buffers. */
  | { by: 'socket' }

export type WebCommand =
  | { do: 'open-web'; leg: number; lostAfterMs: number; client: WebClient }
  /** For the data channel. */
  | { do: 'message'; leg: number; text: string }
  | { do: 'restart-ice'; leg: number; job: number; offer: string }
  /** After `close`, which only ends the audio: until then messages are still delivered. */
  | { do: 'disconnect'; leg: number }

export type WebEvent =
  /** Job 0 answers the first offer. */
  | { type: 'answer'; job: number; sdp: string }
  | { type: 'no-answer'; job: number; problem: string }
  /** False when connecting timed out. */
  | { type: 'connected'; isConnected: boolean }
  | { type: 'digit'; digit: string }
  | { type: 'hangup' }
  /** For a socket: the client drops its buffer. */
  | { type: 'clear' }
  /** The library failed: the connection is gone. */
  | { type: 'fault'; problem: string }

export type WebNotification = { is: 'web'; leg: number; event: WebEvent }

/** As `play` of an entry: audio for the browser's socket. Audio from the socket has the negative number of its stream. */
export const TO_SOCKET = -1
