// /api/conversations
import { createHash } from 'node:crypto'
import { appError } from '../../base/errors/errors.ts'
import { errorBody } from '../../http/error-handler.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import { requireScope } from '../../http/scopes.ts'
import type { Api, Routes } from '../../http/server.ts'
import type { AnalysisQueue } from './analysis-queue.ts'
import { type FindAnswerer, sendAndReply, wantsEvents } from './reply.ts'
import {
  ByConversation,
  Conversation,
  ConversationQuery,
  EndConversation,
  ListedConversation,
  Message,
  MessageToSend,
  SendQuery,
  SentMessage,
  StartConversation,
} from './schema.ts'
import { type ConversationStore, isFlatConversation, toListedConversation, toMessage } from './store.ts'

export type ConversationParts = {
  conversations: ConversationStore
  analyses: Pick<AnalysisQueue, 'request'>
  answererOf: FindAnswerer
}

export const conversationRoutes =
  ({ conversations, analyses, answererOf }: ConversationParts): Routes =>
  (api) => {
    addList(api, '/conversations', {
      summary: 'List conversations',
      record: ListedConversation,
      query: ConversationQuery,
      check: async (req) => {
        const { include } = req.query
        if (include === 'call') requireScope(req.grant?.scopes ?? null, 'calls')
      },
      page: (req, page) => conversations.page(req.userId, req.query, page),
      at: (row) => row.startedAt,
      toRecord: toListedConversation,
      isFlat: isFlatConversation,
    })

    api.get(
      '/conversations/:id',
      { schema: { summary: 'Get a conversation', params: ById, response: { 200: Conversation } } },
      (req) => conversations.get(req.userId, req.params.id),
    )

    addMessages(api, { conversations, answererOf })

    api.post(
      '/conversations/start',
      {
        schema: {
          summary: 'Start a conversation with an agent',
          body: StartConversation,
          response: { 201: Conversation },
        },
      },
      async (req, reply) => reply.code(201).send(await conversations.start(req.userId, req.body)),
    )

    api.post(
      '/conversations/end',
      { schema: { summary: 'End an active conversation', body: EndConversation, response: { 200: Conversation } } },
      (req) => conversations.end(req.userId, req.body.conversationId),
    )

    api.post(
      '/conversations/:id/analyse',
      {
        schema: {
          summary: 'Run the post-call analysis of an ended conversation again',
          params: ById,
          response: { 202: Conversation },
        },
      },
      async (req, reply) => reply.code(202).send(await analyses.request(req.userId, req.params.id)),
    )
  }

function addMessages(api: Api, { conversations, answererOf }: Omit<ConversationParts, 'analyses'>): void {
  const conversationId = (req: { params: unknown }) => (req.params as { conversationId: string }).conversationId
  addList(api, '/conversations/messages/:conversationId', {
    summary: 'List the messages of a conversation, oldest first',
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
        summary: 'Send a message to an active conversation; with reply=true the agent answers',
        params: ByConversation,
        querystring: SendQuery,
        body: MessageToSend,
        response: { 201: sent },
      },
    },
    async (req, reply) => {
      const { userId, params } = req
      const { draft, ...message } = req.body
      if (draft) requireScope(req.grant?.scopes ?? null, 'agents')
      if (!req.query.reply)
        return reply.code(201).send(await conversations.send(userId, params.conversationId, message))
      if (wantsEvents(req.headers.accept) && req.idempotency) throw appError('idempotency_stream')
      const { conversationId } = params
      const messageId = req.idempotency ? { messageId: messageIdOf(req.idempotency, conversationId) } : {}
      const asked = { userId, conversationId, message, draft, ...messageId }
      return sendAndReply({ conversations, answererOf, errorBody }, asked, reply)
    },
  )
}

const messageIdOf = ({ keyId, idempotencyKey }: { keyId: string; idempotencyKey: string }, conversationId: string) =>
  `msg_${createHash('sha256')
    .update(JSON.stringify([keyId, idempotencyKey, conversationId]))
    .digest('hex')
    .slice(0, 26)}`

const sent = {
  description: "The stored message; with `reply=true` also the agent's reply",
  content: {
    'application/json': { schema: SentMessage },
    'text/event-stream': {
      schema: {
        type: 'string',
        description:
          'Events: `words` with one piece of the reply each, then `message` as in JSON; `error` if the reply failed midway',
      },
    },
  },
}
