// Joins device texts and conversations: each sender has a conversation with the device's agent, and gets its answers.
import { createHash } from 'node:crypto'
import { AppError, appError } from '../../base/errors/errors.ts'
import type { Log } from '../../base/process/log.ts'
import { DAY_MS, nowMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import type { DeviceRow, DeviceTextRow } from '../../db/tables.ts'
import type { FindAnswerer } from '../conversations/port.ts'
import type { ConversationStore } from '../conversations/store.ts'
import type { TextIn } from './driver-port.ts'
import type { GatewayService } from './gateways.ts'
import { SELF } from './linphone/driver.ts'
import type { DeviceStates } from './state-store.ts'
import { messageQueue } from './text-answers.ts'
import type { DeviceTexts } from './text-queue.ts'

export type GatewayTextParts = {
  db: Db
  states: DeviceStates
  texts: DeviceTexts
  service: GatewayService
  conversations: ConversationStore
  answererOf: FindAnswerer
  /** Counts a text through the operator's WhatsApp account; throws an AppError if the budget is used up. */
  spendText(userId: string): Promise<void>
  log: Log
  /** The delay before the first retry. */
  pauseMs?: number
}

/** Longer than any phone sends; longer texts are truncated. */
const MAX_TEXT = 8000
const MAX_NAME = 255
/** After this much silence a new conversation starts. */
const IDLE_MS = DAY_MS
const SEND_LEASE_MS = 120_000

/** A text sent by a tool. */
export type ToolText = {
  userId: string
  /** An id, a short id or a token; null with `channel` alone: the user's first device of that network. */
  deviceId: string | null
  channel: 'sms' | 'whatsapp' | null
  /** Null: the phone of the device itself, if this is its call. */
  to: string | null
  callId: string | null
  text: string
  from: string | null
  key: string
}

export function deviceMessaging(parts: GatewayTextParts) {
  const { db, states, texts, service, conversations, answererOf, spendText, log } = parts
  const desk = messageQueue({
    texts: texts as never,
    device: states.row,
    answer: (text, agentId, signal) => answer(text as DeviceTextRow, agentId, signal),
    send: async (text) => {
      const device = await states.row(text.deviceId)
      if (!device) return { ok: false, error: 'The device is gone' }
      const problem = whyNotSent(device)
      if (problem) return { ok: false, error: problem }
      const overBudget = await spend(device)
      if (overBudget) return { ok: false, error: overBudget.message }
      return service.sendText(device, text.peer, text.text, text.id, text.own)
    },
    log,
    ...(parts.pauseMs === undefined ? {} : { pauseMs: parts.pauseMs }),
  })

  /** Every attempt counts. Only WhatsApp does: the user's own phones and gateways cost the operator nothing. */
  async function spend({ driver, userId }: DeviceRow): Promise<AppError | undefined> {
    if (driver !== 'whatsapp') return undefined
    return spendText(userId).then(
      () => undefined,
      (error) => {
        if (error instanceof AppError) return error
        throw error
      },
    )
  }

  /** The active conversation with this sender, or a new one. */
  async function conversationOf(text: DeviceTextRow, agentId: string): Promise<string> {
    const { userId } = text
    if (text.conversationId !== null) return text.conversationId
    const last = await texts.lastOf(text)
    const old = last && (await conversations.get(userId, last.conversationId).catch(gone))
    if (old?.status === 'active') {
      const isIdle = nowMs() - Date.parse(last?.at ?? '') > IDLE_MS
      if (old.agentId === agentId && !isIdle) return old.id
      await conversations.end(userId, old.id).catch(gone)
    }
    const device = await states.row(text.deviceId)
    const title = `Texts with ${/\d{3}/.test(text.peer) ? text.peer : (device?.name ?? device?.deviceId ?? text.peer)}`
    return (await conversations.start(userId, { agentId, title: title.slice(0, MAX_NAME) })).id
  }

  /** Idempotent: message ids derive from the text's id, so a repeat after a crash adds no duplicates. */
  async function answer(text: DeviceTextRow, agentId: string, signal: AbortSignal) {
    const { userId } = text
    const conversationId = await conversationOf(text, agentId)
    await texts.inConversation(text.id, conversationId)
    const replyId = messageId(text, 'agent')
    const before = await db.selectFrom('messages').select('content').where('id', '=', replyId).executeTakeFirst()
    if (before) return { answer: before.content, conversationId }
    try {
      const stored = await conversations.send(
        userId,
        conversationId,
        { type: 'user', content: text.text },
        messageId(text, 'user'),
      )
      const answerer = await answererOf(userId, conversationId)
      let content = ''
      for await (const word of answerer.words(stored, signal)) content += word
      signal.throwIfAborted()
      const reply = storable(content)
      if (reply === '') throw appError('agent_no_answer')
      await conversations.send(userId, conversationId, { type: 'agent', content: reply }, replyId)
      return { answer: reply, conversationId }
    } catch (error) {
      // The conversation has ended meanwhile, or its agent is inactive: there is no answer.
      if (error instanceof AppError && error.kind === 'conflict') return null
      throw error
    }
  }

  return {
    ...desk,

    /** True once the text is stored, now or earlier. */
    async received({ deviceId, from, text, key, to }: TextIn): Promise<boolean> {
      const device = await states.row(deviceId)
      if (!device || device.status === 'disabled') return false
      const content = storable(text).slice(0, MAX_TEXT).toWellFormed()
      if (content === '') return true
      await texts.received({
        userId: device.userId,
        deviceId,
        key: storable(key).slice(0, MAX_NAME),
        peer: storable(from).slice(0, MAX_NAME),
        own: to ? storable(to).slice(0, MAX_NAME) : null,
        text: content,
      })
      desk.wake()
      return true
    },

    /** Sends at once and returns the outcome. The same key is sent only once. */
    async send(asked: ToolText): Promise<{ ok: boolean; detail: string; isDoubtful?: boolean; overBudget?: AppError }> {
      const device = await deviceFor(asked)
      if (!device) return { ok: false, detail: 'there is no such device' }
      const problem = whyNotSent(device)
      if (problem) return { ok: false, detail: problem }
      const { userId, text, from, key } = asked
      const to = asked.to ?? (await ownPhone(asked, device))
      if (to === null)
        return {
          ok: false,
          detail: 'the number of the one in the call is not known, and the call is of another device',
        }
      const overBudget = await spend(device)
      if (overBudget) return { ok: false, detail: overBudget.message, overBudget }
      const row = { userId, deviceId: device.id, key, peer: to, own: from, text }
      const begun = await texts.begin(row, SEND_LEASE_MS)
      if (!begun) return { ok: false, detail: 'it was sent before', isDoubtful: true }
      const sent = await service.sendText(device, to, text, begun.id, from)
      const status = sent.ok ? 'sent' : sent.isDoubtful ? 'in_doubt' : 'failed'
      await texts.finish(begun, { status, ...(sent.ok ? { externalId: sent.externalId } : { error: sent.error }) })
      if (sent.ok) return { ok: true, detail: 'delivered' }
      return { ok: false, detail: sent.error, ...(sent.isDoubtful ? { isDoubtful: true } : {}) }
    },
  }

  /** The phone that calls from this device has no number and needs none. */
  async function ownPhone({ userId, callId }: ToolText, device: DeviceRow): Promise<string | null> {
    if (callId === null || device.driver !== 'embedded') return null
    const calls = db.selectFrom('calls').select('id').where('userId', '=', userId).where('id', '=', callId)
    return (await calls.where('deviceId', '=', device.id).executeTakeFirst()) ? SELF : null
  }

  async function deviceFor({ userId, deviceId, channel }: ToolText): Promise<DeviceRow | undefined> {
    const own = db.selectFrom('devices').selectAll().where('userId', '=', userId)
    const named = (name: string) =>
      own.where((where) => where.or((['id', 'deviceId', 'token'] as const).map((column) => where(column, '=', name))))
    const all = deviceId === null ? own : named(deviceId)
    if (channel !== 'whatsapp') return deviceId === null ? undefined : all.executeTakeFirst()
    const rows = await all.where('driver', '!=', 'embedded').orderBy('createdAt').execute()
    return rows.find(({ status }) => status === 'connected') ?? rows[0]
  }
}

/** Embedded phones are reachable by their registration; devices of other networks must be connected. */
function whyNotSent({ status, driver }: DeviceRow): string | undefined {
  if (status === 'disabled') return 'the device is disabled'
  return driver === 'embedded' || status === 'connected' ? undefined : 'the device is not connected'
}

const messageId = ({ id }: DeviceTextRow, side: 'user' | 'agent') =>
  `msg_${createHash('sha256').update(`${side} ${id}`).digest('hex').slice(0, 26)}`

/** Removes characters that a database rejects. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed().trim()

/** Ignores that it no longer exists or has already ended. */
function gone(error: unknown): undefined {
  if (error instanceof AppError) return undefined
  throw error
}
