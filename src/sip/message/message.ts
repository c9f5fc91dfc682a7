// SIP messages as plain records.
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

/** Where a message goes: an IP address, not a name. `serverName` is the name that a TLS certificate must match. */
export type Hop = {
  readonly transport: TransportName
  readonly address: string
  readonly port: number
  readonly serverName?: string
}

/** The transport flow of an incoming message; its response goes back over it. */
export type Flow = {
  readonly transport: TransportName
  readonly remote: { readonly address: string; readonly port: number }
  readonly local: { readonly address: string; readonly port: number }
  /** TCP and TLS: responses go over this connection while it is open. */
  readonly connection?: number
}
