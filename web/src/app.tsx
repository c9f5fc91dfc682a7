// What is shown: the first start, the sign-in, or the page that the address names.
import { Center, Loader } from '@mantine/core'
import { lazy, Suspense, useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { whenSignedOut } from './api.ts'
import { useLiveUpdates } from './live.ts'
import { pages } from './pages.ts'
import { Failure } from './parts/states.tsx'
import { useSession, useSigning } from './session.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

const SignIn = lazy(async () => ({ default: (await import('./shell/sign-in.tsx')).SignIn }))
const FirstStart = lazy(async () => ({ default: (await import('./shell/first-start.tsx')).FirstStart }))

const waiting = (
  <Center h="60vh">
    <Loader />
  </Center>
)

export function App() {
  const { data: session, error, refetch } = useSession()
  const { forget } = useSigning()
  useEffect(() => whenSignedOut(forget), [forget])
  useLiveUpdates(session?.user != null)

  if (error) return <Failure error={error} retry={refetch} />
  if (!session) return waiting
  if (!session.user)
    return <Suspense fallback={waiting}>{session.needsSetup ? <FirstStart session={session} /> : <SignIn />}</Suspense>
  return (
    <Shell user={session.user}>
      <Suspense fallback={waiting}>
        <Switch>
          {pages.map(([path, Page]) => (
            <Route key={path} path={path} component={Page} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Shell>
  )
}
