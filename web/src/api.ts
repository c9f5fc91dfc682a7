// The public API, with types made from its own description (client/paths.ts); nothing else of the server is known here.
import createFetch from 'openapi-fetch'
import createQueries from 'openapi-react-query'
import type { paths } from '../../client/paths.ts'
import { ApiError, csrfHeader } from './session.tsx'

const signedOutListeners = new Set<() => void>()
/** Called when the server no longer knows us; returns how to stop that. */
export function onSignedOut(tell: () => void): () => void {
  signedOutListeners.add(tell)
  return () => void signedOutListeners.delete(tell)
}

export const notifySignedOut = (): void => {
  for (const tell of signedOutListeners) tell()
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

/** The data of an answer, or its refusal as an error. For what is done on a click. */
export async function unwrap<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await answer
  if (response.ok) return data as T
  throw new ApiError(response.status, errorMessage(error) ?? response.statusText)
}

/** In the server's own words. */
export const errorMessage = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : undefined
