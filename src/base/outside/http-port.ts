// Requests to addresses given by users.

/** HTTP to addresses given by users, kept away from private networks. See guarded-http.ts. */
export interface GuardedHttp {
  request(asked: HttpRequest, signal: AbortSignal): Promise<HttpResponse>
  /** The same guard with the fetch interface, for libraries. */
  fetch: typeof fetch
}

export type HttpRequest = {
  url: string
  method: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Larger responses are aborted and fail. */
  maxBytes?: number
  timeoutMs?: number
}

export type HttpResponse = { status: number; headers: Readonly<Record<string, string>>; body: Buffer }
