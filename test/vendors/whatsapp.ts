// Meta's WhatsApp Cloud API, limited to numbers, calling settings and text messages, with its errors; and its webhook.
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type Asked, type Hooks, KEY, type Routes, startVendor } from './server.ts'

export const TOKEN = `EAAG${KEY}`
export const APP_SECRET = `app-secret-${KEY}`
export const VERIFY_TOKEN = `verify-${KEY}`
export const ACCOUNT_ID = '102290129340398'
export const NUMBER_ID = '106540352242922'

export type BusinessNumber = {
  id: string
  display_phone_number: string
  verified_name?: string
  code_verification_status?: string
  quality_rating?: string
  platform_type?: string
  status?: string
}
type Server = { hostname: string; port?: number; app_id?: number; sip_user_password?: string }
export type Calling = {
  status: string
  srtp_key_exchange_protocol?: string
  sip: { status: string; servers: Server[] }
}
export type Sent = { from: string; to: string; body: string; id: string; data: unknown }

type Failure = { status: number; code: number; message: string }
const failure = (status: number, code: number, message: string): Failure => ({ status, code, message })

export async function startWhatsapp() {
  const number = (id: string, phone: string): BusinessNumber => ({
    id,
    display_phone_number: phone,
    verified_name: 'Padaria',
    code_verification_status: 'VERIFIED',
    quality_rating: 'GREEN',
    platform_type: 'CLOUD_API',
    status: 'CONNECTED',
  })
  const numbers = new Map([
    [NUMBER_ID, number(NUMBER_ID, '+55 11 91234-5678')],
    ['106540352242923', number('106540352242923', '+55 21 98888-7777')],
  ])
  const calling = new Map<string, Calling>()
  const sent: Sent[] = []
  /** Failures for the next send requests; null: the request is accepted. */
  const refusals: (Failure | null)[] = []
  /** People who have not written within the last 24 hours. */
  const silent = new Set<string>()
  let tokens = [TOKEN]

  const routes: Routes = {
    isAllowed: () => true, // Meta refuses in its own JSON
    async http(asked, response, hooks) {
      const answer = answerFault(response, hooks)
      if (answer === 'done') return true
      const { pathname, searchParams } = new URL(asked.url, 'http://graph')
      const [, version, id = '', edge] = pathname.split('/')
      if (version !== 'v24.0') return false
      if (!tokens.includes(/^Bearer (.+)$/.exec(asked.headers.authorization ?? '')?.[1] ?? ''))
        return refuse(response, failure(401, 190, `Invalid OAuth access token ${KEY}`))
      if (asked.method === 'GET' && id === ACCOUNT_ID && edge === 'phone_numbers')
        return say(response, { data: [...numbers.values()], paging: {} })
      const own = numbers.get(id)
      if (!own) return refuse(response, failure(400, 100, `Unsupported request. Object with ID '${id}' does not exist`))
      if (asked.method === 'GET' && edge === undefined) return say(response, fieldsOf(own, searchParams.get('fields')))
      if (asked.method === 'GET' && edge === 'settings')
        return say(response, settingsOf(id, searchParams.get('include_sip_credentials') === 'true'))
      if (asked.method === 'POST' && edge === 'settings') return set(id, jsonOf(asked), response)
      if (asked.method === 'POST' && edge === 'messages') return take(own, jsonOf(asked), response)
      return false
    },
  }

  const fieldsOf = (own: BusinessNumber, fields: string | null) => {
    const wanted = fields?.split(',') ?? ['id', 'display_phone_number', 'verified_name']
    return Object.fromEntries(Object.entries(own).filter(([name]) => name === 'id' || wanted.includes(name)))
  }

  function settingsOf(id: string, withPassword: boolean) {
    const own = calling.get(id) ?? { status: 'DISABLED', sip: { status: 'DISABLED', servers: [] } }
    const servers = own.sip.servers.map(({ sip_user_password, ...server }) =>
      withPassword ? { ...server, sip_user_password } : server,
    )
    return { calling: { ...own, sip: { ...own.sip, servers } } }
  }

  function set(id: string, body: Record<string, unknown> | null, response: ServerResponse): true {
    const given = body?.calling as Partial<Calling> | undefined
    if (!given) return refuse(response, failure(400, 100, 'Invalid parameter'))
    const before = calling.get(id) ?? { status: 'DISABLED', sip: { status: 'DISABLED', servers: [] } }
    const servers = given.sip?.servers?.map((server, i) => ({
      app_id: 1,
      ...server,
      sip_user_password: `sip-password-${KEY}-${i}`,
    }))
    const sip = { ...before.sip, ...given.sip, servers: servers ?? before.sip.servers }
    if (sip.status === 'ENABLED' && sip.servers.length === 0)
      return refuse(response, failure(400, 100, 'At least 1 SIP server must exist'))
    calling.set(id, { ...before, ...given, sip })
    return say(response, { success: true })
  }

  function take(own: BusinessNumber, body: Record<string, unknown> | null, response: ServerResponse): true {
    const refusal = refusals.shift()
    if (refusal) return refuse(response, refusal)
    const text = body?.text as { body?: unknown } | undefined
    const to = String(body?.to ?? body?.recipient ?? '').replace(/^\+/, '')
    if (body?.messaging_product !== 'whatsapp' || body.type !== 'text' || typeof text?.body !== 'string' || to === '')
      return refuse(response, failure(400, 100, 'Invalid parameter'))
    if (text.body.length > 4096) return refuse(response, failure(400, 100, 'Param text[body] must be at most 4096'))
    if (silent.has(to)) return refuse(response, failure(400, 131047, 'Re-engagement message'))
    const id = `wamid.HBg${Buffer.from(`${to} ${sent.length}`).toString('base64url')}`
    sent.push({ from: own.id, to, body: text.body, id, data: body.biz_opaque_callback_data })
    const contacts = [{ input: to, wa_id: to }]
    return say(response, { messaging_product: 'whatsapp', contacts, messages: [{ id }] })
  }

  return {
    ...(await startVendor(routes)),
    numbers,
    calling,
    sent,
    refusals,
    silent,
    failure,
    setTokens: (now: string[]) => {
      tokens = now
    },
  }
}

/** Handles every request while a fault is switched on. */
function answerFault(response: ServerResponse, hooks: Hooks): 'done' | null {
  const fault = hooks.nextFault()
  if (fault === null) return null
  if (fault === 'silent') return 'done'
  if (fault === 'reset-at-once') response.destroy()
  else if (fault === 'unauthorized') refuse(response, failure(401, 190, `Error validating access token ${KEY}`))
  else if (fault === 'throttled') {
    response.setHeader('retry-after', '7')
    refuse(response, failure(429, 130429, 'Rate limit hit'))
  } else if (fault === 'broken') refuse(response, failure(500, 131000, 'Something went wrong'))
  else if (fault === 'wrong') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>A page</html>')
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{"nothing":"of this"}')
  return 'done'
}

function say(response: ServerResponse, value: object): true {
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(value))
  return true
}

/** Repeats the secret in the response on purpose: a driver must not pass it on. */
function refuse(response: ServerResponse, { status, code, message }: Failure): true {
  const error = { message: `(#${code}) ${message} ${KEY}`, type: 'OAuthException', code, fbtrace_id: 'A1' }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  return true
}

function jsonOf({ body }: Asked): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(body, 'latin1').toString('utf8'))
  } catch {
    return null
  }
}

/** A notification as Meta sends it, with its signature. */
export function webhook(value: object, secret = APP_SECRET, numberId = NUMBER_ID) {
  const metadata = { display_phone_number: '5511912345678', phone_number_id: numberId }
  const change = { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }
  const notice = { object: 'whatsapp_business_account', entry: [{ id: ACCOUNT_ID, changes: [change] }] }
  return signed(JSON.stringify(notice), secret)
}

export const signed = (body: string, secret = APP_SECRET) => ({
  body,
  headers: {
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  },
})

/** A text message from a person. */
export const written = (from: string, body: string, id = `wamid.${from}.${body}`) => ({
  contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
  messages: [{ from, id, timestamp: '1763200000', type: 'text', text: { body } }],
})
