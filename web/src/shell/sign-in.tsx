// Signing in, by e-mail and password or by an API key, which is exchanged for a cookie and then forgotten.
import { Alert, Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api.ts'
import { useSigning } from '../session.tsx'
import { useWords } from '../words/words.tsx'
import { Gate } from './gate.tsx'
import { gateWords } from './gate-words.ts'

export function SignIn() {
  const t = useWords(gateWords)
  const { signIn } = useSigning()
  const [way, setWay] = useState<'password' | 'key'>('password')
  const [problem, setProblem] = useState<string | null>(null)
  const [isDoing, setDoing] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    setDoing(true)
    setProblem(null)
    await signIn(
      way === 'key'
        ? { apiKey: text('apiKey') }
        : { email: text('email'), password: String(form.get('password') ?? '') },
    ).catch((error) => setProblem(messageOf(error) ?? String(error)))
    setDoing(false)
  }

  return (
    <Gate title={t.signIn} text={t.signInText}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
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
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={isDoing} fullWidth size="md">
            {t.signIn}
          </Button>
        </Stack>
      </form>
    </Gate>
  )
}
