// Talk to a saved agent in the browser, by voice or by text.
import { Alert, Anchor, Paper, SegmentedControl, Text } from '@mantine/core'
import { Suspense, useCallback, useState } from 'react'
import { Link, useParams } from 'wouter'
import type { Agent } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { NoModelNotice } from '../../components/no-model-notice.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { lazyComponent } from '../../lazy-component.ts'
import { talkTexts } from './talk-texts.ts'
import { TextChat } from './text-chat.tsx'
import { canSpeak } from './use-talk.ts'
import { VoiceCall } from './voice-call.tsx'

/** Loaded on demand, because few users need it. */
const NoMicrophone = lazyComponent(() => import('./no-microphone.tsx'), 'NoMicrophone')

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
  const order = useCallback(() => ({ agentId: agent.id, metadata: { isTest: true } }), [agent.id])
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
      {!canSpeak() && (
        <Suspense>
          <NoMicrophone />
        </Suspense>
      )}
      <NoModelNotice />
      {!agent.isActive && (
        <Alert color="yellow">
          <Text size="sm">{t.inactive}</Text>
          <Anchor component={Link} href={`/agents/${agent.id}`} size="sm">
            {t.openAgent}
          </Anchor>
        </Alert>
      )}
      {way === 'voice' ? (
        <VoiceCall agent={agent} order={order} isOff={!agent.isActive} write={() => setWay('writing')} />
      ) : (
        <Paper withBorder p="lg">
          <TextChat agentId={agent.id} agentName={agent.name} />
        </Paper>
      )}
    </Page>
  )
}
