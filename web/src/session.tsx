// The session of the signed-in user. API keys are not kept here: the browser holds an HttpOnly cookie.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { MemberRole } from '../../src/base/domain/organization-roles.ts'
import { loadAllErrorTexts, loadErrorTexts } from './i18n/error-words.ts'
import { type ErrorProblem, parseErrorCodes } from './i18n/parse-error-codes.ts'
import { chooseOrganization, setMemberships } from './organization.ts'

export type Session = {
  needsSetup: boolean
  needsSetupCode: boolean
  user: { id: string; name: string; email: string | null; role: 'admin' | 'member' } | null
  csrfToken: string | null
  organizations: { id: string; name: string; role: MemberRole; permissions: readonly string[] }[]
  /** The one that the person used last, in any tab. */
  organizationId: string | null
}

/** The request's method and path: they decide between "could not save" and "could not load". */
export type AskedFor = { method: string; path: string }

/** An unsuccessful response, with the server's English message and the error codes to translate it from. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly problems: readonly ErrorProblem[]
  readonly asked: AskedFor | null
  readonly retryAfterSeconds: number | null
  constructor(
    statusCode: number,
    message: string,
    more: { problems?: readonly ErrorProblem[]; asked?: AskedFor | null; retryAfterSeconds?: number | null } = {},
  ) {
    super(message)
    this.statusCode = statusCode
    this.problems = more.problems ?? []
    this.asked = more.asked ?? null
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

export const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.problems.some((problem) => problem.code === code)

/** Builds the error from a body and its X-Error-Code header, once its texts are loaded. */
export async function apiError(
  body: { statusCode: number; message: string },
  codes: string | null | undefined,
  more: { asked?: AskedFor; retryAfter?: string | null } = {},
): Promise<ApiError> {
  const problems = parseErrorCodes(codes)
  await loadErrorTexts(problems)
  const seconds = Number(more.retryAfter ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(seconds) ? seconds : null
  return new ApiError(body.statusCode, body.message, { problems, asked: more.asked ?? null, retryAfterSeconds })
}

/** An error within a stream has no header, so its translation is looked up by the server's message. */
export async function streamError(body: { statusCode: number; message: string }): Promise<ApiError> {
  await loadAllErrorTexts()
  return new ApiError(body.statusCode, body.message)
}

/** Builds the error of an unsuccessful response to a request outside the typed client. */
export const errorOf = (response: Response, message: string | undefined, asked: AskedFor): Promise<ApiError> =>
  apiError({ statusCode: response.status, message: message ?? response.statusText }, response.headers.get(ERROR_CODE), {
    asked,
    retryAfter: response.headers.get('retry-after'),
  })

export const ERROR_CODE = 'x-error-code'

let csrfToken: string | null = null
/** Required on every request that changes something (see api.ts). */
export const csrfHeader = (): Record<string, string> => (csrfToken ? { 'x-csrf-token': csrfToken } : {})

/** A one-time link and its purpose. */
export type OpenLink = {
  kind: 'invitation' | 'password' | 'member'
  email: string | null
  name: string
  organization: string | null
  /** The person has an account, and signs in to accept. */
  isKnown: boolean
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`/auth/${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...csrfHeader() },
  })
  const answer = await response.json()
  if (!response.ok)
    throw await errorOf(response, answer.message, { method: body ? 'POST' : 'GET', path: `/auth/${path}` })
  return answer
}

async function request(path: string, body?: object): Promise<Session> {
  const session = await ask<Session>(path, body)
  csrfToken = session.csrfToken
  setMemberships(session)
  return session
}

/** Fetches the session without updating the page. */
export const fetchSession = () => request('session')

/** Also the organization that new tabs of this person begin with. */
export async function switchOrganization(organizationId: string): Promise<void> {
  await request('organization', { organizationId })
  chooseOrganization(organizationId)
}

const key = ['session']

export const sessionQuery = queryOptions({
  queryKey: key,
  queryFn: fetchSession,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})
export const useSession = () => useQuery(sessionQuery)

/** Only administrators see the server settings. */
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
    /** Signs in over an open page, which keeps its state if the same user signs in. Returns whether it did. */
    signInAgain: async (credentials: SignIn, userId: string): Promise<boolean> => {
      const session = await request('login', credentials)
      const isSame = session.user?.id === userId
      if (isSame) client.setQueryData(key, session)
      else replaceSession(session)
      return isSame
    },
    openLink: (token: string) => ask<OpenLink>('invitation', { token }),
    acceptLink: async (given: { token: string; password?: string; name?: string }) => {
      const session = await request('invitation/accept', given)
      // An accepted invitation leads to its organization.
      chooseOrganization(session.organizationId)
      replaceSession(session)
    },
    signOut: async () => replaceSession(await request('logout', {})),
    changePassword: (passwords: { currentPassword: string; newPassword: string }) => request('password', passwords),
  }
}
