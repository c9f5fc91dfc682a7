// The platform, for who is signed in: the frame, and in it the page that the address names.
import { Notifications } from '@mantine/notifications'
import { type ReactNode, Suspense, useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { whenSignedOut } from '../api.ts'
import { useLiveUpdates } from '../live.ts'
import { pages } from '../pages.ts'
import { type Session, useSigning } from '../session.tsx'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

export function Inside({ user, waiting }: { user: NonNullable<Session['user']>; waiting: ReactNode }) {
  const { forget } = useSigning()
  useEffect(() => whenSignedOut(forget), [forget])
  useLiveUpdates(true)
  return (
    <>
      <Notifications position="top-right" />
      <Shell user={user}>
        <Suspense fallback={waiting}>
          <Switch>
            {pages.map(([path, Page]) => (
              <Route key={path} path={path} component={Page} />
            ))}
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </Shell>
    </>
  )
}
