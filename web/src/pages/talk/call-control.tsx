// Call controls: start, mute, keypad, hang up and level meters.
import {
  ActionIcon,
  Box,
  Button,
  Collapse,
  Group,
  Paper,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDialpad, IconMicrophone, IconMicrophoneOff, IconPhone, IconPhoneOff } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { formatDuration } from '../../components/date-time.tsx'
import { useNow } from '../../components/use-now.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import styles from './call-control.module.css'
import type { TalkState } from './talk-state.ts'
import { talkTexts } from './talk-texts.ts'

export type CallControlProps = {
  agentName: string
  state: TalkState
  isMuted: boolean
  /** Levels are set as CSS properties many times a second, without rendering. */
  levels: RefObject<HTMLDivElement | null>
  onStart: () => void
  onHangUp: () => void
  onMute: (isMuted: boolean) => void
  onDigit: (digit: string) => void
  isOff: boolean
  /** For a narrow panel: no frame, and a smaller orb. */
  isCompact?: boolean
  children?: ReactNode
}

export function CallControl({
  agentName,
  state,
  isMuted,
  levels,
  onStart,
  onHangUp,
  onMute,
  onDigit,
  isOff,
  isCompact = false,
  children,
}: CallControlProps) {
  const t = useTexts(talkTexts)
  const [isKeypad, keypad] = useDisclosure(false)
  const { phase } = state
  const isOn = phase === 'connecting' || phase === 'talking'
  const name = { idle: t.ready, connecting: t.connecting, talking: t.talking, ended: t.ended, failed: t.failed }[phase]
  return (
    <Paper
      {...(isCompact ? { bg: 'transparent' } : { withBorder: true, p: 'lg' })}
      className={isCompact ? styles.compact : undefined}
      component="section"
      aria-label={agentName}
      ref={levels}
    >
      <Stack gap="xs" align="center">
        {!isCompact && (
          <Text fw={650} size="lg">
            {agentName}
          </Text>
        )}
        <Group gap={8}>
          <Text size="sm" c="dimmed" role="status">
            {isMuted && isOn ? t.muted : name}
          </Text>
          {state.startedAt !== null && <Clock state={state} />}
        </Group>
        {isOn && (
          <div className={`${styles.orb} ${phase === 'connecting' ? styles.waiting : ''}`} aria-hidden>
            <span className={styles.halo} />
            <span className={styles.ring} />
            <span className={styles.heart}>
              <Text span fz={isCompact ? 34 : 48} fw={600} c="white">
                {agentName.trim().charAt(0).toUpperCase()}
              </Text>
            </span>
          </div>
        )}
        {isOn ? (
          <>
            <Group gap="lg" justify="center">
              <RoundButton
                name={isMuted ? t.unmute : t.mute}
                isPressed={isMuted}
                onClick={() => onMute(!isMuted)}
                icon={isMuted ? <IconMicrophoneOff size={24} /> : <IconMicrophone size={24} />}
              />
              <Tooltip label={t.hangUp}>
                <ActionIcon size={64} radius="xl" color="red" variant="filled" aria-label={t.hangUp} onClick={onHangUp}>
                  <IconPhoneOff size={28} aria-hidden />
                </ActionIcon>
              </Tooltip>
              <RoundButton
                name={t.keypad}
                isPressed={isKeypad}
                onClick={keypad.toggle}
                icon={<IconDialpad size={24} />}
              />
            </Group>
            <Collapse expanded={isKeypad}>
              <Keypad onDigit={onDigit} isOff={phase !== 'talking'} />
            </Collapse>
            <Box w="100%" maw={280} mt="sm">
              <Meter name={t.you} side="caller" />
              <Meter name={agentName} side="agent" />
            </Box>
          </>
        ) : (
          <UnstyledButton className={`${styles.begin} ${isOff ? styles.quiet : ''}`} onClick={onStart} disabled={isOff}>
            <span className={styles.orb} aria-hidden>
              <span className={styles.heart}>
                <IconPhone size={isCompact ? 36 : 52} stroke={1.5} />
              </span>
            </span>
            <span className={styles.pill}>{phase === 'idle' ? t.start : t.again}</span>
          </UnstyledButton>
        )}
        {children}
      </Stack>
    </Paper>
  )
}

export function Clock({ state }: { state: TalkState }) {
  const now = useNow(500)
  const t = useTexts(talkTexts)
  const seconds = ((state.endedAt ?? now) - (state.startedAt ?? now)) / 1000
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  return (
    <>
      <Text size="sm" className="numbers" fw={600} aria-hidden>
        {formatDuration(Math.floor(Math.max(0, seconds)))}
      </Text>
      {/* Announcing every second would talk over the call, so screen readers hear each minute. */}
      <VisuallyHidden role="timer" aria-live="polite">
        {minutes > 0 && t.minutes(minutes)}
      </VisuallyHidden>
    </>
  )
}

type Round = { name: string; isPressed: boolean; onClick: () => void; icon: ReactNode; size?: number }

export const RoundButton = ({ name, isPressed, onClick, icon, size = 52 }: Round) => (
  <Tooltip label={name}>
    <ActionIcon
      size={size}
      radius="xl"
      variant={isPressed ? 'filled' : 'default'}
      aria-label={name}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  </Tooltip>
)

export const Meter = ({ name, side }: { name: string; side: 'caller' | 'agent' }) => (
  <Group gap="sm" wrap="nowrap" mt={6}>
    <Text size="xs" c="dimmed" w={72} truncate>
      {name}
    </Text>
    <Box flex={1} className={`${styles.meter} ${styles[side]}`} aria-hidden>
      <span />
    </Box>
  </Group>
)

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

export function Keypad({ onDigit, isOff }: { onDigit: (digit: string) => void; isOff: boolean }) {
  const t = useTexts(talkTexts)
  return (
    <fieldset className={styles.keys} style={{ border: 0, padding: '8px 0', margin: 0 }} aria-label={t.keypad}>
      {digits.map((digit) => (
        <Button
          key={digit}
          variant="default"
          h={48}
          fz="lg"
          disabled={isOff}
          aria-label={t.digit(digit)}
          onClick={() => onDigit(digit)}
        >
          {digit}
        </Button>
      ))}
    </fieldset>
  )
}
