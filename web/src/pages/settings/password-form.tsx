// Changes the signed-in user's password.
import { Alert, Button, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessage } from '../../api.ts'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { FormGrid } from '../../components/form-grid.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useAuth, useSession } from '../../session.tsx'
import { sessionsQuery } from './account-api.ts'
import { settingsTexts } from './settings-texts.ts'

const SHORTEST = 10
const empty = { current: '', fresh: '', repeat: '' }

export function PasswordForm() {
  const t = useTexts(settingsTexts)
  const client = useQueryClient()
  const { changePassword } = useAuth()
  const { data: session } = useSession()
  const [form, setForm] = useState(empty)
  const [isSubmitted, setSubmitted] = useState(false)
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const wrong = {
    current: form.current === '' ? t.currentMissing : undefined,
    fresh: form.fresh.length < SHORTEST ? t.freshShort : undefined,
    repeat: form.repeat !== form.fresh ? t.differ : undefined,
  }
  const field = (name: keyof typeof empty) => ({
    required: true,
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setForm((before) => ({ ...before, [name]: value }))
    },
    error: isSubmitted ? wrong[name] : undefined,
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    setProblem(null)
    if (Object.values(wrong).some(Boolean)) return focusFirstError()
    setPending(true)
    try {
      await changePassword({ currentPassword: form.current, newPassword: form.fresh })
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      notifications.show({ message: t.changed, color: 'ramal' })
      setForm(empty)
      setSubmitted(false)
    } catch (error) {
      setProblem(errorMessage(error) ?? String(error))
    }
    setPending(false)
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <input type="hidden" name="username" autoComplete="username" value={session?.user?.email ?? ''} readOnly />
        <FormGrid cols={{ base: 1, sm: 3 }}>
          <PasswordInput label={t.current} autoComplete="current-password" {...field('current')} />
          <PasswordInput label={t.fresh} description={t.freshHint} autoComplete="new-password" {...field('fresh')} />
          <PasswordInput label={t.repeat} autoComplete="new-password" {...field('repeat')} />
        </FormGrid>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <div>
          <Button type="submit" variant="light" loading={isPending}>
            {t.change}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
