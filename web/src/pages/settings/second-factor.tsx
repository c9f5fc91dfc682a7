// The second factor: whether it is on, switching it on with a picture to scan, and off again.
import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useLanguage, useWords } from '../../i18n/words.tsx'
import { Copying } from '../../parts/copying.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Reading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import {
  type BegunSecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  type SecondFactor,
  secondFactorQuery,
} from './own-access.ts'
import { securityWords } from './security-words.ts'

/** Below this one is told how to get new ones. */
const FEW_CODES = 3

export function SecondFactorPart() {
  const t = useWords(securityWords)
  const client = useQueryClient()
  const factor = useQuery(secondFactorQuery)
  const [isOpen, { open, close }] = useDisclosure(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const readAnew = () => client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  const turnedOn = (fresh: string[]) => {
    setCodes(fresh)
    close()
    void readAnew()
  }
  const turnedOff = () => {
    notifications.show({ message: t.turnedOff, color: 'ramal' })
    close()
    void readAnew()
  }
  return (
    <Reading of={factor}>
      {(state) => (
        <>
          <State state={state} />
          <div>
            <Button variant="light" color={state.isOn ? 'red' : undefined} onClick={open}>
              {state.isOn ? t.switchOff : t.switchOn}
            </Button>
          </div>
          {isOpen &&
            (state.isOn ? (
              <SwitchOff onDone={turnedOff} onClose={close} />
            ) : (
              <SwitchOn onDone={turnedOn} onClose={close} />
            ))}
          <ShownOnce
            title={t.recovery}
            secret={codes?.join('\n') ?? null}
            warning={t.recoveryWarning}
            doneWord={t.kept}
            onClose={() => setCodes(null)}
          />
        </>
      )}
    </Reading>
  )
}

function State({ state: { isOn, since, recoveryCodesLeft } }: { state: SecondFactor }) {
  const t = useWords(securityWords)
  const { locale } = useLanguage()
  if (!isOn) return <StatusBadgeLine tone="off" word={t.off} />
  return (
    <StatusBadgeLine tone="good" word={t.on}>
      {since && t.since(new Date(since).toLocaleDateString(locale, { dateStyle: 'long' }))}{' '}
      {t.codesLeft(recoveryCodesLeft)}
      {recoveryCodesLeft <= FEW_CODES && ` ${t.fewCodes}`}
    </StatusBadgeLine>
  )
}

const StatusBadgeLine = ({ tone, word, children }: { tone: 'good' | 'off'; word: string; children?: ReactNode }) => (
  <Group gap="xs">
    <StatusBadge tone={tone} word={word} />
    {children && (
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    )}
  </Group>
)

/** A form in a window: what the server refuses is told below its fields, which keep what was typed. */
function Asking({
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
  const c = useWords(common)
  const [problem, setProblem] = useState<string | null>(null)
  const [isDoing, setDoing] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setDoing(true)
    setProblem(null)
    await onGo(form).catch((error) =>
      setProblem(error instanceof TypeError ? c.offline : (messageOf(error) ?? c.offline)),
    )
    setDoing(false)
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
            <Button type="submit" loading={isDoing} color={isRed ? 'red' : undefined}>
              {go}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const text = (form: FormData, name: string) => String(form.get(name) ?? '')

/** First the password, then the picture and a code that shows that it was read. */
function SwitchOn({ onDone, onClose }: { onDone: (recoveryCodes: string[]) => void; onClose: () => void }) {
  const t = useWords(securityWords)
  const [begun, setBegun] = useState<BegunSecondFactor | null>(null)
  if (!begun)
    return (
      <Asking
        key="password"
        title={t.onTitle}
        go={t.go}
        onClose={onClose}
        onGo={async (form) => setBegun(await beginSecondFactor(text(form, 'password')))}
      >
        <PasswordInput label={t.password} name="password" autoComplete="current-password" required data-autofocus />
      </Asking>
    )
  return (
    <Asking
      key="code"
      title={t.onTitle}
      go={t.confirm}
      onClose={onClose}
      onGo={async (form) => onDone((await confirmSecondFactor(text(form, 'code'))).recoveryCodes)}
    >
      <Text size="sm">{t.scan}</Text>
      {/* Dark on white in any theme: that is what cameras read. */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(begun.qrSvg)}`}
        alt={t.qr}
        width={220}
        height={220}
        style={{ display: 'block', margin: '0 auto', borderRadius: 8, background: '#fff' }}
      />
      <Text size="sm" component="div">
        {t.byHand} <Copying text={begun.secret} shown={begun.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
      </Text>
      <CodeInput label={t.code} isDigits />
    </Asking>
  )
}

function SwitchOff({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const t = useWords(securityWords)
  return (
    <Asking
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
    </Asking>
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
