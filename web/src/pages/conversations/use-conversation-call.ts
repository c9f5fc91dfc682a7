// The call of a conversation.
import type { Call, Conversation } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'

/** Null: none. Undefined: loading. */
export function useConversationCall({ id }: Conversation): Call | null | undefined {
  const { data } = queries.useQuery('get', '/api/calls', { params: { query: { conversationId: id } } })
  return data && (data[0] ?? null)
}
