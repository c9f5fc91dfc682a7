// A failed request to an external server.

/** Why a request failed. If `wasSent` is false, nothing reached the server. */
export class HttpError extends Error {
  readonly kind: 'refused' | 'unreachable' | 'timeout' | 'too-large' | 'protocol'
  readonly wasSent: boolean
  constructor(kind: HttpError['kind'], message: string, wasSent: boolean, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.wasSent = wasSent
  }
}
