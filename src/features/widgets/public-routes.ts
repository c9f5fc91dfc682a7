// /widget: gives a visitor's browser the widget's appearance, a token for one call, and a chat. Outside /api: without
// key or cookie, and only the widget's own sites may read the responses.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, appError, notFound } from '../../base/errors/errors.ts'
import { peerNetworkOf } from '../../base/network/peer-network.ts'
import { toIso } from '../../base/time/clock.ts'
import { admit } from '../../http/admission.ts'
import { errorBody } from '../../http/error-handler.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Api, Routes } from '../../http/server.ts'
import type { FindAnswerer, SendAndReply } from '../conversations/port.ts'
import type { Message } from '../conversations/schema.ts'
import type { ConversationStore } from '../conversations/store.ts'
import type { ChatTokens } from './chat-tokens.ts'
import {
  ByWidget,
  MAX_TEXT,
  VisitorCall,
  VisitorChat,
  VisitorConfig,
  type VisitorMessage,
  VisitorMessages,
  VisitorText,
} from './public-schema.ts'
import { MAX_ORIGIN, type widgetChannels } from './schema.ts'
import type { WidgetSessions } from './session-store.ts'
import type { OwnedWidget } from './store.ts'
import type { VisitorHash } from './visitor-hash.ts'

export type PublicWidgetParts = {
  limiter: RateLimiter
  published: (id: string) => Promise<OwnedWidget | undefined>
  sessions: WidgetSessions
  /** A token for one call from this site. */
  issueCall: (widget: OwnedWidget, from: Pick<Visit, 'origin' | 'visitor'>) => Promise<VisitorCall>
  chatTokens: ChatTokens
  visitorHash: VisitorHash
  conversations: ConversationStore
  answererOf: FindAnswerer
  sendAndReply: SendAndReply
}

/** Per network and minute, over all widgets; a large office shares one address. */
const REQUESTS_A_MINUTE = 600
/** Per widget and minute, from all addresses. */
const SESSIONS_A_MINUTE = 120
const MESSAGES_A_MINUTE = 300
/** Per address and minute, in one widget. */
const MESSAGES_OF_VISITOR = 20
/** Per chat, both sides together. */
const MAX_MESSAGES = 100
const MAX_LETTERS = 100_000

const PREFLIGHT_SECONDS = '600'
/** More than a text of maximum length in any JSON encoding. */
const BODY_BYTES = 16_384

/** `visitor`: the stored hash of the network. */
type Visit = { widget: OwnedWidget; origin: string; network: string; visitor: string }
type Channel = (typeof widgetChannels)[number]

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | null
  }
}

export const publicWidgetRoutes =
  (parts: PublicWidgetParts): Routes =>
  (app) => {
    app.decorateRequest('visit', null)
    app.addHook('onRequest', admitSite(parts))
    app.options('/widget/:id/*', { schema: { hide: true } }, (_req, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': 'authorization, content-type',
          'access-control-max-age': PREFLIGHT_SECONDS,
        })
        .send(),
    )
    addConfigAndCall(app, parts)
    addChat(app, parts)
  }

/** Answers CORS for the widget's own sites; rejects everyone else here, before a body is read. */
function admitSite({ limiter, published, visitorHash }: PublicWidgetParts) {
  const requests = limiter.of('widget')
  return async (req: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('vary', 'origin')
    const network = peerNetworkOf(req.ip)
    await admit(requests, network, REQUESTS_A_MINUTE, 'widget_rate')
    const { id } = req.params as { id: string }
    const widget = /^wgt_[0-9a-z]{26}$/.test(id) ? await published(id) : undefined
    if (!widget) throw notFound('Widget')
    const { origin } = req.headers
    if (origin === undefined) throw appError('widget_origin_missing')
    if (origin.length > MAX_ORIGIN || !widget.origins.includes(origin)) throw appError('widget_origin_foreign')
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'retry-after, x-error-code, x-request-id',
    })
    if (req.method !== 'OPTIONS' && !widget.isActive) throw appError('widget_inactive')
    req.visit = { widget, origin, network, visitor: visitorHash(widget.id, network) }
  }
}

const visitOf = (req: FastifyRequest): Visit => {
  if (!req.visit) throw notFound('Widget')
  return req.visit
}

/** The visit, if its widget offers the channel. */
function offeredTo(req: FastifyRequest, channel: Channel): Visit {
  const visit = visitOf(req)
  if (!visit.widget.channels.includes(channel)) throw appError('widget_channel_off', { channel })
  return visit
}

/** The visit, if the visitor may start another session. */
async function startOf(req: FastifyRequest, limiter: RateLimiter, channel: Channel): Promise<Visit> {
  const visit = offeredTo(req, channel)
  const { widget, network } = visit
  await admit(limiter.of('widget-session'), `${widget.id} ${network}`, widget.limits.sessionsPerMinute, 'widget_rate')
  await admit(limiter.of('widget-sessions'), widget.id, SESSIONS_A_MINUTE, 'widget_rate')
  return visit
}

function addConfigAndCall(app: Api, { limiter, issueCall }: PublicWidgetParts): void {
  app.get(
    '/widget/:id/config',
    { schema: { hide: true, params: ByWidget, response: { 200: VisitorConfig } } },
    (req) => {
      const { channels, appearance, limits } = visitOf(req).widget
      return { channels, ...appearance, maxCallSeconds: limits.maxCallSeconds, maxText: MAX_TEXT }
    },
  )

  app.post(
    '/widget/:id/call',
    { bodyLimit: BODY_BYTES, schema: { hide: true, params: ByWidget, response: { 201: VisitorCall } } },
    async (req, reply) => {
      const { widget, ...from } = await startOf(req, limiter, 'call')
      return reply.code(201).send(await issueCall(widget, from))
    },
  )
}

function addChat(app: Api, parts: PublicWidgetParts): void {
  const { limiter, sessions, chatTokens, conversations, answererOf, sendAndReply } = parts
  /** Conversations whose agent is answering in this process. */
  const answering = new Set<string>()

  app.post(
    '/widget/:id/chat',
    { bodyLimit: BODY_BYTES, schema: { hide: true, params: ByWidget, response: { 201: VisitorChat } } },
    async (req, reply) => {
      const { widget, origin, visitor } = await startOf(req, limiter, 'chat')
      const { id: widgetId, userId, agentId, name: title } = widget
      const start = async () => (await conversations.start(userId, { agentId, title })).id
      const conversationId = await sessions.openChat(widget, visitor, start)
      const { token, expiresMs } = chatTokens.issue({ widgetId, conversationId, origin })
      return reply.code(201).send({ token, expiresAt: toIso(expiresMs) })
    },
  )

  function conversationOf(req: FastifyRequest): string {
    const { widget, origin } = visitOf(req)
    const token = /^Bearer (\S{1,1024})$/i.exec(req.headers.authorization ?? '')?.[1] ?? ''
    const id = chatTokens.read(token, { widgetId: widget.id, origin })
    if (id === undefined) throw appError('widget_chat_token')
    return id
  }

  app.get(
    '/widget/:id/chat/messages',
    { schema: { hide: true, params: ByWidget, response: { 200: VisitorMessages } } },
    async (req) => {
      const id = conversationOf(req)
      await conversations.get(visitOf(req).widget.userId, id).catch(chatGone)
      const rows = await conversations.messages(id, { limit: MAX_MESSAGES })
      return { messages: rows.flatMap(forVisitor) }
    },
  )

  app.post(
    '/widget/:id/chat/messages',
    { bodyLimit: BODY_BYTES, schema: { hide: true, params: ByWidget, body: VisitorText } },
    async (req, reply) => {
      const { widget, network, visitor } = offeredTo(req, 'chat')
      const conversationId = conversationOf(req)
      await admit(limiter.of('widget-message'), `${widget.id} ${network}`, MESSAGES_OF_VISITOR, 'widget_rate')
      await admit(limiter.of('widget-messages'), widget.id, MESSAGES_A_MINUTE, 'widget_rate')
      if (answering.has(conversationId)) throw appError('widget_chat_answering')
      answering.add(conversationId)
      reply.raw.once('close', () => answering.delete(conversationId))
      const { messages, letters } = await sessions.sizeOf(conversationId)
      if (messages >= MAX_MESSAGES || letters >= MAX_LETTERS) throw appError('widget_chat_full')
      await sessions.spendMessage(widget, conversationId, visitor)
      const asked = {
        userId: widget.userId,
        conversationId,
        message: { type: 'user' as const, content: req.body.text },
        view: visitorView,
      }
      return sendAndReply({ conversations, answererOf, errorBody }, asked, reply).catch(chatGone)
    },
  )
}

type Said = Pick<Message, 'type' | 'content' | 'timestamp'>

const forVisitor = ({ type, content, timestamp }: Said): VisitorMessage[] =>
  type === 'system' ? [] : [{ who: type === 'user' ? 'visitor' : 'agent', text: content, at: timestamp }]

const isOurs = (error: unknown): error is AppError => error instanceof AppError && error.status < 500

/** Only the text: no model, ids or provider errors. */
const visitorView = {
  sent: ({ reply }: { reply?: Message }) => (reply ? forVisitor(reply)[0] : {}),
  error: (error: unknown) => (isOurs(error) ? error : noAnswer(error)),
}

const noAnswer = (cause: unknown) => appError('widget_no_answer', {}, { cause })

function chatGone(error: unknown): never {
  if (error instanceof AppError && error.kind === 'not_found') throw appError('widget_chat_gone')
  throw error instanceof AppError && error.status >= 500 ? noAnswer(error) : error
}
