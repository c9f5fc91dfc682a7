// The account of the user at a gateway elsewhere. Its password goes in and never comes out.
import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api, done, queries } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { ConfirmButton, useAction } from '../../parts/doing.tsx'
import { focusWrong } from '../../parts/focus-wrong.ts'
import { FormGrid } from '../../parts/form-grid.tsx'
import { Section } from '../../parts/section.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { When } from '../../parts/when.tsx'
import { linkingWords } from './linking-words.ts'

const tones = { unverified: 'off', valid: 'good', invalid: 'bad' } as const

export function RemoteAccount() {
  const t = useWords(linkingWords)
  const c = useWords(common)
  // None is saved: that is a 404, and no fault.
  const { data: account, isError } = queries.useQuery('get', '/api/gateway/credentials', {}, { retry: false })
  const { isDoing, run } = useAction()
  const [email, setEmail] = useState<string | null>(null)
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const shown = email ?? account?.email ?? ''
  const isWrong = !/^[^@\s]+@[^@\s]+$/.test(shown)
  const stale = ['/api/gateway']

  async function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (isWrong || password === '') return focusWrong()
    const task = () => done(api.POST('/api/gateway/credentials', { body: { email: shown, password } }))
    if (!(await run(task, { success: c.saved, stale }))) return
    setPassword('')
    setTried(false)
  }

  return (
    <Section title={t.accountTitle} about={t.accountAbout}>
      {account && !isError ? (
        <Group gap="xs">
          <Text size="sm">{account.email}</Text>
          <StatusBadge tone={tones[account.status]} word={t.accountState[account.status]} />
          {account.lastVerifiedAt && (
            <Text size="sm" c="dimmed">
              {t.checked} <When at={account.lastVerifiedAt} />
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
            error={isTried && isWrong ? t.emailWrong : undefined}
          />
          <PasswordInput
            label={t.accountPassword}
            required
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={isTried && password === '' ? t.accountPasswordMissing : undefined}
          />
        </FormGrid>
        <Group mt="md">
          <Button type="submit" variant="light" loading={isDoing}>
            {t.accountSave}
          </Button>
          {account && !isError && (
            <ConfirmButton
              warning={t.accountForgetWarning}
              confirm={t.accountForget}
              onConfirm={() => run(() => done(api.DELETE('/api/gateway/credentials')), { success: c.removed, stale })}
            >
              {t.accountForget}
            </ConfirmButton>
          )}
        </Group>
      </form>
    </Section>
  )
}
