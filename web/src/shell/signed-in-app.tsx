// The app for a signed-in user: layout and routes, plus the handling of page crashes, a lost connection and an expired
// session.
import { Notifications, notifications } from '@mantine/notifications'
import { type ReactNode, Suspense, useEffect } from 'react'
import { Route, Switch, useLocation, useSearchParams } from 'wouter'
import { errorMessage } from '../api.ts'
import { ErrorBoundary } from '../components/error-boundary.ts'
import { useLiveUpdates } from '../event-stream.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { lazyComponent } from '../lazy-component.ts'
import { onOrganizationLoss, useMay, useOrganization } from '../organization.ts'
import { permissionOfPage } from '../page-permissions.ts'
import { pages } from '../pages.ts'
import { type Session, switchOrganization } from '../session.tsx'
import { setPageUser, useIsSignInNeeded } from '../sign-in-again.ts'
import { ConnectionStrip } from './connection-strip.tsx'
import { Crash } from './crash.tsx'
import { Layout } from './layout.tsx'
import { navigationTexts } from './navigation-texts.ts'
import { NotFound } from './not-found.tsx'
import { UpdatedNotice } from './updated.tsx'

const NotPermitted = lazyComponent(() => import('./not-permitted.tsx'), 'NotPermitted')
const SignInDialog = lazyComponent(() => import('./sign-in-dialog.tsx'), 'SignInDialog')

/** Pages of the platform, for a person without an organization. */
const worksAlone = ['/settings', '/users', '/organization']

type Props = { user: NonNullable<Session['user']>; waiting: ReactNode }

/** The key discards all state when another user signs in, or the tab changes its organization. */
export function SignedInApp(props: Props) {
  const organization = useOrganization()
  return <AppOfUser key={`${props.user.id} ${organization?.id}`} {...props} />
}

/** `?organization=` in the address of a page changes the organization of this tab. */
function useOrganizationInAddress(): void {
  const t = useTexts(navigationTexts)
  const [search, setSearch] = useSearchParams()
  const [, go] = useLocation()
  const wanted = search.get('organization')
  useEffect(() => {
    if (wanted === null) return
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete('organization')
        return next
      },
      { replace: true },
    )
    void switchOrganization(wanted).catch((error) =>
      notifications.show({ message: errorMessage(error) ?? String(error), color: 'red', autoClose: 10_000 }),
    )
  }, [wanted, setSearch])
  useEffect(
    () =>
      onOrganizationLoss((name) => {
        notifications.show({ message: t.organizationLost(name), color: 'red', autoClose: 10_000 })
        go('/')
      }),
    [t, go],
  )
}

function AppOfUser({ user, waiting }: Props) {
  const [path] = useLocation()
  const isSignInNeeded = useIsSignInNeeded()
  useEffect(() => {
    setPageUser(user.id)
    return () => setPageUser(null)
  }, [user.id])
  const organization = useOrganization()
  const isPermittedHere = useMay(permissionOfPage(path))
  useOrganizationInAddress()
  useLiveUpdates(organization !== null)
  return (
    <>
      <Notifications position="bottom-center" />
      <Layout user={user}>
        <ConnectionStrip />
        <UpdatedNotice />
        <ErrorBoundary resetKey={path} fallback={(caught, retry) => <Crash caught={caught} retry={retry} />}>
          <Suspense fallback={waiting}>
            {isPermittedHere && (organization || worksAlone.includes(path)) ? (
              <Switch>
                {pages.map(([path, Page]) => (
                  <Route key={path} path={path} component={Page} />
                ))}
                <Route component={NotFound} />
              </Switch>
            ) : (
              <NotPermitted />
            )}
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
