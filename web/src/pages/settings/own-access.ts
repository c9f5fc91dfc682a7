// What the server knows about how one signs in: the open sessions and the second factor. Beside /api, so without its client.
import { queryOptions } from '@tanstack/react-query'
import { tellSignedOut } from '../../api.ts'
import { csrfHeader, Refusal } from '../../session.tsx'

export type OwnSession = {
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
export type BegunSecondFactor = { secret: string; otpauthUrl: string; qrSvg: string }

async function ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(method === 'GET' ? {} : csrfHeader()),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = await response.json()
  if (response.ok) return answer
  if (response.status === 401) tellSignedOut()
  throw new Refusal(response.status, answer.message ?? response.statusText)
}

export const SESSIONS = '/auth/sessions'
export const SECOND_FACTOR = '/auth/second-factor'

/** Their keys are like those of the API's answers: the method, then the path. */
export const sessionsQuery = queryOptions({
  queryKey: ['get', SESSIONS],
  queryFn: () => ask<OwnSession[]>('GET', SESSIONS),
})
export const secondFactorQuery = queryOptions({
  queryKey: ['get', SECOND_FACTOR],
  queryFn: () => ask<SecondFactor>('GET', SECOND_FACTOR),
})

export const endSession = (id: string) => ask<OwnSession>('DELETE', `${SESSIONS}/${encodeURIComponent(id)}`)
export const endOtherSessions = () => ask<OwnSession[]>('DELETE', SESSIONS)
export const beginSecondFactor = (password: string) =>
  ask<BegunSecondFactor>('POST', `${SECOND_FACTOR}/begin`, { password })
export const confirmSecondFactor = (code: string) =>
  ask<{ recoveryCodes: string[] }>('POST', `${SECOND_FACTOR}/confirm`, { code })
export const removeSecondFactor = (given: { password: string; code: string }) =>
  ask<SecondFactor>('POST', `${SECOND_FACTOR}/remove`, given)
