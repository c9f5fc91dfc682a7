// Sends a message to an agent and streams the reply (server-sent events over POST).
import type { paths, SentMessage } from '../../../client/paths.ts'
import { api, unwrap } from '../api.ts'
import { streamError } from '../session.tsx'
import { parseSse } from './sse-parser.ts'

export type AgentDraft = NonNullable<
  paths['/api/conversations/message/send/{conversationId}']['post']['requestBody']['content']['application/json']['draft']
>

export type Sending = {
  conversationId: string
  content: string
  /** Unsaved agent changes to reply with. */
  draft?: AgentDraft | undefined
  /** Receives the reply so far. */
  onText: (soFar: string) => void
  signal: AbortSignal
}

/** Throws an ApiError if there is no reply. */
export async function sendMessage({
  conversationId,
  content,
  draft,
  onText,
  signal,
}: Sending): Promise<SentMessage | undefined> {
  const stream = await unwrap(
    api.POST('/api/conversations/message/send/{conversationId}', {
      params: { path: { conversationId }, query: { reply: true } },
      body: { type: 'user', content, ...(draft ? { draft } : {}) },
      headers: { Accept: 'text/event-stream' },
      parseAs: 'stream',
      signal,
    }),
  )
  let rest = ''
  let soFar = ''
  let sent: SentMessage | undefined
  const text = (stream as unknown as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>,
  )
  const reader = text.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const read = parseSse(rest + piece.value)
    rest = read.rest
    for (const { event, data } of read.events) {
      if (event === 'words') {
        soFar += (data as { text: string }).text
        onText(soFar)
      } else if (event === 'message') sent = data as SentMessage
      else if (event === 'error') {
        const { statusCode, message } = data as { statusCode: number; message: string }
        throw await streamError({ statusCode, message })
      }
    }
  }
  return sent
}
