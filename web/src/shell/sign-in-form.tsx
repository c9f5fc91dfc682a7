// The sign-in form: email and password (plus a code, if required), or an API key that is exchanged for a cookie.
import { Alert, Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { errorMessage } from '../api.ts'
import { focusFirstError } from '../components/focus-first-error.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { type SignIn as Given, hasErrorCode } from '../session.tsx'
import { authTexts } from './auth-texts.ts'
import { type AccountProblems, problemsOfKey, problemsOfSignIn } from './auth-validation.ts'

type Account = { email: string; password: string }
type Way = 'password' | 'key'

export type SignInFormProps = {
  signIn: (credentials: Given) => Promise<unknown>
  /** Reports the current step, which the surrounding frame names. */
  onStep?: (step: 'account' | 'code') => void
  email?: string
  way?: Way
  children?: ReactNode
}

export function SignInForm({ signIn, onStep, email = '', way: firstWay = 'password', children }: SignInFormProps) {
  const t = useTexts(authTexts)
  const [way, setWay] = useState<Way>(firstWay)
  /** Set once the password was accepted and a code is required. */
  const [account, setAccountOnly] = useState<Account | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [problems, setProblems] = useState<AccountProblems>({})
  const [isPending, setPending] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  const setAccount = (next: Account | null) => {
    setAccountOnly(next)
    onStep?.(next ? 'code' : 'account')
  }

  async function enter(credentials: Given) {
    setPending(true)
    setProblem(null)
    try {
      await signIn(credentials)
    } catch (error) {
      const message = errorMessage(error) ?? String(error)
      if (hasErrorCode(error, 'code_needed') && 'email' in credentials)
        setAccount({ email: credentials.email, password: credentials.password })
      else setProblem(message)
    }
    setPending(false)
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    if (account) {
      const code = text('code')
      return code === '' ? refuse({ code: 'missing' }) : void enter({ ...account, code })
    }
    if (way === 'key') {
      const apiKey = text('apiKey')
      const wrong = problemsOfKey(apiKey)
      return Object.keys(wrong).length > 0 ? refuse(wrong) : void enter({ apiKey })
    }
    const given = { email: text('email'), password: String(form.get('password') ?? '') }
    const wrong = problemsOfSignIn(given)
    return Object.keys(wrong).length > 0 ? refuse(wrong) : void enter(given)
  }
  const refuse = (wrong: AccountProblems) => {
    setProblems(wrong)
    focusFirstError(formRef.current ?? document)
  }
  const errorOf = (name: keyof AccountProblems) => {
    const wrong = problems[name]
    return wrong && t.problems[wrong]
  }

  const back = () => {
    setAccount(null)
    setProblem(null)
  }

  return (
    <form
      onSubmit={submit}
      onChange={() => setProblems({})}
      key={account ? 'code' : 'account'}
      ref={formRef}
      noValidate
    >
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
            error={errorOf('code')}
          />
        ) : (
          <AccountFields way={way} setWay={setWay} email={email} errorOf={errorOf} />
        )}
        {children}
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
  )
}

function AccountFields({
  way,
  setWay,
  email,
  errorOf,
}: {
  way: Way
  setWay: (way: Way) => void
  email: string
  errorOf: (name: keyof AccountProblems) => string | undefined
}) {
  const t = useTexts(authTexts)
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={t.way}
        value={way}
        onChange={(chosen) => setWay(chosen as Way)}
        data={[
          { value: 'password', label: t.withPassword },
          { value: 'key', label: t.withKey },
        ]}
      />
      {way === 'password' ? (
        <>
          <TextInput
            label={t.email}
            name="email"
            type="email"
            autoComplete="username"
            required
            defaultValue={email}
            error={errorOf('email')}
          />
          <PasswordInput
            label={t.password}
            name="password"
            autoComplete="current-password"
            required
            data-autofocus={email !== '' || undefined}
            error={errorOf('password')}
          />
        </>
      ) : (
        <PasswordInput
          label={t.apiKey}
          name="apiKey"
          description={t.apiKeyHint}
          autoComplete="off"
          required
          error={errorOf('apiKey')}
        />
      )}
    </>
  )
}
