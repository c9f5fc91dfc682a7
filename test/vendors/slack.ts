// Slack's public protocol, limited to messages: chat.postMessage and auth.test of the Web API, and incoming webhooks.
import type { ServerResponse } from 'node:http'
import { type Asked, KEY, type Routes, startVendor } from './server.ts'

export const TOKEN = `xoxb-${KEY}`
export const WEBHOOK = `/services/T0001/B0001/${KEY}`
const channels: Readonly<Record<string, string>> = {
  '#support': 'C0SUPPORT',
  support: 'C0SUPPORT',
  C0SUPPORT: 'C0SUPPORT',
}
const MAX_TEXT = 40_000

export type Posted = { channel: string; text: string }

export async function startSlack() {
  const posted: Posted[] = []
  const limits = { refusals: 0, retryAfterSeconds: 1 }

  const routes: Routes = {
    isAllowed: () => true, // Slack refuses with an error in the body and status 200
    async http(asked, response) {
      if (asked.method !== 'POST') return false
      if (asked.url === WEBHOOK || asked.url.startsWith('/services/')) hook(asked, response)
      else if (asked.url === '/api/auth.test')
        webApi(asked, response, () => ({ ok: true, team: 'T', user: 'bot', url: '' }))
      else if (asked.url === '/api/chat.postMessage') webApi(asked, response, postMessage)
      else return false
      return true
    },
  }

  function webApi(asked: Asked, response: ServerResponse, act: (fields: Record<string, unknown>) => object): void {
    const send = (value: object, status = 200, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
        .end(JSON.stringify(value))
    const fields = fieldsOf(asked)
    if (!fields) return void send({ ok: false, error: 'invalid_json' })
    const token = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '')?.[1] ?? fields.token
    if (!token) return void send({ ok: false, error: 'not_authed' })
    if (token !== TOKEN) return void send({ ok: false, error: 'invalid_auth', needed: String(token) })
    if (limits.refusals > 0) {
      limits.refusals--
      return void send({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': String(limits.retryAfterSeconds) })
    }
    send(act(fields))
  }

  function postMessage({ channel, text }: Record<string, unknown>): object {
    const id = channels[String(channel ?? '')]
    if (!id) return { ok: false, error: 'channel_not_found' }
    if (typeof text !== 'string' || text === '') return { ok: false, error: 'no_text' }
    if (text.length > MAX_TEXT) return { ok: false, error: 'msg_too_long' }
    posted.push({ channel: id, text })
    const ts = `1700000000.${String(posted.length).padStart(6, '0')}`
    return { ok: true, channel: id, ts, message: { type: 'message', subtype: 'bot_message', text, ts, bot_id: 'B1' } }
  }

  /** A plain-text response. */
  function hook(asked: Asked, response: ServerResponse): void {
    const say = (status: number, words: string) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end(words)
    if (asked.url !== WEBHOOK) return void say(404, 'no_service')
    const fields = fieldsOf(asked)
    if (!fields) return void say(400, 'invalid_payload')
    const { text, channel } = fields
    if (typeof text !== 'string' || text === '') return void say(400, 'no_text')
    if (channel !== undefined && !channels[String(channel)]) return void say(404, 'channel_not_found')
    posted.push({ channel: channels[String(channel ?? 'support')] ?? '', text })
    say(200, 'ok')
  }

  return { ...(await startVendor(routes)), posted, limits }
}

function fieldsOf({ headers, body }: Asked): Record<string, unknown> | null {
  const text = Buffer.from(body, 'latin1').toString('utf8')
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text))
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
