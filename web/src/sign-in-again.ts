// Lets requests of this page wait for the user to sign in over it when the session has ended.
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
