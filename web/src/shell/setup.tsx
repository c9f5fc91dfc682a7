// First-time setup: creates the first account.
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { errorMessage } from '../api.ts'
import { focusFirstError } from '../components/focus-first-error.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { type Session, useAuth } from '../session.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth-texts.ts'
import { type AccountProblems, problemsOfSetup } from './auth-validation.ts'

export function Setup({ session }: { session: Session }) {
  const t = useTexts(authTexts)
  const { setUp } = useAuth()
  const [form, setForm] = useState({ email: '', password: '', repeat: '', setupCode: '' })
  const [problem, setProblem] = useState<string | null>(null)
  const [problems, setProblems] = useState<AccountProblems>({})
  const [isPending, setPending] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  const field = (name: keyof typeof form) => {
    const wrong = problems[name]
    return {
      value: form[name],
      error: wrong && t.problems[wrong],
      onChange: (event: { currentTarget: { value: string } }) => {
        const { value } = event.currentTarget
        setForm((before) => ({ ...before, [name]: value }))
        setProblems(({ [name]: _corrected, ...others }) => others)
      },
    }
  }
  /** Compares as soon as both are filled in: the mistake is easiest to correct then. */
  const compare = () => {
    if (form.repeat !== '' && form.repeat !== form.password) setProblems((before) => ({ ...before, repeat: 'differ' }))
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const wrong = problemsOfSetup(form, session.needsSetupCode)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return focusFirstError(formRef.current ?? document)
    setPending(true)
    setProblem(null)
    const { email, password, setupCode } = form
    await setUp({ email, password, ...(session.needsSetupCode ? { setupCode } : {}) }).catch((error) =>
      setProblem(errorMessage(error) ?? String(error)),
    )
    setPending(false)
  }

  return (
    <AuthLayout title={t.welcome} text={t.welcomeText}>
      <form onSubmit={(event) => void submit(event)} ref={formRef} noValidate>
        <Stack>
          <TextInput label={t.email} type="email" autoComplete="username" required autoFocus {...field('email')} />
          <PasswordInput
            label={t.password}
            description={t.passwordHint}
            autoComplete="new-password"
            required
            {...field('password')}
          />
          <PasswordInput label={t.repeat} autoComplete="new-password" required {...field('repeat')} onBlur={compare} />
          {session.needsSetupCode && (
            <TextInput
              label={t.setupCode}
              description={t.setupCodeHint}
              required
              autoComplete="off"
              {...field('setupCode')}
            />
          )}
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={isPending} fullWidth size="md">
            {t.begin}
          </Button>
          <Text size="xs" c="dimmed" ta="center">
            {t.setupStep}
          </Text>
        </Stack>
      </form>
    </AuthLayout>
  )
}
