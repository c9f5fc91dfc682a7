// A voice call with an agent: controls, live transcript and response times, as a page or a narrow panel.
import { Button, Collapse, Grid, Paper, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense, useCallback, useRef, useState } from 'react'
import type { Agent } from '../../../../client/paths.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { lazyComponent } from '../../lazy-component.ts'
import { CallBar } from './call-bar.tsx'
import { CallControl } from './call-control.tsx'
import { talkTexts } from './talk-texts.ts'
import { canSpeak, type Levels, type NewWebCall, type Transport, useTalk } from './use-talk.ts'

// Not needed before a call starts.
const CallWords = lazyComponent(() => import('./call-words.tsx'), 'CallWords')
const CallTimings = lazyComponent(() => import('./call-timings.tsx'), 'CallTimings')
const CallOutcome = lazyComponent(() => import('./call-outcome.tsx'), 'CallOutcome')

type Props = {
  agent: Agent
  /** Returns the call to request; called when the call starts. */
  order: () => NewWebCall
  isOff?: boolean
  isCompact?: boolean
  /** Switches to the text chat. */
  write: () => void
}

/** In a panel, the transcript takes the height that the controls and the response time leave. */
const PANEL_HEIGHT = 'max(220px, calc(100dvh - 580px))'

export function VoiceCall({ agent, order, isOff = false, isCompact = false, write }: Props) {
  const t = useTexts(talkTexts)
  const [transport, setTransport] = useState<Transport>('socket')
  const levels = useRef<HTMLDivElement>(null)
  const onLevel = useCallback(({ caller, agent: other }: Levels) => {
    levels.current?.style.setProperty('--caller', String(caller))
    levels.current?.style.setProperty('--agent', String(other))
  }, [])
  const { state, isMuted, start, hangUp, mute, digit } = useTalk(order, onLevel)
  const isOver = state.phase === 'ended' || state.phase === 'failed'
  const isOn = state.phase === 'talking' || state.phase === 'connecting'
  const live = { agentName: agent.name, state, isMuted, levels, onHangUp: hangUp, onMute: mute, onDigit: digit }
  const control = (
    <CallControl {...live} isCompact={isCompact} onStart={() => void start(transport)} isOff={!canSpeak() || isOff}>
      {isOver ? (
        <Suspense>
          <CallOutcome state={state} write={write} />
        </Suspense>
      ) : (
        <Text size="xs" c="dimmed" ta="center">
          {t.hint}
        </Text>
      )}
      {!isOn && <Advanced transport={transport} onChange={setTransport} />}
    </CallControl>
  )
  const hasWords = isOn || state.entries.length > 0 || state.live.length > 0
  const words = hasWords && (
    <Suspense>
      <CallWords state={state} agentName={agent.name} height={isCompact ? PANEL_HEIGHT : 400} hasTitle={!isCompact} />
    </Suspense>
  )
  const timings = state.turns.length > 0 && (
    <Suspense>
      <CallTimings turns={state.turns} isCompact={isCompact} />
    </Suspense>
  )
  if (isCompact)
    return (
      <Stack gap="md">
        {isOn ? <CallBar {...live} /> : control}
        {words}
        {timings}
      </Stack>
    )
  return (
    <Stack gap="lg">
      <Grid gap="lg" justify="center">
        <Grid.Col span={{ base: 12, md: words ? 5 : 7 }}>{control}</Grid.Col>
        {words && (
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Paper withBorder p="lg" h="100%">
              {words}
            </Paper>
          </Grid.Col>
        )}
      </Grid>
      {timings}
    </Stack>
  )
}

function Advanced({ transport, onChange }: { transport: Transport; onChange: (transport: Transport) => void }) {
  const t = useTexts(talkTexts)
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <>
      <Button variant="subtle" color="gray" size="compact-xs" aria-expanded={isOpen} onClick={toggle}>
        {t.advanced}
      </Button>
      <Collapse expanded={isOpen} w="100%">
        <Select
          label={t.transport}
          description={t.transportHint}
          allowDeselect={false}
          value={transport}
          onChange={(value) => onChange(value === 'webrtc' ? 'webrtc' : 'socket')}
          data={(['socket', 'webrtc'] as const).map((value) => ({ value, label: t.transports[value] }))}
        />
      </Collapse>
    </>
  )
}
