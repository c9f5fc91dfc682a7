// The WhatsApp driver: a device is a number of Meta's WhatsApp Business platform. Texts use the Cloud API and its
// webhook, calls use SIP over TLS, like a trunk. There is no QR code: the number is added in Meta's own pages.
import type { Log } from '../../../base/process/log.ts'
import {
  type DeviceState,
  type DeviceTrunk,
  type DriverHost,
  DriverTrouble,
  type GatewayDevice,
  type GatewayDriver,
  type HookAnswer,
  type HookRequest,
} from '../driver-port.ts'
import { whatsappCalling } from './calling.ts'
import { failureOf, type Graph, graphApi } from './graph.ts'
import { type BusinessNumber, e164, numberFields, readNumber, readNumbers, type SipServer } from './number.ts'
import { sendText } from './send-text.ts'
import { isSigned, readWebhook, verified } from './webhook.ts'

export type WhatsappSettings = {
  token: string
  /** The number used by devices without a phone of their own. */
  phoneNumberId: string
  businessAccountId: string | null
  appSecret: string | null
  verifyToken: string | null
  apiUrl: string
  sipHost: string
  sipPassword: string | null
  timeoutMs?: number
}

export type WhatsappParts = {
  settings: WhatsappSettings
  desk: Pick<DriverHost, 'device' | 'received' | 'claim' | 'release'>
  /** Whether this user may use the operator's account. */
  mayUse(userId: string): Promise<boolean>
  /** Called with the delivery status of a text that was, or may have been, sent with this `key`. */
  delivered?(deviceId: string, text: { key: string | null; externalId: string; error: string | null }): Promise<void>
  /** Where WhatsApp reaches our SIP server over TLS; null if it cannot, and there are no calls. */
  sipServer: SipServer | null
  log: Log
}

export type WhatsappDriver = GatewayDriver & Required<Pick<GatewayDriver, 'hook'>> & { close(): Promise<void> }

export const FORBIDDEN = "The server's WhatsApp account is for administrators and the users in WHATSAPP_USERS"

export function whatsappDriver(parts: WhatsappParts): WhatsappDriver {
  const { settings, desk, mayUse, sipServer, log } = parts
  const graph = graphApi(settings)
  const calling = whatsappCalling(graph, sipServer)
  const numbers = accountNumbers(graph, settings)

  async function admitted({ userId }: GatewayDevice): Promise<void> {
    if (!(await mayUse(userId))) throw new DriverTrouble('forbidden', FORBIDDEN)
  }

  async function stateOf({ id, state }: BusinessNumber, mayChange: boolean, signal: AbortSignal): Promise<DeviceState> {
    if (state.status !== 'connected') return state
    const trouble = await calling.trouble(id, mayChange, signal)
    return { ...state, error: [state.error, trouble].filter((words) => words).join('; ') || null }
  }

  return {
    name: 'whatsapp',

    /** Points the calls of the number to us. */
    async create(device, signal) {
      await admitted(device)
      const number = await numbers.pick(device, signal)
      const holder = await desk.device('whatsapp', number.id)
      if (holder && !(await mayUse(holder.userId))) await desk.release(holder.id, FORBIDDEN)
      // Claimed before anything changes at Meta: of two concurrent devices, only one gets the number.
      if (!(await desk.claim(device.id, number.id)))
        throw new DriverTrouble('forbidden', 'This WhatsApp number belongs to another device already')
      return stateOf(number, true, signal)
    },

    async look(device, signal) {
      await admitted(device)
      return stateOf(await numbers.pick(device, signal), false, signal)
    },

    link: async () => null,

    async remove({ externalId }, signal) {
      if (externalId !== null) await calling.remove(externalId, signal)
    },

    async trunk(device, signal) {
      const { externalId } = device
      if (externalId === null || !sipServer) return null
      await admitted(device)
      const phone = await numbers.phoneOf(externalId, signal)
      const ownPassword = externalId === settings.phoneNumberId ? settings.sipPassword : null
      const password = phone && (ownPassword ?? (await calling.passwordAt(sipServer, externalId, signal)))
      return phone && password ? trunkOf(settings.sipHost, sipServer, phone, password) : null
    },

    async sendText(device, to, text, key, signal) {
      if (device.externalId === null) return { ok: false, error: 'The device has no WhatsApp number' }
      await admitted(device)
      return sendText(graph, device.externalId, { to: e164(to) ?? to, text, key }, signal)
    },

    /** An internal failure is a 503: Meta then retries for days. */
    hook: (request) =>
      answerHook(parts, request).catch((err) => {
        log.error({ err }, 'failed to store WhatsApp webhook; WhatsApp will resend it')
        return { status: 503 }
      }),

    close: graph.close,
  }
}

/** The business numbers of the account. */
function accountNumbers(graph: Graph, { businessAccountId, phoneNumberId }: WhatsappSettings) {
  const phones = new Map<string, string>() // by the number's id, from Meta's last response

  async function byId(id: string, signal: AbortSignal): Promise<BusinessNumber> {
    const number = readNumber(await graph.get(`${id}?fields=${numberFields}`, signal))
    if (!number) throw new DriverTrouble('protocol', 'WhatsApp answered something that is not understood')
    if (number.phone) phones.set(id, number.phone)
    return number
  }

  return {
    /** The device's number, looked up in the account; otherwise the configured one. */
    async pick({ externalId, phone }: GatewayDevice, signal: AbortSignal): Promise<BusinessNumber> {
      if (externalId !== null) return byId(externalId, signal)
      if (businessAccountId !== null && phone !== null) {
        const path = `${businessAccountId}/phone_numbers?fields=${numberFields}&limit=100`
        const number = readNumbers(await graph.get(path, signal)).find((one) => one.phone === phone)
        if (number) return number
        throw new DriverTrouble('refused', 'The WhatsApp Business account has no such number')
      }
      const number = await byId(phoneNumberId, signal)
      if (phone !== null && number.phone !== null && number.phone !== phone)
        throw new DriverTrouble('refused', `The WhatsApp number of this server is ${number.phone}`)
      return number
    },

    phoneOf: async (id: string, signal: AbortSignal): Promise<string | null> =>
      phones.get(id) ?? (await byId(id, signal)).phone,
  }
}

function trunkOf(sipHost: string, { hostname }: SipServer, phone: string, password: string): DeviceTrunk {
  const [host = '', port] = sipHost.split(':')
  return {
    host,
    port: port === undefined ? null : Number(port),
    transport: 'tls',
    // The username has no plus sign, From has one, and its domain is the SIP server set for the number.
    username: phone.slice(1),
    password,
    realm: null,
    fromUser: phone,
    fromDomain: hostname,
    codecs: ['opus', 'PCMA', 'PCMU'],
    mediaEncryption: 'required',
    sessionTimers: false,
    // Meta has many addresses and changes them, so its calls authenticate by password.
    allowedAddresses: [],
  }
}

async function answerHook(parts: WhatsappParts, { query, headers, body, method }: HookRequest): Promise<HookAnswer> {
  const { settings, desk, mayUse, delivered, log } = parts
  const { appSecret, verifyToken } = settings
  if (appSecret === null || verifyToken === null) return { status: 404 }
  if (method === 'GET') {
    const challenge = verified(query, verifyToken)
    return challenge === null ? { status: 403 } : { status: 200, type: 'text/plain', body: challenge }
  }
  if (!isSigned(body, headers['x-hub-signature-256'], appSecret)) return { status: 403 }
  const heard = readWebhook(body)
  if (!heard) return { status: 400 }
  /** The device with this number, if its user may use the account. */
  const holderOf = async (numberId: string): Promise<GatewayDevice | undefined> => {
    const device = await desk.device('whatsapp', numberId)
    return device && (await mayUse(device.userId)) ? device : undefined
  }
  for (const { numberId, ...text } of heard.messages) {
    const device = await holderOf(numberId)
    const isKept = device ? await desk.received({ deviceId: device.id, ...text }) : false
    // Acknowledged anyway: no device has this number, or it is disabled, and a redelivery would not change that.
    if (!isKept) log.info({ numberId }, 'WhatsApp message ignored: no enabled device has the number')
  }
  for (const { numberId, externalId, key, isFailed, code } of heard.deliveries) {
    const device = delivered && (await holderOf(numberId))
    if (device) await delivered(device.id, { key, externalId, error: isFailed ? failureOf(code) : null })
    if (isFailed) log.info({ numberId, code }, 'WhatsApp message not delivered')
  }
  if (heard.ignored.length > 0) log.debug({ kinds: heard.ignored }, 'WhatsApp messages of unsupported kinds ignored')
  return { status: 200 }
}
