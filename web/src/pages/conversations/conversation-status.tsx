// The status of a conversation as a badge.
import { Badge } from '@mantine/core'
import type { Conversation } from '../../../../client/paths.ts'
import { useWords } from '../../i18n/words.tsx'
import { conversationWords } from './conversation-words.ts'

const colours = { active: 'teal', ended: 'gray', failed: 'red' } as const

export function ConversationStatus({ status }: { status: Conversation['status'] }) {
  const t = useWords(conversationWords)
  return (
    <Badge variant={status === 'ended' ? 'default' : 'light'} color={colours[status]}>
      {t.status[status]}
    </Badge>
  )
}
