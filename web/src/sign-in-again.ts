// Signing in over the page when the session has ended, for the requests of this page.
import { useSyncExternalStore } from 'react'
import { connection } from './connection.ts'
import { csrfHeader, fetchSession } from './session.tsx'
import { createSessionFetch } from './session-fetch.ts'

const own = createSessionFetch({
  fetch: (request) => fetch(request),
  fetchSession,
  csrfHeader,
  suspect: connection.suspect,
})

export const { setPageUser, resolveSignIn, signInAgain, sessionFetch } = own
export const useIsSignInNeeded = (): boolean => useSyncExternalStore(own.subscribe, own.isSignInNeeded)
