// Sessions and second factor of the signed-in user. These routes are outside /api, so the typed client does not cover
// them.
import { queryOptions } from '@tanstack/react-query'
import { csrfHeader, errorOf } from '../../session.tsx'
import { RepeatableRequest } from '../../session-fetch.ts'
import { sessionFetch } from '../../sign-in-again.ts'

export type AccountSession = {
  id: string
  createdAt: string
  lastUsedAt: string
  expiresAt: string
  device: string | null
  address: string | null
  method: 'password' | 'apiKey'
  isCurrent: boolean
}
export type SecondFactor = { isOn: boolean; since: string | null; recoveryCodesLeft: number }
export type PendingSecondFactor = { secret: string; otpauthUrl: string; qrSvg: string }

async function request<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
  const asked = new RepeatableRequest(path, {
    method,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(method === 'GET' ? {} : csrfHeader()),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const response = await sessionFetch(asked)
  const answer = await response.json()
  if (response.ok) return answer
  throw await errorOf(response, answer.message, { method, path })
}

export const SESSIONS = '/auth/sessions'
const SECOND_FACTOR = '/auth/second-factor'

/** Query keys have the same shape as the API client's: method, then path. */
export const sessionsQuery = queryOptions({
  queryKey: ['get', SESSIONS],
  queryFn: () => request<AccountSession[]>('GET', SESSIONS),
})
export const secondFactorQuery = queryOptions({
  queryKey: ['get', SECOND_FACTOR],
  queryFn: () => request<SecondFactor>('GET', SECOND_FACTOR),
})

export const endSession = (id: string) => request<AccountSession>('DELETE', `${SESSIONS}/${encodeURIComponent(id)}`)
export const endOtherSessions = () => request<AccountSession[]>('DELETE', SESSIONS)
export const beginSecondFactor = (password: string) =>
  request<PendingSecondFactor>('POST', `${SECOND_FACTOR}/begin`, { password })
export const confirmSecondFactor = (code: string) =>
  request<{ recoveryCodes: string[] }>('POST', `${SECOND_FACTOR}/confirm`, { code })
export const removeSecondFactor = (proof: { password: string; code: string }) =>
  request<SecondFactor>('POST', `${SECOND_FACTOR}/remove`, proof)
