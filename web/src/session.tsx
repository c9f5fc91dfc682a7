// Who is signed in. The key itself never stays here: the browser holds a cookie that no script can read.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

export type Session = {
  needsSetup: boolean
  needsSetupCode: boolean
  user: { id: string; name: string; email: string | null; role: 'admin' | 'member' } | null
  csrfToken: string | null
}

/** An answer of the server that is no success: its own words. */
export class ApiError extends Error {
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

let csrfToken: string | null = null
/** What must come with every change (see api.ts). */
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

/** Who sees how the server is set up. */
export const useIsAdmin = () => useSession().data?.user?.role === 'admin'

export type SignIn = { email: string; password: string; code?: string } | { apiKey: string }

export function useAuth() {
  const client = useQueryClient()
  const become = useCallback(
    (session: Session) => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== key[0] })
      client.setQueryData(key, session)
    },
    [client],
  )
  return {
    setUp: async (given: { email: string; password: string; setupCode?: string }) =>
      become(await request('setup', given)),
    signIn: async (given: SignIn) => become(await request('login', given)),
    signOut: async () => become(await request('logout', {})),
    changePassword: (given: { currentPassword: string; newPassword: string }) => request('password', given),
    /** The server says that we are nobody any more. */
    forget: useCallback(() => void client.invalidateQueries({ queryKey: key }), [client]),
  }
}
