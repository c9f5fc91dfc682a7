// The call that a conversation belongs to.
import type { Call, Conversation } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'

/** Null: it has none. Undefined: not known yet. */
export function useConversationCall({ id }: Conversation): Call | null | undefined {
  const { data } = queries.useQuery('get', '/api/calls', { params: { query: { conversationId: id } } })
  return data && (data[0] ?? null)
}
