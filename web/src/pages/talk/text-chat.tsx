// Text chat with an agent, for users without a microphone.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useCallback, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { api, queries, unwrap } from '../../api.ts'
import { MessageComposer, useMessageComposer } from '../../components/message-composer.tsx'
import type { AgentDraft } from '../../components/send-message.ts'
import { PendingReply, Transcript } from '../../components/transcript.tsx'
import { withPending } from '../../components/transcript-lines.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { talkTexts } from './talk-texts.ts'

type Props = {
  agentId: string
  agentName: string
  /** Returns unsaved agent changes to reply with; called for each message. */
  draftOf?: () => AgentDraft
  height?: string
}

export function TextChat(props: Props) {
  const [number, setNumber] = useState(0)
  return <ChatSession key={number} {...props} anew={() => setNumber(number + 1)} />
}

const TALL = 'max(260px, calc(100dvh - 430px))'

function ChatSession({ agentId, agentName, draftOf, height = TALL, anew }: Props & { anew: () => void }) {
  const t = useTexts(talkTexts)
  const [id, setId] = useState<string | null>(null)
  const known = useRef<string | null>(null)
  // The first message creates the conversation: opening the page does not.
  const open = useCallback(async () => {
    if (known.current) return known.current
    const begun = await unwrap(api.POST('/api/conversations/start', { body: { agentId } }))
    known.current = begun.id
    setId(begun.id)
    return begun.id
  }, [agentId])
  const writing = useMessageComposer(open, draftOf)
  const enabled = { enabled: id !== null }
  const messages = queries.useQuery(
    'get',
    '/api/conversations/messages/{conversationId}',
    { params: { path: { conversationId: id ?? '' } } },
    enabled,
  )
  const tools = queries.useQuery(
    'get',
    '/api/conversations/{id}/tool-calls',
    { params: { path: { id: id ?? '' } } },
    enabled,
  )
  const { pending } = writing
  const { entries, answering } = useMemo(
    () => withPending(messages.data ?? [], tools.data ?? [], pending),
    [messages.data, tools.data, pending],
  )
  return (
    <Stack>
      <Transcript
        isLive
        entries={entries}
        agentName={agentName}
        callerName={t.you}
        height={entries.length > 0 || pending ? height : undefined}
        tail={answering !== null && <PendingReply text={answering} name={agentName} />}
        empty={
          <Text c="dimmed" size="sm" ta="center" py="xl">
            {t.writeFirst}
          </Text>
        }
      />
      <MessageComposer composer={writing} />
      {id && (
        <Group justify="space-between">
          <Anchor component={Link} href={`/conversations/${id}`} size="sm">
            {t.openConversation}
          </Anchor>
          <Button variant="subtle" size="compact-sm" onClick={anew}>
            {t.newConversation}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
