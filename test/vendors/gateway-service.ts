// A gateway service that implements docs/gateway-api.yaml over real HTTP: accounts, devices linked on request, texts,
// events. Traffic is validated against the contract; faults can be switched on per path.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { readContract } from './gateway-contract.ts'
import { type Asked, type Fault, type Routes, startVendor } from './server.ts'

export const ACCOUNT = { email: 'ana@gateway.example', password: 'far-password-7d1e' }

export type FarSip = { host: string; port: number; username: string; password: string; [more: string]: unknown }
export type FarStatus = 'provisioning' | 'waiting_qr' | 'connected' | 'disconnected' | 'error'
type FarDevice = {
  id: string
  reference: string
  token: string
  status: FarStatus
  phone: string | null
  displayName: string | null
  error: string | null
}
type FarEvent = { id: string; type: string; at: string; deviceId: string; [more: string]: unknown }
type Answer = { status: number; json?: unknown; headers?: Record<string, string> }
type Planned = { path: RegExp; fault: Fault; left: number; retryAfter: string }

const answer = (json: unknown, status = 200): Answer => ({ status, json })
/** The message repeats a secret on purpose: it must not be passed on. */
const no = (status: number, code: string): Answer =>
  answer({ error: { code, message: `${code} for ${ACCOUNT.password}` } }, status)

export type GatewayServiceOptions = {
  sessionMs?: number
  /** How calls go through a device. */
  sip?: (device: { id: string }) => FarSip
}

export type GatewayService = Awaited<ReturnType<typeof startGatewayService>>

export async function startGatewayService(options: GatewayServiceOptions = {}) {
  const contract = await readContract()
  const accounts = new Map([[ACCOUNT.email, ACCOUNT.password]])
  const tokens = new Map<string, { email: string; endsAt: number }>()
  const refreshes = new Map<string, string>()
  const devices = new Map<string, FarDevice & { owner: string }>()
  const callsTo = new Map<string, string>()
  const sent = new Map<string, { id: string; to: string; text: string; deviceId: string }>()
  const violations: string[] = []
  const events: (FarEvent & { owner: string })[] = []
  const faults: Planned[] = []
  const waiting = new Set<() => void>()
  let firstKept = 0
  const { sessionMs = 3_600_000 } = options
  const wrongEvents = new Set<string>()
  let clockMs = 0
  const sip =
    options.sip ?? (({ id }) => ({ host: '127.0.0.1', port: 5999, username: `far-${id}`, password: `sip-${id}` }))

  function newSession(email: string): Answer {
    const [token, refreshToken] = [`tok-${randomUUID()}`, `ref-${randomUUID()}`]
    tokens.set(token, { email, endsAt: Date.now() + sessionMs })
    refreshes.set(refreshToken, email)
    return answer({ token, expiresAt: new Date(Date.now() + clockMs + sessionMs).toISOString(), refreshToken })
  }

  function emit(deviceId: string, type: string, more: object = {}): string {
    const { owner } = device(deviceId)
    const id = `e${String(events.length + 1).padStart(6, '0')}`
    events.push({ id, type, at: new Date().toISOString(), deviceId, owner, ...more })
    for (const wake of waiting) wake()
    return id
  }

  function device(id: string): FarDevice & { owner: string } {
    const found = devices.get(id)
    if (!found) throw new Error(`no device ${id}`)
    return found
  }
  const shown = ({ owner, ...record }: FarDevice & { owner: string }) => record

  function change(id: string, to: Partial<FarDevice>): void {
    Object.assign(device(id), to)
    emit(id, 'status')
  }

  // biome-ignore lint/suspicious/noExplicitAny: held against the contract before it is read
  type Body = any
  type Act = (given: {
    email: string
    id: string
    key: string
    body: Body
    query: URLSearchParams
    gone: AbortSignal
  }) => Answer | Promise<Answer>
  const acts: Record<string, Act> = {
    openSession: ({ body }) =>
      accounts.get(body.email) === body.password ? newSession(body.email) : no(401, 'unauthorized'),
    refreshSession({ body }) {
      const email = refreshes.get(body.refreshToken)
      refreshes.delete(body.refreshToken)
      return email ? newSession(email) : no(401, 'unauthorized')
    },
    listDevices: ({ email, query }) =>
      answer({
        devices: [...devices.values()]
          .filter(({ owner }) => owner === email)
          .filter(({ reference }) => !query.has('reference') || reference === query.get('reference'))
          .map(shown),
      }),
    makeDevice({ email, key, body }) {
      const before = [...devices.values()].find(({ owner, reference }) => owner === email && reference === key)
      if (before) return answer(shown(before))
      const id = `d${devices.size + 1}-${randomUUID().slice(0, 8)}`
      const rest = { token: `t-${id}`, status: 'waiting_qr' as const, phone: null, error: null }
      devices.set(id, { id, reference: key, owner: email, displayName: body.name ?? null, ...rest })
      emit(id, 'status')
      return answer(shown(device(id)), 201)
    },
    getDevice: ({ id }) => answer(shown(device(id))),
    removeDevice({ id }) {
      const removed = shown(device(id))
      devices.delete(id)
      return answer(removed)
    },
    getQr({ id }) {
      if (device(id).status === 'connected') return no(409, 'connected')
      if (device(id).status !== 'waiting_qr') change(id, { status: 'waiting_qr' })
      return answer({ text: `FAR-LINK:${id}`, expiresAt: new Date(Date.now() + 60_000).toISOString() })
    },
    unlinkDevice({ id }) {
      if (device(id).status === 'connected') change(id, { status: 'disconnected' })
      return answer(shown(device(id)))
    },
    joinSip({ id, body }) {
      callsTo.set(id, body.callsTo)
      return answer(sip(device(id)))
    },
    sendMessage({ id, key, body }) {
      const before = sent.get(key)
      if (before) return answer({ id: before.id })
      if (device(id).status !== 'connected') return no(409, 'not_connected')
      sent.set(key, { id: `m${sent.size + 1}`, to: body.to, text: body.text, deviceId: id })
      return answer({ id: `m${sent.size}` }, 201)
    },
    async getEvents({ email, query, gone }) {
      const after = query.get('after')
      const from = after === null ? firstKept : events.findIndex(({ id }) => id === after) + 1
      if (after !== null && from <= firstKept && firstKept > 0) return no(410, 'gone')
      const next = () => events.slice(from).filter(({ owner }) => owner === email)
      const end = Date.now() + Number(query.get('wait') ?? 0) * 1000
      while (next().length === 0 && Date.now() < end && !gone.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.add(resolve)
        await Promise.race([promise, delay(end - Date.now(), undefined, { signal: gone }).catch(() => {})])
        waiting.delete(resolve)
      }
      return answer({
        events: next()
          .slice(0, 50)
          .map(({ owner, ...event }) => event),
      })
    },
  }

  async function act(asked: Asked, name: string, body: unknown, gone: AbortSignal): Promise<Answer> {
    const [path = '', query] = asked.url.split('?')
    const token = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '')?.[1] ?? ''
    const session = tokens.get(token)
    const isOpen = name === 'openSession' || name === 'refreshSession'
    if (!isOpen && (!session || session.endsAt <= Date.now())) return no(401, 'unauthorized')
    const id = decodeURIComponent(path.split('/')[2] ?? '')
    const email = session?.email ?? ''
    const isDevice = path.startsWith('/devices/')
    if (isDevice && devices.get(id)?.owner !== email) return no(404, 'not_found')
    const key = String(asked.headers['idempotency-key'] ?? '')
    return (acts[name] as Act)({ email, id, key, body, query: new URLSearchParams(query), gone })
  }

  function faultFor(asked: Asked): Planned | undefined {
    const planned = faults.find(({ path, left }) => left > 0 && path.test(`${asked.method} ${asked.url}`))
    if (planned) planned.left--
    return planned
  }

  const routes: Routes = {
    isAllowed: () => true,
    async http(asked, response) {
      const text = Buffer.from(asked.body, 'latin1').toString('utf8')
      const body = text === '' ? undefined : JSON.parse(text)
      const crossing = { ...asked, body }
      const name = contract.nameOf(crossing)
      const wrong = contract.wrongInRequest(crossing)
      if (wrong) violations.push(`${asked.method} ${asked.url}: ${wrong}`)
      if (!name) return false
      const planned = faultFor(asked)
      const fault = planned?.fault ?? null
      if (fault === 'silent') return true
      if (fault === 'reset-at-once') return response.destroy() && true
      if (fault === 'unauthorized') return write(response, no(401, 'unauthorized'))
      if (fault === 'throttled') return write(response, { ...no(429, 'rate_limited'), headers: retryAfter(planned) })
      if (fault === 'broken') return write(response, no(500, 'out_of_order'))
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const reply = await act(asked, name, body, gone.signal)
      const bad = contract.wrongInAnswer(crossing, reply.status, reply.json)
      const isMeant = name === 'getEvents' && wrongEvents.size > 0
      if (bad && !isMeant) violations.push(`the answer to ${asked.method} ${asked.url}: ${bad}`)
      const date = new Date(Date.now() + clockMs).toUTCString()
      return write(response, { ...reply, headers: { ...reply.headers, date } }, fault)
    },
  }

  const server = await startVendor(routes)
  return {
    ...server,
    violations,
    events,
    sent: () => [...sent.values()],
    devices: () => [...devices.values()],
    device,
    callsTo: (id: string) => callsTo.get(id),
    /** How many requests matched. */
    count: (what: RegExp) => server.asked.filter(({ method, url }) => what.test(`${method} ${url}`)).length,
    addAccount: (email: string, password: string) => void accounts.set(email, password),
    /** Simulates a person who scans the code. */
    link: (id: string, phone: string) => change(id, { status: 'connected', phone }),
    change,
    /** A user at the remote service removes the device. */
    remove: (id: string) => void devices.delete(id),
    textIn: (id: string, from: string, text: string, messageId: string = randomUUID()) =>
      emit(id, 'message', { message: { id: messageId, from, text } }),
    emit,
    /** Drops the events so far, which are then no longer reported. */
    forgetEvents() {
      firstKept = events.length
    },
    /** Ends every session, and its refresh tokens too if requested. */
    endSessions(withRefresh = false) {
      tokens.clear()
      if (withRefresh) refreshes.clear()
    },
    /** Sets the offset of the service's clock from ours. */
    setClockMs(ms: number) {
      clockMs = ms
    },
    /** Emits an event that the contract does not allow. */
    emitWrong(id: string, type: string, more: object) {
      wrongEvents.add(emit(id, type, more))
    },
    failOn(path: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY, after = '1') {
      faults.push({ path, fault, left: times, retryAfter: after })
    },
    healAll() {
      faults.length = 0
    },
  }
}

const retryAfter = (planned: Planned | undefined) => ({ 'retry-after': planned?.retryAfter ?? '1' })

function write(response: ServerResponse, { status, json, headers }: Answer, fault: Fault | null = null): true {
  if (fault === 'wrong') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>A page of some proxy</html>')
    return true
  }
  const text = fault === 'mislabelled' ? '{"half":' : fault === 'empty' ? '{}' : JSON.stringify(json)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  // The request is executed, but the response is lost.
  if (fault === 'reset') response.write(text.slice(0, 3), () => response.destroy())
  else if (fault === 'stall') response.write(text.slice(0, 3))
  else response.end(text)
  return true
}
