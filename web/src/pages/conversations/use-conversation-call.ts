// The call of a conversation.
import type { Call, Conversation } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'

/** Null if there is none, undefined while loading. */
export function useConversationCall({ id }: Conversation): Call | null | undefined {
  const { data } = queries.useQuery('get', '/api/calls', { params: { query: { conversationId: id } } })
  return data && (data[0] ?? null)
}
