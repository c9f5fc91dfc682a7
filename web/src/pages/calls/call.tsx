// The call page: who, when and how long; the outcome; and the details.
import { Badge, Button, Grid, Group, Stack, Text } from '@mantine/core'
import { IconBroadcast, IconFileText, IconMessages } from '@tabler/icons-react'
import { Link, useParams } from 'wouter'
import type { Call as CallRecord } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { useAgents } from '../../components/agent-name.tsx'
import { AnalysisCard } from '../../components/analysis-card.tsx'
import { useResetLists } from '../../components/list/use-server-rows.ts'
import { MoreMenu } from '../../components/more-menu.tsx'
import { Page } from '../../components/page.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { downloadText, fileName, transcriptText } from '../../components/transcript-text.ts'
import { transcriptTexts } from '../../components/transcript-texts.ts'
import { useAction, useLeavePage } from '../../components/use-action.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMay } from '../../organization.ts'
import { RehearseCall } from '../rehearsals/rehearse-call.tsx'
import { CallDetails } from './call-details.tsx'
import { CallFacts, CallValues, EndReasonAlert } from './call-facts.tsx'
import { callHeading } from './call-heading.ts'
import { CallHook } from './call-hook.tsx'
import { useRemoteParty } from './call-status.tsx'
import { callTexts } from './call-texts.ts'
import { EndChip } from './end-chip.tsx'
import { useCallTranscript } from './use-call-transcript.ts'

export function Call() {
  const t = useTexts(callTexts)
  const { id = '' } = useParams()
  const reading = queries.useQuery('get', '/api/calls/{id}', { params: { path: { id } } })
  if (reading.data) return <CallPage key={id} call={reading.data} />
  return (
    <Page title={t.call} back={{ to: '/calls', name: t.calls }}>
      <QueryResult query={reading}>{() => null}</QueryResult>
    </Page>
  )
}

function CallPage({ call }: { call: CallRecord }) {
  const t = useTexts(callTexts)
  const { locale } = useLanguage()
  const other = useRemoteParty()
  const { data: agents } = useAgents()
  const agentName = agents?.find(({ id }) => id === call.agentId)?.name
  const conversation = queries.useQuery(
    'get',
    '/api/conversations/{id}',
    { params: { path: { id: call.conversationId ?? '' } } },
    { enabled: call.conversationId !== null },
  )
  const mayRehearse = useMay('agents:write')
  const { who, rest, title } = callHeading(call, other(call), locale)
  return (
    <Page
      title={title}
      titleView={
        <>
          {who}{' '}
          <Text span inherit fw={450} c="dimmed" className="numbers">
            · {rest}
          </Text>
        </>
      }
      back={{ to: '/calls', name: t.calls }}
      about={
        <Group gap="xs" mt={6}>
          <EndChip call={call} />
          {call.isTest && <Badge variant="default">{t.isTest}</Badge>}
          <Text size="sm">{useParties(call, agentName)}</Text>
        </Group>
      }
      isForAll
      actions={
        <>
          {call.endedAt === null && (
            <Button
              component={Link}
              href={`/live?call=${call.id}`}
              leftSection={<IconBroadcast size={18} aria-hidden />}
            >
              {t.watch}
            </Button>
          )}
          {call.endedAt !== null && mayRehearse && <RehearseCall call={call} />}
          <CallMenu call={call} title={title} agentName={agentName} />
        </>
      }
    >
      <EndReasonAlert call={call} />
      {conversation.data && <AnalysisCard conversation={conversation.data} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <CallDetails call={call} agentName={agentName} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <CallFacts call={call} />
            <CallHook call={call} />
            <CallValues call={call} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** "Answered by Ana"; for an unanswered call, its direction and the agent. */
function useParties(call: CallRecord, agentName: string | undefined): string {
  const t = useTexts(callTexts)
  if (!agentName) return t.direction[call.direction]
  if (call.direction === 'outbound') return t.placedByAgent(agentName)
  return call.answeredAt === null ? `${t.direction.inbound} · ${agentName}` : t.answeredByAgent(agentName)
}

function CallMenu({ call, title, agentName }: { call: CallRecord; title: string; agentName: string | undefined }) {
  const t = useTexts(callTexts)
  const words = useTexts(transcriptTexts)
  const { entries } = useCallTranscript(call)
  const { run } = useAction()
  const leave = useLeavePage()
  const forgetLists = useResetLists()
  const download = () => {
    const text = transcriptText([title], entries, { ...words, agent: agentName ?? words.agent })
    downloadText(fileName(title), text)
  }
  const remove = async () => {
    const removed = await run(() => unwrap(api.DELETE('/api/calls/{id}', { params: { path: { id: call.id } } })), {
      success: t.deleted,
    })
    if (!removed) return
    forgetLists()
    leave('/calls', ['/api/calls', '/api/overview'])
  }
  return (
    <MoreMenu
      id={call.id}
      entries={[
        ...(entries.length > 0
          ? [{ label: t.downloadTranscript, icon: <IconFileText size={16} aria-hidden />, onClick: download }]
          : []),
        ...(call.conversationId
          ? [
              {
                label: t.openConversation,
                icon: <IconMessages size={16} aria-hidden />,
                href: `/conversations/${call.conversationId}`,
              },
            ]
          : []),
      ]}
      removal={
        call.endedAt === null
          ? null
          : { name: t.delete, question: t.deleteQuestion, warning: t.deleteWarning, onConfirm: remove }
      }
    />
  )
}
