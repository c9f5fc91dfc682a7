// First-time setup: creates the account to sign in with.
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { errorMessage } from '../api.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { type Session, useAuth } from '../session.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth-texts.ts'

const MIN_PASSWORD = 10

export function Setup({ session }: { session: Session }) {
  const t = useTexts(authTexts)
  const { setUp } = useAuth()
  const [form, setForm] = useState({ email: '', password: '', repeat: '', setupCode: '' })
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setForm((before) => ({ ...before, [name]: value }))
    },
  })
  const differ = form.repeat !== '' && form.repeat !== form.password

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (form.repeat !== form.password) return setProblem(t.differ)
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
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput label={t.email} type="email" autoComplete="username" required autoFocus {...field('email')} />
          <PasswordInput
            label={t.password}
            description={t.passwordHint}
            autoComplete="new-password"
            minLength={MIN_PASSWORD}
            required
            {...field('password')}
          />
          <PasswordInput
            label={t.repeat}
            autoComplete="new-password"
            required
            error={differ ? t.differ : undefined}
            {...field('repeat')}
          />
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
        </Stack>
      </form>
    </AuthLayout>
  )
}
