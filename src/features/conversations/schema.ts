// API schema of conversations and their messages.
import { type Static, Type } from 'typebox'
import { analysisStatuses } from '../../db/tables.ts'
import {
  Body,
  Choice,
  Example,
  FreeObject,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  SortBy,
  Text,
  Timestamp,
} from '../../http/schema.ts'
import { AgentDraft } from '../agents/schema.ts'

const title = Type.String({ maxLength: 255, examples: ['Atendimento no site'] })

/** The result of the post-call analysis. */
export const Analysis = Type.Object(
  {
    summary: Nullable(Example('A paciente marcou dermatologia para quinta às 10 h.')),
    success: Nullable(Type.Boolean({ description: 'Whether the goal in `settings.analysis.success` was met' })),
    successReason: Nullable(Example('A consulta foi confirmada.')),
    fields: Nullable(
      FreeObject({
        examples: [{ especialidade: 'dermatologia' }],
        description: 'Values that follow the schema in `settings.analysis.fields`',
      }),
    ),
    by: Type.String({
      examples: ['gpt-5-mini'],
      description: 'The model, or `rules` without one: extracted sentences, no judgement',
    }),
    at: Timestamp,
  },
  { title: 'Analysis' },
)
export type Analysis = Static<typeof Analysis>

/** Variables of a call or a chat. */
export const Variables = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 5000 },
  description: 'Values for {{name}} in the prompt and the opening phrase, and for {name} in tools',
  examples: [{ nome: 'Ana', horario: 'quinta às 10 h' }],
  'x-max-bytes': 32_768,
})

export const Conversation = Type.Object(
  {
    id: Id('cnv'),
    agentId: Id('agt'),
    title: Nullable(title),
    status: Choice(['active', 'ended', 'failed'], { examples: ['ended'] }),
    startedAt: Timestamp,
    endedAt: Nullable(Timestamp),
    variables: Nullable(
      FreeObject({ examples: [{ nome: 'Ana' }], description: 'As sent when the conversation started; null for calls' }),
    ),
    analysis: Nullable(Analysis),
    analysisStatus: Nullable(
      Choice([...analysisStatuses], { description: 'null while the conversation is active', examples: ['done'] }),
    ),
  },
  { title: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

/** The call of a conversation, as shown in the list. */
export const ConversationCall = Type.Object(
  {
    id: Id('cal'),
    direction: Choice(['inbound', 'outbound']),
    channel: Choice(['sip', 'web', 'whatsapp']),
    fromNumber: Nullable(Example('+5511987654321')),
    toNumber: Example('+551140028922'),
  },
  { title: 'ConversationCall' },
)
export type ConversationCall = Static<typeof ConversationCall>

export const ListedConversation = Type.Object(
  {
    ...Conversation.properties,
    call: Type.Optional(
      Type.Unsafe<ConversationCall | null>({
        ...Nullable(ConversationCall),
        description: 'Only with `include=call`; null for a chat',
      }),
    ),
  },
  { title: 'ListedConversation' },
)

export const ConversationQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('Words of the title, or part of a number or of the transcript', 'consulta'),
  agentId: Type.Optional(Id('agt')),
  status: Type.Optional(Choice(['active', 'ended', 'failed'])),
  channel: Type.Optional(
    Choice(['sip', 'web', 'whatsapp', 'text'], { description: 'The channel of its call; text: a chat without a call' }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Started at or after this time' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Started before this time' })),
  include: Type.Optional(Choice(['call'], { description: 'Adds the call of each; needs the scope calls' })),
  sort: SortBy(['startedAt']),
})
export type ConversationQuery = Static<typeof ConversationQuery>

export const Message = Type.Object(
  {
    id: Id('msg'),
    type: Choice(['user', 'agent', 'system']),
    author: Type.Optional(
      Choice(['operator'], {
        description: 'Only of words that an operator had the agent say in a live call',
        examples: [],
      }),
    ),
    content: Example('Quero marcar uma consulta.'),
    timestamp: Timestamp,
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

/** The stored message and, when requested, the agent's reply. */
export const SentMessage = Type.Object(
  {
    ...Message.properties,
    reply: Type.Optional(Message),
    repliedBy: Type.Optional(
      Type.Object(
        { name: Example('gpt-5-mini'), isModel: Type.Boolean({ description: 'false: the built-in rule agent' }) },
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

export const StartConversation = Body({ agentId: Id('agt'), title: Maybe(title), variables: Maybe(Variables) })
export type StartConversation = Static<typeof StartConversation>

export const EndConversation = Body({ conversationId: Id('cnv') })

export const NewMessage = Body({
  type: Choice(['user', 'agent', 'system']),
  content: Text(32_000, { examples: ['Quero marcar uma consulta.'] }),
})
export type NewMessage = Static<typeof NewMessage>

/** As sent by the agent's owner, who may test unsaved changes; other channels accept a `NewMessage`. */
export const MessageToSend = Body({ ...NewMessage.properties, draft: AgentDraft })

export const ByConversation = Type.Object({ conversationId: Type.String() })
