// The message box of a text conversation, and the message awaiting a reply.
import { ActionIcon, Alert, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { SentMessage } from '../../../client/paths.ts'
import { errorMessage } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { type AgentDraft, sendMessage } from './send-message.ts'
import { transcriptTexts } from './transcript-texts.ts'

/** The message just sent and the reply so far; null when idle. */
export type PendingMessage = { text: string; answer: string } | null

export type Composer = {
  pending: PendingMessage
  problem: string | null
  repliedBy: SentMessage['repliedBy']
  /** Resolves to true once answered; on false, keep the text in the box. */
  send(text: string): Promise<boolean>
}

/**
 * `open` resolves to the conversation id, creating the conversation if needed. `draftOf` returns unsaved agent changes
 * to reply with.
 */
export function useMessageComposer(open: () => Promise<string>, draftOf?: () => AgentDraft): Composer {
  const t = useTexts(commonTexts)
  const client = useQueryClient()
  const [pending, setPending] = useState<PendingMessage>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [repliedBy, setRepliedBy] = useState<SentMessage['repliedBy']>()
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  async function send(text: string): Promise<boolean> {
    setProblem(null)
    setPending({ text, answer: '' })
    leaving.current = new AbortController()
    try {
      const conversationId = await open()
      const onText = (answer: string) => setPending({ text, answer })
      const { signal } = leaving.current
      const sent = await sendMessage({ conversationId, content: text, draft: draftOf?.(), onText, signal })
      setRepliedBy(sent?.repliedBy)
      return true
    } catch (error) {
      if (!leaving.current.signal.aborted)
        setProblem(error instanceof TypeError ? t.offline : (errorMessage(error) ?? t.offline))
      return false
    } finally {
      await client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/conversations'),
      })
      setPending(null)
    }
  }
  return { pending, problem, repliedBy, send }
}

const MAX_LETTERS = 32_000

export function MessageComposer({ composer, isOff = false }: { composer: Composer; isOff?: boolean }) {
  const t = useTexts(transcriptTexts)
  const [text, setText] = useState('')
  const isBusy = composer.pending !== null
  const isReady = text.trim() !== '' && !isBusy && !isOff
  const go = async () => {
    if (!isReady) return
    const written = text
    setText('')
    if (!(await composer.send(written.trim()))) setText((now) => (now === '' ? written : now))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void go()
  }
  return (
    <Stack gap={6}>
      {composer.problem && (
        <Alert color="red" role="alert">
          {composer.problem}
        </Alert>
      )}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Textarea
          flex={1}
          aria-label={t.write}
          placeholder={t.placeholder}
          autosize
          minRows={1}
          maxRows={6}
          radius="lg"
          maxLength={MAX_LETTERS}
          value={text}
          disabled={isOff}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <ActionIcon
          size={36}
          radius="xl"
          aria-label={t.send}
          disabled={!isReady}
          loading={isBusy}
          onClick={() => void go()}
        >
          <IconSend2 size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <Text size="xs" c="dimmed">
        {composer.repliedBy && !composer.repliedBy.isModel ? t.ruleAgent : t.sendHint}
      </Text>
    </Stack>
  )
}
