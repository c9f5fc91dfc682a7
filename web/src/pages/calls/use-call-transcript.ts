// The transcript of a call: messages positioned in the recording, interleaved with tool calls and provider changes.
import { useMemo } from 'react'
import type { Call } from '../../../../client/paths.ts'
import { queries } from '../../api.ts'
import { linesOf, withTools } from '../../components/transcript-lines.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { withChanges } from './provider-changes.ts'
import { providerChangeTexts } from './provider-changes-texts.ts'

export function useCallTranscript({ id, conversationId }: Call) {
  const ofCall = { params: { path: { id } } }
  const turns = queries.useQuery('get', '/api/calls/{id}/turns', ofCall)
  const tools = queries.useQuery('get', '/api/calls/{id}/tool-calls', ofCall)
  const messages = queries.useQuery(
    'get',
    '/api/conversations/messages/{conversationId}',
    { params: { path: { conversationId: conversationId ?? '' } } },
    { enabled: conversationId !== null },
  )
  const words = useTexts(providerChangeTexts)
  const entries = useMemo(() => {
    const said = withTools(linesOf(messages.data ?? [], turns.data ?? []), tools.data ?? [])
    return withChanges(said, turns.data ?? [], words)
  }, [messages.data, turns.data, tools.data, words])
  return { messages, turns, tools, entries }
}
