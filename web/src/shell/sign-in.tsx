// Signing in, by e-mail and password (and a code, where one is asked for) or by an API key, which is exchanged for a cookie and
// then forgotten.
import { Alert, Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api.ts'
import { useWords } from '../i18n/words.tsx'
import { type SignIn as Given, useSigning } from '../session.tsx'
import { Gate } from './gate.tsx'
import { gateWords } from './gate-words.ts'

/** What the server says when the password was right and is not enough. */
const CODE_NEEDED = 'A code is needed'

type Account = { email: string; password: string }

export function SignIn() {
  const t = useWords(gateWords)
  const { signIn } = useSigning()
  const [way, setWay] = useState<'password' | 'key'>('password')
  /** Who has said the password already, and is now asked for a code. */
  const [account, setAccount] = useState<Account | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isDoing, setDoing] = useState(false)

  async function enter(given: Given) {
    setDoing(true)
    setProblem(null)
    try {
      await signIn(given)
    } catch (error) {
      const message = messageOf(error) ?? String(error)
      if (message === CODE_NEEDED && 'email' in given) setAccount({ email: given.email, password: given.password })
      else setProblem(message)
    }
    setDoing(false)
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
    <Gate title={account ? t.codeTitle : t.signIn} text={account ? t.codeText : t.signInText}>
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
          <Button type="submit" loading={isDoing} fullWidth size="md">
            {t.signIn}
          </Button>
          {account && (
            <Button variant="subtle" color="gray" onClick={back} fullWidth>
              {t.back}
            </Button>
          )}
        </Stack>
      </form>
    </Gate>
  )
}

function AccountFields({ way, setWay }: { way: 'password' | 'key'; setWay: (way: 'password' | 'key') => void }) {
  const t = useWords(gateWords)
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
