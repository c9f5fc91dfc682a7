// Decides what to show: setup, sign-in or the app.
import { Center, Loader } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { ErrorMessage } from './components/query-states.tsx'
import { lazyComponent } from './lazy-component.ts'
import { loadPage } from './pages.ts'
import { type Session, useSession } from './session.tsx'

const SignIn = lazyComponent(() => import('./shell/sign-in.tsx'), 'SignIn')
const FirstStart = lazyComponent(() => import('./shell/setup.tsx'), 'Setup')
const Invite = lazyComponent(() => import('./shell/invite.tsx'), 'Invite')
const Inside = lazyComponent(() => import('./shell/signed-in-app.tsx'), 'SignedInApp')

const waiting = (
  <Center h="60vh">
    <Loader />
  </Center>
)

export function App() {
  const { data: session, error, refetch } = useSession()
  // A one-time link must work whether or not someone is signed in.
  const isInvite = useLocation()[0] === '/invite'
  if (error) return <ErrorMessage error={error} retry={refetch} />
  if (!session) return waiting
  return <Suspense fallback={waiting}>{isInvite ? <Invite /> : shownTo(session, waiting)}</Suspense>
}

function shownTo(session: Session, waiting: ReactNode) {
  if (session.user) return <Inside user={session.user} waiting={waiting} />
  return session.needsSetup ? <FirstStart session={session} /> : <SignIn />
}

/** Loads everything the first view needs in parallel: in sequence, each file would cost a round trip. */
export const preload = ({ user, needsSetup }: Session, address: string) =>
  user ? Promise.all([Inside.load(), loadPage(address)]) : needsSetup ? FirstStart.load() : SignIn.load()
