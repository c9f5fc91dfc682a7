// API schema of call-back requests.
import { type Static, Type } from 'typebox'
import { callbackReasons, callbackStatuses } from '../../base/domain/callbacks.ts'
import {
  Body,
  Choice,
  Example,
  Id,
  Maybe,
  Nullable,
  PageQuery,
  SearchText,
  SortBy,
  Timestamp,
} from '../../http/schema.ts'

const status = Choice([...callbackStatuses], { examples: ['open'] })

export const Callback = Type.Object(
  {
    id: Id('cbk'),
    agentId: Nullable(Id('agt')),
    callId: Nullable(Id('cal', { description: 'null: requested by text' })),
    conversationId: Nullable(Id('cnv')),
    name: Nullable(Example('Maria Souza', { description: 'As the person gave it' })),
    phoneNumber: Nullable(
      Example('+5511987654321', {
        description: 'The number they gave, or else the one they called from; E.164 where the country is known',
      }),
    ),
    matter: Nullable(Example('Remarcar a consulta de amanhã', { description: 'What it is about, in their words' })),
    reason: Choice([...callbackReasons], {
      description:
        'no_model: no language model was available, so a message was taken; requested: the person asked for it',
      examples: ['no_model'],
    }),
    status,
    note: Nullable(Example('Ligamos às 15h, remarcada para sexta', { description: 'Yours' })),
    dueAt: Nullable(Type.String({ format: 'date-time', description: 'Not before this; null: at any time' })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Callback' },
)
export type Callback = Static<typeof Callback>

export const CallbackPatch = Body(
  {
    status: Type.Optional(status),
    note: Maybe(Type.String({ maxLength: 2000 })),
  },
  { examples: [{ status: 'done', note: 'Ligamos às 15h, remarcada para sexta' }] },
)
export type CallbackPatch = Static<typeof CallbackPatch>

export const CallbackQuery = Type.Object({
  ...PageQuery.properties,
  q: SearchText('Words of the name, the matter or the note, or a part of the number', 'Maria'),
  status: Type.Optional(status),
  sort: SortBy(['createdAt', 'updatedAt']),
})
export type CallbackQuery = Static<typeof CallbackQuery>
