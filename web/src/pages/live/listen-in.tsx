// Button to listen in on a live call, with level meters.
import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconEar, IconEarOff } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type ListenState, listenTo } from './listen-socket.ts'
import styles from './live.module.css'
import { liveTexts } from './live-texts.ts'

/** `children`: further actions next to the button. */
export function ListenIn({ callId, children }: { callId: string; children?: ReactNode }) {
  const t = useTexts(liveTexts)
  const [state, setState] = useState<ListenState | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const stop = useRef<(() => void) | null>(null)
  const caller = useRef<HTMLDivElement>(null)
  const agent = useRef<HTMLDivElement>(null)
  useEffect(() => () => stop.current?.(), [])
  const isOn = state === 'connecting' || state === 'listening'
  const start = () => {
    setProblem(null)
    stop.current = listenTo(callId, {
      onState(now, detail) {
        setState(now)
        if (now === 'failed') setProblem(detail || t.listenFailed)
      },
      // Fires many times a second: updates the elements directly, without rendering.
      onLevel(level) {
        caller.current?.style.setProperty('--level', String(level.caller))
        agent.current?.style.setProperty('--level', String(level.agent))
      },
    })
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          variant={isOn ? 'light' : 'filled'}
          leftSection={isOn ? <IconEarOff size={18} aria-hidden /> : <IconEar size={18} aria-hidden />}
          onClick={() => (isOn ? stop.current?.() : start())}
        >
          {isOn ? t.stopListening : t.listen}
        </Button>
        {children}
      </Group>
      {isOn && (
        <Group gap="md" wrap="nowrap">
          <Meter name={t.caller} bar={caller} color="blue.5" />
          <Meter name={t.agent} bar={agent} color="ramal.5" />
        </Group>
      )}
      <Text size="xs" c="dimmed" role="status">
        {state === 'connecting' ? t.connecting : state === 'listening' ? t.listening : ''}
      </Text>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  )
}

const Meter = ({ name, bar, color }: { name: string; bar: RefObject<HTMLDivElement | null>; color: string }) => (
  <Box flex={1} maw={220} miw={80}>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <div ref={bar} className={styles.meter} aria-hidden>
      <Box component="span" bg={color} />
    </div>
  </Box>
)
