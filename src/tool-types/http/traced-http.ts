// Guarded HTTP that records its requests, for the owner's tool test.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { GuardedHttp, HttpRequest } from '../../base/outside/http-port.ts'

export type Traced = { method: string; url: string; headers: Readonly<Record<string, string>>; body: string | null }
export type TracedHttp = GuardedHttp & {
  /** Runs the work and records the requests it sends. */
  trace<T>(work: () => Promise<T>): Promise<{ value: T; requests: Traced[] }>
}

const MAX_REQUESTS = 10
const MAX_BODY = 10_000

export function tracedHttp(http: GuardedHttp): TracedHttp {
  const notes = new AsyncLocalStorage<Traced[]>()
  function note({ method, url, headers = {}, body }: HttpRequest): void {
    const requests = notes.getStore()
    if (!requests || requests.length === MAX_REQUESTS) return
    const text = typeof body === 'string' ? body : body ? Buffer.from(body).toString('utf8') : null
    requests.push({ method, url, headers, body: text?.slice(0, MAX_BODY) ?? null })
  }
  return {
    request(asked, signal) {
      note(asked)
      return http.request(asked, signal)
    },
    fetch(input, init) {
      const asked = new Request(input, init)
      note({ method: asked.method, url: asked.url, headers: Object.fromEntries(asked.headers) })
      return http.fetch(input, init)
    },
    async trace(work) {
      const requests: Traced[] = []
      return { value: await notes.run(requests, work), requests }
    },
  }
}
