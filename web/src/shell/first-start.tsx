// The very first page: who will sign in here.
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api.ts'
import { useWords } from '../i18n/words.tsx'
import { type Session, useSigning } from '../session.tsx'
import { Gate } from './gate.tsx'
import { gateWords } from './gate-words.ts'

const MIN_PASSWORD = 10

export function FirstStart({ session }: { session: Session }) {
  const t = useWords(gateWords)
  const { setUp } = useSigning()
  const [given, setGiven] = useState({ email: '', password: '', repeat: '', setupCode: '' })
  const [problem, setProblem] = useState<string | null>(null)
  const [isDoing, setDoing] = useState(false)
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setGiven((before) => ({ ...before, [name]: value }))
    },
  })
  const differ = given.repeat !== '' && given.repeat !== given.password

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (given.repeat !== given.password) return setProblem(t.differ)
    setDoing(true)
    setProblem(null)
    const { email, password, setupCode } = given
    await setUp({ email, password, ...(session.needsSetupCode ? { setupCode } : {}) }).catch((error) =>
      setProblem(messageOf(error) ?? String(error)),
    )
    setDoing(false)
  }

  return (
    <Gate title={t.welcome} text={t.welcomeText}>
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
          <Button type="submit" loading={isDoing} fullWidth size="md">
            {t.begin}
          </Button>
        </Stack>
      </form>
    </Gate>
  )
}
