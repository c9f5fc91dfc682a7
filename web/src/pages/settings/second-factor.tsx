// Enables and disables the second factor.
import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { errorMessage } from '../../api.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import {
  beginSecondFactor,
  confirmSecondFactor,
  type PendingSecondFactor,
  removeSecondFactor,
  type SecondFactor,
  secondFactorQuery,
} from './account-api.ts'
import { securityTexts } from './security-texts.ts'

/** At this number of codes or below, a hint explains how to get new ones. */
const FEW_CODES = 3

export function SecondFactorSettings() {
  const t = useTexts(securityTexts)
  const client = useQueryClient()
  const factor = useQuery(secondFactorQuery)
  const [isOpen, { open, close }] = useDisclosure(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  const turnedOn = (fresh: string[]) => {
    setCodes(fresh)
    close()
    void refresh()
  }
  const turnedOff = () => {
    notifications.show({ message: t.turnedOff, color: 'ramal' })
    close()
    void refresh()
  }
  return (
    <QueryResult query={factor}>
      {(state) => (
        <>
          <SecondFactorStatus state={state} />
          <div>
            <Button variant="light" color={state.isOn ? 'red' : undefined} onClick={open}>
              {state.isOn ? t.switchOff : t.switchOn}
            </Button>
          </div>
          {isOpen &&
            (state.isOn ? (
              <DisableSecondFactor onDone={turnedOff} onClose={close} />
            ) : (
              <EnableSecondFactor onDone={turnedOn} onClose={close} />
            ))}
          <SecretOnce
            title={t.recovery}
            secret={codes?.join('\n') ?? null}
            warning={t.recoveryWarning}
            doneLabel={t.kept}
            onClose={() => setCodes(null)}
          />
        </>
      )}
    </QueryResult>
  )
}

function SecondFactorStatus({ state: { isOn, since, recoveryCodesLeft } }: { state: SecondFactor }) {
  const t = useTexts(securityTexts)
  const { locale } = useLanguage()
  if (!isOn) return <StatusLine tone="off" word={t.off} />
  return (
    <StatusLine tone="good" word={t.on}>
      {since && t.since(new Date(since).toLocaleDateString(locale, { dateStyle: 'long' }))}{' '}
      {t.codesLeft(recoveryCodesLeft)}
      {recoveryCodesLeft <= FEW_CODES && ` ${t.fewCodes}`}
    </StatusLine>
  )
}

const StatusLine = ({ tone, word, children }: { tone: 'good' | 'off'; word: string; children?: ReactNode }) => (
  <Group gap="xs">
    <StatusBadge tone={tone} word={word} />
    {children && (
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    )}
  </Group>
)

/** A form in a modal; server errors show below the fields. */
function FormModal({
  title,
  go,
  onGo,
  onClose,
  isRed = false,
  children,
}: {
  title: string
  go: string
  onGo: (form: FormData) => Promise<void>
  onClose: () => void
  isRed?: boolean
  children: ReactNode
}) {
  const c = useTexts(commonTexts)
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setPending(true)
    setProblem(null)
    await onGo(form).catch((error) =>
      setProblem(error instanceof TypeError ? c.offline : (errorMessage(error) ?? c.offline)),
    )
    setPending(false)
  }
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {children}
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending} color={isRed ? 'red' : undefined}>
              {go}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const text = (form: FormData, name: string) => String(form.get(name) ?? '')

/** Asks for the password, then shows the QR code and asks for a code that proves it was scanned. */
function EnableSecondFactor({ onDone, onClose }: { onDone: (recoveryCodes: string[]) => void; onClose: () => void }) {
  const t = useTexts(securityTexts)
  const [begun, setBegun] = useState<PendingSecondFactor | null>(null)
  if (!begun)
    return (
      <FormModal
        key="password"
        title={t.onTitle}
        go={t.go}
        onClose={onClose}
        onGo={async (form) => setBegun(await beginSecondFactor(text(form, 'password')))}
      >
        <PasswordInput label={t.password} name="password" autoComplete="current-password" required data-autofocus />
      </FormModal>
    )
  return (
    <FormModal
      key="code"
      title={t.onTitle}
      go={t.confirm}
      onClose={onClose}
      onGo={async (form) => onDone((await confirmSecondFactor(text(form, 'code'))).recoveryCodes)}
    >
      <Text size="sm">{t.scan}</Text>
      {/* Dark on white in both themes, so that cameras can read it. */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(begun.qrSvg)}`}
        alt={t.qr}
        width={220}
        height={220}
        style={{ display: 'block', margin: '0 auto', borderRadius: 8, background: '#fff' }}
      />
      <Text size="sm" component="div">
        {t.byHand} <CopyableText text={begun.secret} shown={begun.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
      </Text>
      <CodeInput label={t.code} isDigits />
    </FormModal>
  )
}

function DisableSecondFactor({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = useTexts(securityTexts)
  return (
    <FormModal
      title={t.offTitle}
      go={t.switchOff}
      onClose={onClose}
      isRed
      onGo={async (form) => {
        await removeSecondFactor({ password: text(form, 'password'), code: text(form, 'code') })
        onDone()
      }}
    >
      <Text size="sm">{t.offAbout}</Text>
      <PasswordInput label={t.password} name="password" autoComplete="current-password" required data-autofocus />
      <CodeInput label={t.codeOrRecovery} />
    </FormModal>
  )
}

const CodeInput = ({ label, isDigits = false }: { label: string; isDigits?: boolean }) => (
  <TextInput
    label={label}
    name="code"
    autoComplete="one-time-code"
    spellCheck={false}
    required
    {...(isDigits ? { inputMode: 'numeric' as const } : {})}
  />
)
