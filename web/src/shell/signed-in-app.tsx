// The app for a signed-in user: layout and routes.
import { Notifications } from '@mantine/notifications'
import { type ReactNode, Suspense, useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { onSignedOut } from '../api.ts'
import { useLiveUpdates } from '../event-stream.ts'
import { pages } from '../pages.ts'
import { type Session, useAuth } from '../session.tsx'
import { Layout } from './layout.tsx'
import { NotFound } from './not-found.tsx'

export function SignedInApp({ user, waiting }: { user: NonNullable<Session['user']>; waiting: ReactNode }) {
  const { refresh } = useAuth()
  useEffect(() => onSignedOut(refresh), [refresh])
  useLiveUpdates(true)
  return (
    <>
      <Notifications position="top-right" />
      <Layout user={user}>
        <Suspense fallback={waiting}>
          <Switch>
            {pages.map(([path, Page]) => (
              <Route key={path} path={path} component={Page} />
            ))}
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </Layout>
    </>
  )
}
