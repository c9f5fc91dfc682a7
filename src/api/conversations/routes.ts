// /api/conversations
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { ByConversation, Conversation, EndConversation, Message, NewMessage, StartConversation } from './schema.ts'
import { type ConversationStore, toConversation, toMessage } from './store.ts'

export const conversationRoutes =
  (conversations: ConversationStore): Routes =>
  (api) => {
    addList(api, '/conversations', {
      summary: 'Lists the conversations',
      record: Conversation,
      page: (req, page) => conversations.page(req.userId, page),
      at: (row) => row.startedAt,
      toRecord: toConversation,
    })

    api.get(
      '/conversations/:id',
      { schema: { summary: 'One conversation', params: ById, response: { 200: Conversation } } },
      (req) => conversations.get(req.userId, req.params.id),
    )

    const conversationId = (req: { params: unknown }) => (req.params as { conversationId: string }).conversationId
    addList(api, '/conversations/messages/:conversationId', {
      summary: 'The messages of a conversation, oldest first',
      params: ByConversation,
      check: (req) => conversations.get(req.userId, conversationId(req)),
      record: Message,
      page: (req, page) => conversations.messages(conversationId(req), page),
      at: (row) => String(row.number),
      toRecord: toMessage,
    })

    api.post(
      '/conversations/message/send/:conversationId',
      {
        schema: {
          summary: 'Adds a message to an active conversation',
          params: ByConversation,
          body: NewMessage,
          response: { 201: Message },
        },
      },
      async (req, reply) =>
        reply.code(201).send(await conversations.send(req.userId, req.params.conversationId, req.body)),
    )

    api.post(
      '/conversations/start',
      {
        schema: {
          summary: 'Begins a conversation with an agent',
          body: StartConversation,
          response: { 201: Conversation },
        },
      },
      async (req, reply) => reply.code(201).send(await conversations.start(req.userId, req.body)),
    )

    api.post(
      '/conversations/end',
      { schema: { summary: 'Ends an active conversation', body: EndConversation, response: { 200: Conversation } } },
      (req) => conversations.end(req.userId, req.body.conversationId),
    )
  }
