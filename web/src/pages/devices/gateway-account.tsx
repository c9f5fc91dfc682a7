// The user's account at an external gateway. Its password is write-only.
import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api, queries, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { FormGrid } from '../../components/form-grid.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { linkDeviceTexts } from './link-device-texts.ts'

const tones = { unverified: 'off', valid: 'good', invalid: 'bad' } as const

export function GatewayAccount() {
  const t = useTexts(linkDeviceTexts)
  const c = useTexts(commonTexts)
  // No saved account is a 404, not an error.
  const { data: account, isError } = queries.useQuery('get', '/api/gateway/credentials', {}, { retry: false })
  const { isPending, run } = useAction()
  const [email, setEmail] = useState<string | null>(null)
  const [password, setPassword] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const shown = email ?? account?.email ?? ''
  const isWrong = !/^[^@\s]+@[^@\s]+$/.test(shown)
  const stale = ['/api/gateway']

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (isWrong || password === '') return focusFirstError()
    const task = () => unwrap(api.POST('/api/gateway/credentials', { body: { email: shown, password } }))
    if (!(await run(task, { success: c.saved, stale }))) return
    setPassword('')
    setSubmitted(false)
  }

  return (
    <Section title={t.accountTitle} about={t.accountAbout}>
      {account && !isError ? (
        <Group gap="xs">
          <Text size="sm">{account.email}</Text>
          <StatusBadge tone={tones[account.status]} word={t.accountState[account.status]} />
          {account.lastVerifiedAt && (
            <Text size="sm" c="dimmed">
              {t.checked} <RelativeTime at={account.lastVerifiedAt} />
            </Text>
          )}
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {t.accountNone}
        </Text>
      )}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <FormGrid>
          <TextInput
            label={t.email}
            type="email"
            required
            autoComplete="off"
            value={shown}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={isSubmitted && isWrong ? t.emailWrong : undefined}
          />
          <PasswordInput
            label={t.accountPassword}
            required
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={isSubmitted && password === '' ? t.accountPasswordMissing : undefined}
          />
        </FormGrid>
        <Group mt="md">
          <Button type="submit" variant="light" loading={isPending}>
            {t.accountSave}
          </Button>
          {account && !isError && (
            <ConfirmButton
              warning={t.accountForgetWarning}
              confirm={t.accountForget}
              onConfirm={() => run(() => unwrap(api.DELETE('/api/gateway/credentials')), { success: c.removed, stale })}
            >
              {t.accountForget}
            </ConfirmButton>
          )}
        </Group>
      </form>
    </Section>
  )
}
