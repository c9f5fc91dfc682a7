// The page behind a one-time link: an invited person creates their account, or a user sets a new password. The token is
// in the URL fragment, which browsers do not send to servers, and is removed from the URL at once.
import { Alert, Button, Center, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { errorMessage } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { ApiError, type OpenLink, useAuth, useSession } from '../session.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth-texts.ts'
import { inviteTexts } from './invite-texts.ts'
import { SignInForm } from './sign-in-form.tsx'

const MIN_PASSWORD = 10

let taken = ''

/** Reads the token and removes it from the URL: a later user of this browser must not find it in the history. */
function takeToken(): string {
  const token = location.hash.slice(1)
  if (token !== '') {
    taken = token
    history.replaceState(null, '', '/invite')
  }
  return taken
}

export function Invite() {
  const t = useTexts(inviteTexts)
  const c = useTexts(commonTexts)
  const { openLink } = useAuth()
  const [token, setToken] = useState(takeToken)
  useEffect(() => {
    // Another link was opened in the same tab.
    const change = () => setToken(takeToken())
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [])
  const [isDone, setDone] = useState(false)
  const link = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => openLink(token),
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const isGone = token === '' || (link.error instanceof ApiError && link.error.statusCode === 404)
  if (isDone) return <Finished title={t.doneTitle} text={t.doneText} />
  if (isGone) return <Finished title={t.goneTitle} text={t.goneText} />
  if (link.error)
    return (
      <AuthLayout title={c.failed} text={errorMessage(link.error) ?? c.offline}>
        <Button onClick={() => void link.refetch()}>{c.tryAgain}</Button>
      </AuthLayout>
    )
  if (!link.data)
    return (
      <AuthLayout title={t.checking} text="">
        <Center>
          <Loader />
        </Center>
      </AuthLayout>
    )
  if (link.data.isKnown) return <AcceptAsKnown key={token} token={token} link={link.data} />
  return <LinkForm key={token} token={token} link={link.data} onDone={() => setDone(true)} />
}

function Finished({ title, text }: { title: string; text: string }) {
  const t = useTexts(inviteTexts)
  const [, go] = useLocation()
  return (
    <AuthLayout title={title} text={text}>
      <Button fullWidth onClick={() => go('/')}>
        {t.toSignIn}
      </Button>
    </AuthLayout>
  )
}

/** The invited person has an account: they join with one click, once they are signed in with the invited address. */
function AcceptAsKnown({ token, link }: { token: string; link: OpenLink }) {
  const t = useTexts(inviteTexts)
  const { acceptLink, signIn, signOut } = useAuth()
  const user = useSession().data?.user
  const [, go] = useLocation()
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const organization = link.organization ?? ''
  const email = link.email ?? ''
  const act = async (task: () => Promise<void>) => {
    setPending(true)
    setProblem(null)
    await task().catch((error) => setProblem(errorMessage(error) ?? String(error)))
    setPending(false)
  }
  const join = async () => {
    await acceptLink({ token })
    go('/', { replace: true })
  }
  if (!user)
    return (
      <AuthLayout title={t.memberTitle(organization)} text={t.memberSignIn(email)}>
        <SignInForm signIn={signIn} email={email} />
      </AuthLayout>
    )
  const isInvited = user.email === email
  return (
    <AuthLayout
      title={t.memberTitle(organization)}
      text={isInvited ? t.memberReady(email) : t.memberOther(user.email ?? user.name, email)}
    >
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            <Text size="sm">{problem}</Text>
          </Alert>
        )}
        {isInvited ? (
          <Button
            fullWidth
            size="md"
            h="auto"
            mih={42}
            py="xs"
            styles={{ label: { whiteSpace: 'normal' } }}
            loading={isPending}
            onClick={() => void act(join)}
          >
            {t.memberJoin(organization)}
          </Button>
        ) : (
          <Button fullWidth variant="default" loading={isPending} onClick={() => void act(signOut)}>
            {t.signOut}
          </Button>
        )}
      </Stack>
    </AuthLayout>
  )
}

function LinkForm({ token, link, onDone }: { token: string; link: OpenLink; onDone: () => void }) {
  const t = { ...useTexts(authTexts), ...useTexts(inviteTexts) }
  const isJoining = link.kind !== 'password'
  const { acceptLink } = useAuth()
  const other = useSession().data?.user
  const [, go] = useLocation()
  const [form, setForm] = useState({ name: link.name, password: '', repeat: '' })
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setForm((before) => ({ ...before, [name]: value }))
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (form.repeat !== form.password) return setProblem(t.problems.differ)
    setPending(true)
    setProblem(null)
    try {
      const { password } = form
      await acceptLink({ token, password, ...(isJoining ? { name: form.name.trim() || link.name } : {}) })
      if (isJoining) go('/', { replace: true })
      else onDone()
    } catch (error) {
      setProblem(errorMessage(error) ?? String(error))
    }
    setPending(false)
  }

  return (
    <AuthLayout
      title={link.organization ? t.memberTitle(link.organization) : isJoining ? t.joinTitle : t.passwordTitle}
      text={link.organization ? t.memberText : isJoining ? t.joinText : t.passwordText}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {other && isJoining && <Alert color="yellow">{t.otherAccount(other.email ?? other.name)}</Alert>}
          <TextInput
            label={t.email}
            description={isJoining ? t.emailFixed : undefined}
            type="email"
            autoComplete="username"
            readOnly
            variant="filled"
            value={link.email ?? ''}
          />
          {isJoining && <TextInput label={t.name} autoComplete="name" maxLength={255} required {...field('name')} />}
          <PasswordInput
            label={t.password}
            description={t.passwordHint}
            autoComplete="new-password"
            minLength={MIN_PASSWORD}
            required
            autoFocus
            {...field('password')}
          />
          <PasswordInput
            label={t.repeat}
            autoComplete="new-password"
            required
            error={form.repeat !== '' && form.repeat !== form.password ? t.problems.differ : undefined}
            {...field('repeat')}
          />
          {problem && (
            <Alert color="red" role="alert">
              <Text size="sm">{problem}</Text>
            </Alert>
          )}
          <Button type="submit" loading={isPending} fullWidth size="md">
            {isJoining ? t.join : t.setPassword}
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  )
}
