// SMS by any HTTP provider: URL, headers and body come from the operator's settings.
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
const MOST_TOLD = 200
/** Nothing was sent. */
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

export async function sendByHttp(provider: SmsProvider, sms: Sms, signal: AbortSignal): Promise<SmsOutcome> {
  const { method, headers } = provider
  const known: Record<string, string> = { to: sms.to, text: sms.text, from: sms.from ?? '' }
  const values: Values = (name) => known[name]
  const isForm = Object.entries(headers).some(([name, value]) => /^content-type$/i.test(name) && /form/i.test(value))
  const hasBody = !/^(GET|HEAD|DELETE)$/.test(method)
  const body = hasBody ? (fillJson(provider.body ?? known, values) as Record<string, unknown>) : null
  try {
    const answer = await fetch(fillUrl(provider.url, values), {
      method,
      headers: {
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        'idempotency-key': sms.key,
        ...lowerCase(headers),
      },
      ...(body === null ? {} : { body: isForm ? formOf(body) : JSON.stringify(body) }),
      // Do not send our key to another host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const said = await answer.text().catch(() => '')
    if (answer.ok) return { ok: true, detail: 'handed to the provider' }
    const detail = maskOf(provider)(`the provider answered with status ${answer.status}: ${said.slice(0, MOST_TOLD)}`)
    return { ok: false, detail, ...([408, 502, 504].includes(answer.status) ? { isDoubtful: true } : {}) }
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
    if (unreachable.has(code)) return { ok: false, detail: 'the provider could not be reached' }
    return { ok: false, detail: 'the provider did not answer', isDoubtful: true }
  }
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
