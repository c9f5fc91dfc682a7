// Talking to an agent in the browser: call controls, transcript and response times.
import {
  Alert,
  Anchor,
  Button,
  Code,
  Collapse,
  Grid,
  List,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLock } from '@tabler/icons-react'
import { useCallback, useRef, useState } from 'react'
import { Link, useParams } from 'wouter'
import type { Agent } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { Transcript } from '../../components/transcript.tsx'
import { Waterfall } from '../../components/waterfall.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { endReasonTexts } from '../calls/end-reason-texts.ts'
import { endReasonText, isProblem } from '../calls/end-reasons.ts'
import { CallControl } from './call-control.tsx'
import { talkTexts } from './talk-texts.ts'
import { TextChat } from './text-chat.tsx'
import { canSpeak, type Levels, type Transport, useTalk } from './use-talk.ts'

export function Talk() {
  const t = useTexts(talkTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/agents/{id}', { params: { path: { id } } })
  if (reading.data) return <TalkPage key={id} agent={reading.data} />
  return (
    <Page title={t.title('…')} back={{ to: '/agents', name: t.agents }}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

function TalkPage({ agent }: { agent: Agent }) {
  const t = useTexts(talkTexts)
  const [way, setWay] = useState<'voice' | 'writing'>(canSpeak() ? 'voice' : 'writing')
  return (
    <Page
      title={t.title(agent.name)}
      about={way === 'voice' ? t.about : undefined}
      back={{ to: `/agents/${agent.id}`, name: t.agents }}
      actions={
        <SegmentedControl
          aria-label={t.way}
          value={way}
          onChange={(value) => setWay(value as typeof way)}
          data={[
            { value: 'voice', label: t.byVoice },
            { value: 'writing', label: t.inWriting },
          ]}
        />
      }
    >
      {!canSpeak() && <NoMicrophone />}
      {!agent.isActive && (
        <Alert color="yellow">
          <Text size="sm">{t.inactive}</Text>
          <Anchor component={Link} href={`/agents/${agent.id}`} size="sm">
            {t.openAgent}
          </Anchor>
        </Alert>
      )}
      {way === 'voice' ? (
        <VoiceCall agent={agent} write={() => setWay('writing')} />
      ) : (
        <TextChat agentId={agent.id} agentName={agent.name} />
      )}
    </Page>
  )
}

/** Shown on plain HTTP away from localhost: how to set up HTTPS. */
function NoMicrophone() {
  const t = useTexts(talkTexts)
  const marked = (text: string) =>
    text.split(/(TLS_CERT|TLS_KEY|TRUST_PROXY)/).map((part, i) => (i % 2 === 1 ? <Code key={part}>{part}</Code> : part))
  return (
    <Alert color="yellow" icon={<IconLock aria-hidden />} title={t.insecureTitle}>
      <Text size="sm">{t.insecureText}</Text>
      <List size="sm" my={6}>
        <List.Item>{marked(t.insecureTls)}</List.Item>
        <List.Item>{marked(t.insecureProxy)}</List.Item>
      </List>
      <Text size="sm">{t.insecureWrite}</Text>
    </Alert>
  )
}

function VoiceCall({ agent, write }: { agent: Agent; write: () => void }) {
  const t = useTexts(talkTexts)
  const reasons = useTexts(endReasonTexts)
  const [transport, setTransport] = useState<Transport>('socket')
  const [isAdvanced, advanced] = useDisclosure(false)
  const levels = useRef<HTMLDivElement>(null)
  const onLevel = useCallback(({ caller, agent: other }: Levels) => {
    levels.current?.style.setProperty('--caller', String(caller))
    levels.current?.style.setProperty('--agent', String(other))
  }, [])
  const { state, isMuted, start, hangUp, mute, digit } = useTalk(agent.id, onLevel)
  const isOver = state.phase === 'ended' || state.phase === 'failed'
  const reason = endReasonText(reasons, state.endReason)
  return (
    <Stack gap="lg">
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <CallControl
            agentName={agent.name}
            state={state}
            isMuted={isMuted}
            levels={levels}
            onStart={() => void start(transport)}
            onHangUp={hangUp}
            onMute={mute}
            onDigit={digit}
            isOff={!canSpeak() || !agent.isActive}
          >
            {state.problem && (
              <Alert color="red" role="alert" w="100%">
                <Stack gap="xs" align="flex-start">
                  <Text size="sm">{state.problem}</Text>
                  <Button size="xs" variant="default" onClick={write}>
                    {t.writeInstead}
                  </Button>
                </Stack>
              </Alert>
            )}
            {isOver && reason && (
              <Text size="sm" ta="center" c={isProblem(state.endReason) ? 'red' : 'dimmed'}>
                {isProblem(state.endReason) ? (reason.means ?? reason.short) : reason.short}
              </Text>
            )}
            {isOver && state.callId && (
              <Button component={Link} href={`/calls/${state.callId}`} variant="light" radius="xl">
                {t.openCall}
              </Button>
            )}
            {!isOver && (
              <Text size="xs" c="dimmed" ta="center">
                {t.hint}
              </Text>
            )}
            {state.phase !== 'talking' && state.phase !== 'connecting' && (
              <>
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-xs"
                  aria-expanded={isAdvanced}
                  onClick={advanced.toggle}
                >
                  {t.advanced}
                </Button>
                <Collapse expanded={isAdvanced} w="100%">
                  <Select
                    label={t.transport}
                    description={t.transportHint}
                    allowDeselect={false}
                    value={transport}
                    onChange={(value) => setTransport(value === 'webrtc' ? 'webrtc' : 'socket')}
                    data={(['socket', 'webrtc'] as const).map((value) => ({ value, label: t.transports[value] }))}
                  />
                </Collapse>
              </>
            )}
          </CallControl>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper withBorder p="lg" h="100%">
            <Title order={2} size="h4" mb="sm">
              {t.transcript}
            </Title>
            <Transcript
              isLive
              entries={state.entries}
              agentName={agent.name}
              callerName={t.you}
              height={400}
              empty={
                <Text c="dimmed" size="sm" ta="center" py={64}>
                  {t.nothingYet}
                </Text>
              }
            />
          </Paper>
        </Grid.Col>
      </Grid>
      <Waterfall turns={state.turns} isLastOpen />
    </Stack>
  )
}
