// Sign-in by email and password (and a code, if required), or by an API key that is exchanged for a cookie.
import { Alert, Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { errorMessage } from '../api.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { type SignIn as Given, useAuth } from '../session.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth-texts.ts'

/** The server's message when the password is right but a code is required. */
const CODE_NEEDED = 'A code is needed'

type Account = { email: string; password: string }

export function SignIn() {
  const t = useTexts(authTexts)
  const { signIn } = useAuth()
  const [way, setWay] = useState<'password' | 'key'>('password')
  /** Set once the password was accepted and a code is required. */
  const [account, setAccount] = useState<Account | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)

  async function enter(credentials: Given) {
    setPending(true)
    setProblem(null)
    try {
      await signIn(credentials)
    } catch (error) {
      const message = errorMessage(error) ?? String(error)
      if (message === CODE_NEEDED && 'email' in credentials)
        setAccount({ email: credentials.email, password: credentials.password })
      else setProblem(message)
    }
    setPending(false)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    if (account) return void enter({ ...account, code: text('code') })
    const password = String(form.get('password') ?? '')
    void enter(way === 'key' ? { apiKey: text('apiKey') } : { email: text('email'), password })
  }

  const back = () => {
    setAccount(null)
    setProblem(null)
  }

  return (
    <AuthLayout title={account ? t.codeTitle : t.signIn} text={account ? t.codeText : t.signInText}>
      <form onSubmit={submit} key={account ? 'code' : 'account'}>
        <Stack>
          {account ? (
            <TextInput
              label={t.code}
              description={t.codeHint}
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              required
              autoFocus
            />
          ) : (
            <AccountFields way={way} setWay={setWay} />
          )}
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={isPending} fullWidth size="md">
            {t.signIn}
          </Button>
          {account && (
            <Button variant="subtle" color="gray" onClick={back} fullWidth>
              {t.back}
            </Button>
          )}
        </Stack>
      </form>
    </AuthLayout>
  )
}

function AccountFields({ way, setWay }: { way: 'password' | 'key'; setWay: (way: 'password' | 'key') => void }) {
  const t = useTexts(authTexts)
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t.way}
        value={way}
        onChange={(chosen) => setWay(chosen as typeof way)}
        data={[
          { value: 'password', label: t.withPassword },
          { value: 'key', label: t.withKey },
        ]}
      />
      {way === 'password' ? (
        <>
          <TextInput label={t.email} name="email" type="email" autoComplete="username" required />
          <PasswordInput label={t.password} name="password" autoComplete="current-password" required />
        </>
      ) : (
        <PasswordInput label={t.apiKey} name="apiKey" description={t.apiKeyHint} autoComplete="off" required />
      )}
    </>
  )
}
