// Fetch for a session that may end while the page is open: rejected requests wait while the user signs in over the
// page, and are then sent again.

/** The same user signed in again, the session had not ended after all, or the page state was dropped. */
export type Outcome = 'same-user' | 'not-ended' | 'dropped'

export type SessionParts = {
  fetch(request: Request): Promise<Response>
  /** The owner of the current session; rejects if the server is unreachable. */
  fetchSession(): Promise<{ user: { id: string } | null }>
  csrfHeader(): Record<string, string>
  /** Called when a request fails without a response. */
  suspect(): void
}

/** A request that can be sent twice. Cloning it instead would turn its body into a stream. */
export class RepeatableRequest extends Request {
  readonly #init: RequestInit | undefined
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, init)
    this.#init = init
  }
  again(): Request {
    return new Request(this.url, { ...this.#init, method: this.method, headers: this.headers, signal: this.signal })
  }
}

export function createSessionFetch({ fetch, fetchSession, csrfHeader, suspect }: SessionParts) {
  const listeners = new Set<() => void>()
  let waiting: PromiseWithResolvers<Outcome> | null = null
  let userId: string | null = null
  /** How many times the user has signed in again. */
  let signIns = 0

  const tell = () => {
    for (const listener of listeners) listener()
  }

  function resolveSignIn(outcome: Outcome): void {
    if (outcome === 'same-user') signIns++
    const resolved = waiting
    waiting = null
    resolved?.resolve(outcome)
    tell()
  }

  /** Asks the server whether the session has really ended; if so, waits for the user to sign in. */
  async function signInAgain(): Promise<Outcome> {
    if (waiting) return waiting.promise
    if (userId === null) return 'dropped'
    // Do not ask for a password just because the server is unreachable.
    const session = await fetchSession().catch(() => undefined)
    if (session === undefined || session.user?.id === userId) return 'not-ended'
    waiting ??= Promise.withResolvers<Outcome>()
    tell()
    return waiting.promise
  }

  return {
    resolveSignIn,
    signInAgain,
    isSignInNeeded: (): boolean => waiting !== null,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Sets the user this page was rendered for; null (nobody) drops the requests that wait. */
    setPageUser(id: string | null): void {
      userId = id
      if (id === null) resolveSignIn('dropped')
    },
    /**
     * fetch() for the API client. A request rejected because the session ended is sent again once the same user has
     * signed in.
     */
    async sessionFetch(request: Request): Promise<Response> {
      const signInsBefore = signIns
      const response = await fetch(request).catch((error) => {
        if (!request.signal.aborted) suspect()
        throw error
      })
      if (response.status !== 401) return response
      const outcome = await signInAgain()
      // The user may have signed in for another request meanwhile.
      const isSignedIn = outcome === 'same-user' || (outcome === 'not-ended' && signIns > signInsBefore)
      if (!isSignedIn || !(request instanceof RepeatableRequest)) return response
      const again = request.again()
      for (const [name, value] of Object.entries(csrfHeader())) again.headers.set(name, value)
      return fetch(again)
    },
  }
}
