// What is shown: the first start, the sign-in, or the platform itself.
import { Center, Loader } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { loadedLater } from './loaded-later.ts'
import { loadPage } from './pages.ts'
import { Failure } from './parts/states.tsx'
import { type Session, useSession } from './session.tsx'

const SignIn = loadedLater(() => import('./shell/sign-in.tsx'), 'SignIn')
const FirstStart = loadedLater(() => import('./shell/first-start.tsx'), 'FirstStart')
const Inside = loadedLater(() => import('./shell/inside.tsx'), 'Inside')

const waiting = (
  <Center h="60vh">
    <Loader />
  </Center>
)

export function App() {
  const { data: session, error, refetch } = useSession()
  if (error) return <Failure error={error} retry={refetch} />
  if (!session) return waiting
  return <Suspense fallback={waiting}>{shownTo(session, waiting)}</Suspense>
}

function shownTo(session: Session, waiting: ReactNode) {
  if (session.user) return <Inside user={session.user} waiting={waiting} />
  return session.needsSetup ? <FirstStart session={session} /> : <SignIn />
}

/** Everything that will be shown first, at once: one after the other, each would wait for the way to the server and back. */
export const loadAhead = ({ user, needsSetup }: Session, address: string) =>
  user ? Promise.all([Inside.load(), loadPage(address)]) : needsSetup ? FirstStart.load() : SignIn.load()
