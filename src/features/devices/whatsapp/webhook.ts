// Verifies and parses WhatsApp webhook requests: setup, signature, content. Stores and sends nothing.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { fieldsOutside } from '../../../base/outside/json.ts'
import { limits } from '../../../base/outside/limits.ts'
import { nowMs, toIso } from '../../../base/time/clock.ts'
import { e164 } from './number.ts'

/** A text sent to the number with this id. */
export type Message = { numberId: string; from: string; text: string; key: string; at: string }
/** The delivery status of a text that we sent. */
export type Delivery = {
  numberId: string
  externalId: string
  key: string | null
  isFailed: boolean
  code: number | null
}
export type Heard = { messages: Message[]; deliveries: Delivery[]; ignored: string[] }

const sameText = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((each) => createHmac('sha256', 'length').update(each).digest()) as [Buffer, Buffer]
  return timingSafeEqual(a, b)
}

/** The response to the verification GET; null if the verify token is wrong. */
export function verified(query: Readonly<Record<string, string>>, verifyToken: string): string | null {
  if (query['hub.mode'] !== 'subscribe' || !sameText(query['hub.verify_token'] ?? '', verifyToken)) return null
  return query['hub.challenge'] ?? ''
}

/** X-Hub-Signature-256 over the raw body. */
export function isSigned(body: Buffer, header: string | undefined, appSecret: string): boolean {
  const [, given] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '') ?? []
  if (!given) return false
  const wanted = createHmac('sha256', appSecret).update(body).digest()
  return timingSafeEqual(wanted, Buffer.from(given, 'hex'))
}

type Fields = Record<string, unknown>
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : [])
const words = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Null if it is not a WhatsApp payload. */
export function readWebhook(body: Buffer): Heard | null {
  const notice = fieldsOutside(body, limits.webhookBody)
  if (notice.object !== 'whatsapp_business_account') return null
  const heard: Heard = { messages: [], deliveries: [], ignored: [] }
  for (const entry of list(notice.entry))
    for (const change of list(entry.changes)) {
      const value = fields(change.value)
      const numberId = words(fields(value.metadata).phone_number_id)
      for (const message of list(value.messages)) readMessage(numberId, message, heard)
      for (const status of list(value.statuses)) readStatus(numberId, status, heard)
    }
  return heard
}

function readMessage(numberId: string, message: Fields, heard: Heard): void {
  const key = words(message.id)
  // A user who hides their number behind a username has an id instead.
  const from = e164(words(message.from)) ?? (words(message.from_user_id) || words(message.from))
  const text = textIn(message)
  if (numberId === '' || key === '' || from === '' || text === null) {
    heard.ignored.push(words(message.type).slice(0, 40) || 'unknown')
    return
  }
  const seconds = Number(message.timestamp)
  const at = toIso(seconds > 0 && seconds < 1e11 ? seconds * 1000 : nowMs())
  heard.messages.push({ numberId, from, text, key, at })
}

/**
 * The text, including button replies and captions. For other content, its type, so that the agent can say that it
 * cannot read it.
 */
function textIn(message: Fields): string | null {
  const type = words(message.type)
  const part = fields(message[type])
  if (type === 'text') return words(part.body) || null
  if (type === 'button') return words(part.text) || null
  if (type === 'interactive') {
    const reply = fields(part[words(part.type)])
    return words(reply.title) || null
  }
  const isMedia = ['image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts'].includes(type)
  return isMedia ? words(part.caption) || `[${type}]` : null
}

function readStatus(numberId: string, status: Fields, heard: Heard): void {
  const externalId = words(status.id)
  const name = words(status.status)
  if (numberId === '' || externalId === '' || !['sent', 'delivered', 'read', 'failed'].includes(name)) return
  const code = list(status.errors)[0]?.code
  heard.deliveries.push({
    numberId,
    externalId,
    key: words(status.biz_opaque_callback_data) || null,
    isFailed: name === 'failed',
    code: typeof code === 'number' ? code : null,
  })
}
