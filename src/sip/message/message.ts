// SIP messages as plain records. How they are read is in parse.ts, how they are written in serialise.ts.
import type { Headers } from './headers.ts'

export type SipRequest = {
  readonly kind: 'request'
  readonly method: string
  /** The Request-URI as it was written. */
  readonly uri: string
  readonly headers: Headers
  readonly body: Buffer
}

export type SipResponse = {
  readonly kind: 'response'
  readonly status: number
  readonly reason: string
  readonly headers: Headers
  readonly body: Buffer
}

export type SipMessage = SipRequest | SipResponse

export type TransportName = 'udp' | 'tcp' | 'tls'

/** Where a message goes: an address, not a name. `serverName` is what a certificate must be for. */
export type Hop = {
  readonly transport: TransportName
  readonly address: string
  readonly port: number
  readonly serverName?: string
}

/** The way a message came, by which its answer goes back. */
export type Flow = {
  readonly transport: TransportName
  readonly remote: { readonly address: string; readonly port: number }
  readonly local: { readonly address: string; readonly port: number }
  /** Set on TCP and TLS: what came by this connection is answered on it while it lives. */
  readonly connection?: number
}
