// A conversation's status as a badge.
import { Badge } from '@mantine/core'
import type { Conversation } from '../../../../client/paths.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { conversationTexts } from './conversation-texts.ts'

const colors = { active: 'teal', ended: 'gray', failed: 'red' } as const

export function ConversationStatus({ status }: { status: Conversation['status'] }) {
  const t = useTexts(conversationTexts)
  return (
    <Badge variant={status === 'ended' ? 'default' : 'light'} color={colors[status]}>
      {t.status[status]}
    </Badge>
  )
}
