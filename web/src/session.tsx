// The session: the signed-in user. API keys are not kept here; the browser holds an HttpOnly cookie.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

export type Session = {
  needsSetup: boolean
  needsSetupCode: boolean
  user: { id: string; name: string; email: string | null; role: 'admin' | 'member' } | null
  csrfToken: string | null
}

/** An unsuccessful response, with the server's message. */
export class ApiError extends Error {
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

let csrfToken: string | null = null
/** Required on every request that changes something (see api.ts). */
export const csrfHeader = (): Record<string, string> => (csrfToken ? { 'x-csrf-token': csrfToken } : {})

async function request(path: string, body?: object): Promise<Session> {
  const response = await fetch(`/auth/${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...csrfHeader() },
  })
  const answer = await response.json()
  if (!response.ok) throw new ApiError(response.status, answer.message ?? response.statusText)
  csrfToken = (answer as Session).csrfToken
  return answer
}

const key = ['session']

export const sessionQuery = queryOptions({
  queryKey: key,
  queryFn: () => request('session'),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})
export const useSession = () => useQuery(sessionQuery)

/** Admins see the server settings. */
export const useIsAdmin = () => useSession().data?.user?.role === 'admin'

export type SignIn = { email: string; password: string; code?: string } | { apiKey: string }

export function useAuth() {
  const client = useQueryClient()
  const replaceSession = useCallback(
    (session: Session) => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== key[0] })
      client.setQueryData(key, session)
    },
    [client],
  )
  return {
    setUp: async (account: { email: string; password: string; setupCode?: string }) =>
      replaceSession(await request('setup', account)),
    signIn: async (credentials: SignIn) => replaceSession(await request('login', credentials)),
    signOut: async () => replaceSession(await request('logout', {})),
    changePassword: (passwords: { currentPassword: string; newPassword: string }) => request('password', passwords),
    /** Refetches the session after the server ended it. */
    refresh: useCallback(() => void client.invalidateQueries({ queryKey: key }), [client]),
  }
}
