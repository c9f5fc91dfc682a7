// Talking to an agent in writing: for who has no microphone, or cannot speak just now.
import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useCallback, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { api, done, queries } from '../../api.ts'
import { useWords } from '../../i18n/words.tsx'
import { Answering, Transcript } from '../../parts/transcript.tsx'
import { withUnderWay } from '../../parts/transcript-lines.ts'
import { useWriting, WritingBox } from '../../parts/transcript-writing.tsx'
import { talkWords } from './talk-words.ts'

export function TalkInWriting({ agentId, agentName }: { agentId: string; agentName: string }) {
  const [number, setNumber] = useState(0)
  return <WrittenTalk key={number} agentId={agentId} agentName={agentName} anew={() => setNumber(number + 1)} />
}

function WrittenTalk({ agentId, agentName, anew }: { agentId: string; agentName: string; anew: () => void }) {
  const t = useWords(talkWords)
  const [id, setId] = useState<string | null>(null)
  const known = useRef<string | null>(null)
  // The conversation begins with the first message: who only looks leaves none behind.
  const open = useCallback(async () => {
    if (known.current) return known.current
    const begun = await done(api.POST('/api/conversations/start', { body: { agentId } }))
    known.current = begun.id
    setId(begun.id)
    return begun.id
  }, [agentId])
  const writing = useWriting(open)
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
  const { underWay } = writing
  const { entries, answering } = useMemo(
    () => withUnderWay(messages.data ?? [], tools.data ?? [], underWay),
    [messages.data, tools.data, underWay],
  )
  return (
    <Paper withBorder p="lg">
      <Stack>
        <Transcript
          isLive
          entries={entries}
          agentName={agentName}
          callerName={t.you}
          height="max(260px, calc(100dvh - 430px))"
          tail={answering !== null && <Answering text={answering} name={agentName} />}
          empty={
            <Text c="dimmed" size="sm" ta="center" py="xl">
              {t.writeFirst}
            </Text>
          }
        />
        <WritingBox writing={writing} />
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
    </Paper>
  )
}
