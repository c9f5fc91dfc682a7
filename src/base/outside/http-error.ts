// The failure of a request to a server outside.

/** Why a request failed. `wasSent` false: nothing reached the server. */
export class HttpError extends Error {
  readonly kind: 'refused' | 'unreachable' | 'timeout' | 'too-large' | 'protocol'
  readonly wasSent: boolean
  constructor(kind: HttpError['kind'], message: string, wasSent: boolean, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.wasSent = wasSent
  }
}
