// Conversations and their messages on the wire.
import { type Static, Type } from 'typebox'
import { analysisStatuses } from '../../db/tables.ts'
import { Body, Choice, FreeObject, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'

const title = Type.String({ maxLength: 255 })

/** What was found out when it was over. */
export const Analysis = Type.Object(
  {
    summary: Nullable(Type.String()),
    success: Nullable(Type.Boolean({ description: 'Whether the goal in `settings.analysis.success` was met' })),
    successReason: Nullable(Type.String()),
    fields: Nullable(FreeObject({ description: 'Values that follow the schema in `settings.analysis.fields`' })),
    by: Type.String({
      description: 'The model, or `rules` without one: extracted sentences, no judgement',
    }),
    at: Timestamp,
  },
  { title: 'Analysis' },
)
export type Analysis = Static<typeof Analysis>

/** Of a call or a written conversation. */
export const Variables = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 5000 },
  description: 'Values for {{name}} in the prompt and the opening phrase, and for {name} in tools',
  'x-max-bytes': 32_768,
})

export const Conversation = Type.Object(
  {
    id: Type.String(),
    agentId: Type.String(),
    title: Nullable(title),
    status: Choice(['active', 'ended', 'failed']),
    startedAt: Timestamp,
    endedAt: Nullable(Timestamp),
    variables: Nullable(FreeObject({ description: 'As sent when the conversation started; null for calls' })),
    analysis: Nullable(Analysis),
    analysisStatus: Nullable(Choice([...analysisStatuses], { description: 'null while the conversation is active' })),
  },
  { title: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

export const Message = Type.Object(
  { id: Type.String(), type: Choice(['user', 'agent', 'system']), content: Type.String(), timestamp: Timestamp },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

/** The message that was stored and, where it was asked for, the agent's answer to it. */
export const SentMessage = Type.Object(
  {
    ...Message.properties,
    reply: Type.Optional(Message),
    repliedBy: Type.Optional(
      Type.Object(
        { name: Type.String(), isModel: Type.Boolean({ description: 'false: the built-in rule agent' }) },
        { description: 'The model that wrote the reply' },
      ),
    ),
  },
  { title: 'SentMessage' },
)
export type SentMessage = Static<typeof SentMessage>

export const SendQuery = Type.Object({
  reply: Type.Optional(
    Type.Boolean({
      description: 'The agent answers. With `Accept: text/event-stream` the reply is streamed',
    }),
  ),
})

export const StartConversation = Body({ agentId: Type.String(), title: Maybe(title), variables: Maybe(Variables) })
export type StartConversation = Static<typeof StartConversation>

export const EndConversation = Body({ conversationId: Type.String() })

export const NewMessage = Body({ type: Choice(['user', 'agent', 'system']), content: Text(32_000) })
export type NewMessage = Static<typeof NewMessage>

export const ByConversation = Type.Object({ conversationId: Type.String() })
