// The public API client, typed from its OpenAPI description (client/paths.ts); the page uses nothing else of the server.
import createFetch from 'openapi-fetch'
import createQueries from 'openapi-react-query'
import type { paths } from '../../client/paths.ts'
import { ApiError, csrfHeader } from './session.tsx'

const signedOutListeners = new Set<() => void>()
/** Called when the session has ended; returns the unsubscribe function. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener)
  return () => void signedOutListeners.delete(listener)
}

export const notifySignedOut = (): void => {
  for (const listener of signedOutListeners) listener()
}

export const api = createFetch<paths>({ baseUrl: '/' })
api.use({
  onRequest({ request }) {
    if (request.method !== 'GET')
      for (const [name, value] of Object.entries(csrfHeader())) request.headers.set(name, value)
    return request
  },
  async onResponse({ response }) {
    if (response.status === 401) notifySignedOut()
    return undefined
  },
})

/** `queries.useQuery('get', '/api/agents')` */
export const queries = createQueries(api)

/** The data of a response; throws an ApiError when it failed. */
export async function unwrap<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request
  if (response.ok) return data as T
  throw new ApiError(response.status, errorMessage(error) ?? response.statusText)
}

/** The server's message. */
export const errorMessage = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : undefined
