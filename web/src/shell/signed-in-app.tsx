// The app for a signed-in user: layout and routes, plus the handling of page crashes, a lost connection and an expired
// session.
import { Notifications } from '@mantine/notifications'
import { type ReactNode, Suspense, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { ErrorBoundary } from '../components/error-boundary.ts'
import { useLiveUpdates } from '../event-stream.ts'
import { lazyComponent } from '../lazy-component.ts'
import { pages } from '../pages.ts'
import type { Session } from '../session.tsx'
import { setPageUser, useIsSignInNeeded } from '../sign-in-again.ts'
import { ConnectionStrip } from './connection-strip.tsx'
import { Crash } from './crash.tsx'
import { Layout } from './layout.tsx'
import { NotFound } from './not-found.tsx'
import { UpdatedNotice } from './updated.tsx'

const SignInDialog = lazyComponent(() => import('./sign-in-dialog.tsx'), 'SignInDialog')

type Props = { user: NonNullable<Session['user']>; waiting: ReactNode }

/** The key discards all state when another user signs in. */
export const SignedInApp = (props: Props) => <AppOfUser key={props.user.id} {...props} />

function AppOfUser({ user, waiting }: Props) {
  const [path] = useLocation()
  const isSignInNeeded = useIsSignInNeeded()
  useEffect(() => {
    setPageUser(user.id)
    return () => setPageUser(null)
  }, [user.id])
  useLiveUpdates(true)
  return (
    <>
      <Notifications position="bottom-center" />
      <Layout user={user}>
        <ConnectionStrip />
        <UpdatedNotice />
        <ErrorBoundary resetKey={path} fallback={(caught, retry) => <Crash caught={caught} retry={retry} />}>
          <Suspense fallback={waiting}>
            <Switch>
              {pages.map(([path, Page]) => (
                <Route key={path} path={path} component={Page} />
              ))}
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Layout>
      {isSignInNeeded && (
        <ErrorBoundary fallback={() => null}>
          <Suspense fallback={null}>
            <SignInDialog user={user} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}
