// Client for Meta's Graph API, with our own messages for its errors. Meta's messages are never passed on, only its
// error codes.
import { parsedOutside } from '../../../base/outside/json.ts'
import { limits } from '../../../base/outside/limits.ts'
import { requestOutside } from '../../../base/outside/request.ts'
import { keepAliveAgent } from '../../../base/outside/upstream-http.ts'
import { DriverTrouble } from '../driver-port.ts'

export type GraphSettings = {
  /** Includes the version, for example https://graph.facebook.com/v24.0. */
  apiUrl: string
  token: string
  timeoutMs?: number
}

export class GraphTrouble extends DriverTrouble {
  /** The request may have been executed. */
  readonly isDoubtful: boolean
  readonly code: number | null
  constructor(
    kind: DriverTrouble['kind'],
    message: string,
    more: { isDoubtful?: boolean; code?: number | null; cause?: unknown } = {},
  ) {
    super(kind, message, more.cause)
    this.isDoubtful = more.isDoubtful ?? false
    this.code = more.code ?? null
  }
}

export type Graph = ReturnType<typeof graphApi>

const CONNECT_MS = 5000
const TIMEOUT_MS = 15_000

export function graphApi({ apiUrl, token, timeoutMs = TIMEOUT_MS }: GraphSettings) {
  const agent = keepAliveAgent(Math.min(CONNECT_MS, timeoutMs))

  async function ask(method: 'GET' | 'POST', path: string, body: object | null, signal: AbortSignal): Promise<unknown> {
    const late = AbortSignal.timeout(timeoutMs)
    let status: number
    let retryAfter: number
    let text: string
    try {
      const answer = await requestOutside(`${apiUrl}/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        body: body && JSON.stringify(body),
        dispatcher: agent,
        signal: AbortSignal.any([signal, late]),
        maxBytes: limits.gatewayAnswer.bytes,
      })
      ;({ status, text } = answer)
      retryAfter = Number(answer.headers['retry-after'])
    } catch (error) {
      throw lost(error, method, late.aborted)
    }
    const json = parsed(text)
    if (status === 200 && json !== null) return json
    if (status === 200)
      throw new GraphTrouble('protocol', 'WhatsApp answered with something that is not JSON', {
        isDoubtful: method === 'POST',
      })
    throw refusal(status, codeOf(json), retryAfter, method)
  }

  return {
    get: (path: string, signal: AbortSignal): Promise<unknown> => ask('GET', path, null, signal),
    /** Never retried. */
    post: (path: string, body: object, signal: AbortSignal): Promise<unknown> => ask('POST', path, body, signal),
    close: (): Promise<void> => agent.destroy(),
  }
}

function parsed(text: string): object | null {
  const value = parsedOutside(text, limits.gatewayAnswer)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}

function codeOf(json: object | null): number | null {
  const { error } = (json ?? {}) as { error?: { code?: unknown } | null }
  return typeof error?.code === 'number' ? error.code : null
}

/** The connection was not established: nothing was sent. */
const unsent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/

function lost(cause: unknown, method: string, isLate: boolean): GraphTrouble {
  const code = String((cause as { code?: unknown } | null)?.code ?? '')
  const isDoubtful = method === 'POST' && !unsent.test(code)
  if (isLate || code === 'UND_ERR_CONNECT_TIMEOUT')
    return new GraphTrouble('timeout', 'WhatsApp did not answer in time', { isDoubtful, cause })
  return new GraphTrouble('unavailable', 'WhatsApp could not be reached', { isDoubtful, cause })
}

const tooOften = new Set([4, 17, 613, 80007, 130429, 131048, 131056])
const notAllowed = (code: number) => code === 3 || code === 10 || (code >= 200 && code <= 299)

/** The errors that users see most often. https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes */
const words: Readonly<Record<number, string>> = {
  131005: 'the access token may not do this: it needs the permissions for WhatsApp messages and management',
  131026: 'this person cannot be written to by WhatsApp',
  131030: 'this number is not among those that a test number may write to',
  131031: 'the WhatsApp Business account is locked',
  131042: 'the WhatsApp Business account has a problem with its payment',
  131045: 'the number is not registered with the WhatsApp Business platform',
  131047:
    'the person last wrote more than 24 hours ago: until they write again, WhatsApp takes only a template message',
  131051: 'WhatsApp does not take this kind of message',
  131062: 'this person is known by a user name only, and this message needs a number',
  138015: 'calls need a number that may write to 2,000 people or more a day',
  138018: 'calls need the SIP server to be set on the number first',
}

/** Why an accepted text was not delivered. */
export const failureOf = (code: number | null): string =>
  `WhatsApp could not deliver it${code === null ? '' : `: ${words[code] ?? `error ${code}`}`}`

function refusal(status: number, code: number | null, retryAfter: number, method: string): GraphTrouble {
  const known = code === null ? undefined : words[code]
  if (status === 401 || code === 190)
    return new GraphTrouble('unauthorized', 'WhatsApp does not accept the access token (WHATSAPP_TOKEN)', { code })
  if (status === 429 || (code !== null && tooOften.has(code))) {
    const wait = retryAfter > 0 ? `: in ${Math.ceil(retryAfter)} seconds` : ' for a while'
    return new GraphTrouble('unavailable', `WhatsApp is asked too often, and wants to be left alone${wait}`, { code })
  }
  if (known) return new GraphTrouble('refused', `WhatsApp refuses: ${known}`, { code })
  if (code !== null && notAllowed(code))
    return new GraphTrouble('unauthorized', `WhatsApp refuses: ${words[131005]}`, { code })
  const which = code === null ? `${status}` : `${status}, error ${code}`
  if (status >= 500)
    return new GraphTrouble('unavailable', `WhatsApp has a fault of its own (${which})`, {
      code,
      isDoubtful: method === 'POST',
    })
  if (status >= 400) return new GraphTrouble('refused', `WhatsApp refuses (${which})`, { code })
  return new GraphTrouble('protocol', `WhatsApp answered in a way that is not known (${which})`, {
    code,
    isDoubtful: method === 'POST',
  })
}
