// Conversations and their messages on the wire.
import { type Static, Type } from 'typebox'
import { analysisStatuses } from '../../db/tables.ts'
import { Body, Choice, FreeObject, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'

const title = Type.String({ maxLength: 255 })

/** What was found out when it was over. */
export const Analysis = Type.Object(
  {
    summary: Nullable(Type.String()),
    success: Nullable(Type.Boolean({ description: 'Whether it did what `settings.analysis.success` asks for' })),
    successReason: Nullable(Type.String()),
    fields: Nullable(FreeObject({ description: 'Valid by `settings.analysis.fields`' })),
    by: Type.String({
      description: 'The model; `rules` where there is none: sentences of the conversation, no judgement',
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
    variables: Nullable(FreeObject({ description: 'As they were given when it was begun; null in calls' })),
    analysis: Nullable(Analysis),
    analysisStatus: Nullable(Choice([...analysisStatuses], { description: 'null while the conversation goes on' })),
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
        { name: Type.String(), isModel: Type.Boolean({ description: 'False: the built-in rule agent' }) },
        { description: 'Who thought for the agent' },
      ),
    ),
  },
  { title: 'SentMessage' },
)
export type SentMessage = Static<typeof SentMessage>

export const SendQuery = Type.Object({
  reply: Type.Optional(
    Type.Boolean({
      description: 'Lets the agent answer. With `Accept: text/event-stream` its words come as they are made',
    }),
  ),
})

export const StartConversation = Body({ agentId: Type.String(), title: Maybe(title), variables: Maybe(Variables) })
export type StartConversation = Static<typeof StartConversation>

export const EndConversation = Body({ conversationId: Type.String() })

export const NewMessage = Body({ type: Choice(['user', 'agent', 'system']), content: Text(32_000) })
export type NewMessage = Static<typeof NewMessage>

export const ByConversation = Type.Object({ conversationId: Type.String() })
