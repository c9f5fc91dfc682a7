// SMS by any HTTP provider: URL, headers and body come from the operator's settings.
import type { Dispatcher } from 'undici'
import { limits } from '../base/outside/limits.ts'
import { requestOutside } from '../base/outside/request.ts'
import { loadUndici } from '../base/process/lazy-packages.ts'
import { secretMask } from './results.ts'
import { fillJson, fillUrl, formOf, type Values } from './template.ts'

export type SmsProvider = {
  /** With {to}, {text} and {from}. */
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  /** May contain the same three placeholders. Null: { to, text, from }, unless the URL contains them. */
  body: Readonly<Record<string, unknown>> | null
}

export type Sms = { to: string; text: string; from: string | null; key: string }
export type SmsOutcome = { ok: boolean; detail: string; isDoubtful?: boolean }

const TIMEOUT_MS = 10_000
const MAX_EXCERPT = 200

export async function sendByHttp(
  provider: SmsProvider,
  sms: Sms,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<SmsOutcome> {
  const { method, headers } = provider
  const known: Record<string, string> = { to: sms.to, text: sms.text, from: sms.from ?? '' }
  const values: Values = (name) => known[name]
  const isForm = Object.entries(headers).some(([name, value]) => /^content-type$/i.test(name) && /form/i.test(value))
  const hasBody = !/^(GET|HEAD|DELETE)$/.test(method)
  const body = hasBody ? (fillJson(provider.body ?? known, values) as Record<string, unknown>) : null
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const connection = newConnection(limit)
  try {
    // Redirects are not followed: our key is not sent to another host.
    const { status, text: said } = await requestOutside(fillUrl(provider.url, values), {
      method,
      headers: {
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        'idempotency-key': sms.key,
        ...lowerCase(headers),
      },
      ...(body === null ? {} : { body: isForm ? formOf(body) : JSON.stringify(body) }),
      dispatcher: connection.agent,
      signal: limit,
      maxBytes: limits.errorBody.bytes,
    })
    if (status >= 200 && status < 300) return { ok: true, detail: 'handed to the provider' }
    const detail = maskOf(provider)(`the provider answered with status ${status}: ${said.slice(0, MAX_EXCERPT)}`)
    return { ok: false, detail, ...([408, 502, 504].includes(status) ? { isDoubtful: true } : {}) }
  } catch {
    if (!connection.isOpened()) return { ok: false, detail: 'the provider could not be reached' }
    return { ok: false, detail: 'the provider did not answer', isDoubtful: true }
  } finally {
    void connection.agent.destroy()
  }
}

/**
 * A connection for one message. Until it is open, TLS included, nothing was sent, whatever the error is: on a busy
 * machine a timeout may be noticed before a refusal. `limit` also ends it while it is opening, which undici's own
 * signal does not.
 */
function newConnection(limit: AbortSignal): { agent: Dispatcher; isOpened(): boolean } {
  const { Agent, buildConnector } = loadUndici()
  const connect = buildConnector({ timeout: 0, signal: limit })
  let isOpened = false
  const agent = new Agent({
    allowH2: false,
    connect(options, callback) {
      connect(options, (...outcome) => {
        isOpened ||= outcome[0] === null
        callback(...outcome)
      })
    },
  })
  return { agent, isOpened: () => isOpened }
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Keys may be in the headers, the query and the body: they are masked if the provider echoes them. */
function maskOf({ url, headers, body }: SmsProvider): (text: string) => string {
  const query = [...url.matchAll(/[?&][^=&#?]+=([^&#]*)/g)].map(([, value]) => decodeURIComponent(value ?? ''))
  const fixed = [...query, ...Object.values(body ?? {})].filter(
    (value) => typeof value === 'string' && !/[{}]/.test(value),
  )
  return secretMask({ headers, authorization: { type: '', fixed } })
}
