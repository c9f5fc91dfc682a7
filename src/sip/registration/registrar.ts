// The registrar: bindings of an address of record, each with its flow (RFC 3261 section 10.3).
// The caller authorizes; this only stores bindings.
import { nowMs } from '../../base/time/clock.ts'
import { responseTo } from '../message/build.ts'
import type { Flow, SipRequest, SipResponse } from '../message/message.ts'
import { parseUri, sameUri } from '../message/uri.ts'
import { formatNameAddr, listOf, parseCSeq, parseNameAddr } from '../message/values.ts'
import { plainAddress } from '../transport/local-address.ts'
import { type RequestedContact, readContacts } from './register-contacts.ts'

export type Binding = {
  /** The contact's uri as received. */
  readonly contact: string
  /** Request-URI of a call to this binding, sent over `flow` (NAT). */
  readonly target: string
  readonly params: ReadonlyMap<string, string | null>
  readonly callId: string
  readonly cseq: number
  readonly expiresAt: number
  readonly registeredAt: number
  readonly flow: Flow
  /** Route set of RFC 3327, if the REGISTER came through proxies that must see the calls. */
  readonly path: readonly string[]
  readonly userAgent: string | null
  /** The node that received the REGISTER, if it is another one: it has the connection of a TCP or TLS flow. */
  readonly origin?: string
}

type Options = {
  now?: () => number
  /** Seconds. Less than the minimum is refused (423), more than the maximum is reduced. */
  minExpires?: number
  maxExpires?: number
  defaultExpires?: number
  maxContacts?: number
  /** 0: bindings expire only by `expire` and `lookup`. */
  sweepEveryMs?: number
}

/** Extensions that a REGISTER may require of us. */
const supported = new Set(['path'])
const MAX_PROXIES = 5
const MAX_PROXY_LENGTH = 255

export class Registrar {
  readonly #bindings = new Map<string, Binding[]>()
  /** By source address, which is looked up for every unknown packet. */
  readonly #byAddress = new Map<string, Map<Binding, string>>()
  readonly #listeners = new Set<(aor: string, isRegistered: boolean) => void>()
  readonly #now: () => number
  readonly #limits: { minExpires: number; maxExpires: number; defaultExpires: number; maxContacts: number }
  readonly #sweep: NodeJS.Timeout | undefined

  constructor(options: Options = {}) {
    const { minExpires = 60, maxExpires = 3600, maxContacts = 10, sweepEveryMs = 1000 } = options
    this.#now = options.now ?? nowMs
    this.#limits = { minExpires, maxExpires, maxContacts, defaultExpires: options.defaultExpires ?? maxExpires }
    if (sweepEveryMs > 0) this.#sweep = setInterval(() => this.expire(), sweepEveryMs).unref()
  }

  register(aor: string, request: SipRequest, flow: Flow): SipResponse {
    const { response, bindings } = this.plan(this.lookup(aor), request, flow)
    if (bindings) this.set(aor, bindings)
    return response
  }

  /** The bindings after this REGISTER, without storing them; no `bindings` if it is refused. */
  plan(kept: readonly Binding[], request: SipRequest, flow: Flow): { response: SipResponse; bindings?: Binding[] } {
    const refused = (status: number, reason?: string, headers: Record<string, string> = {}) => ({
      response: responseTo(request, status, reason, { headers }),
    })
    const unknown = listOf(request.headers, 'require').filter((tag) => !supported.has(tag.toLowerCase()))
    if (unknown.length > 0) return refused(420, undefined, { unsupported: unknown.join(', ') })
    if (!isPath(listOf(request.headers, 'path'))) return refused(400, 'Bad Path')
    const asked = readContacts(request, this.#limits)
    if (asked.kind === 'malformed') return refused(400, asked.why)
    if (asked.kind === 'too-brief') return refused(423, undefined, { 'min-expires': String(this.#limits.minExpires) })
    const next = asked.kind === 'all' ? this.#without(kept, request) : this.#with(kept, asked.contacts, request, flow)
    // RFC 3261 section 10.3 step 7: an older request must not undo a newer one; a request is applied completely or not at all.
    if (next === null) return refused(500, 'Out of Order')
    const response = responseTo(request, 200, undefined, { headers: this.#told(next, request) })
    return { response, bindings: next }
  }

  /** The valid bindings: highest q first, then the latest. */
  lookup(aor: string): Binding[] {
    const now = this.#now()
    return (this.#bindings.get(aor) ?? [])
      .filter(({ expiresAt }) => expiresAt > now)
      .sort((a, b) => qOf(b) - qOf(a) || b.registeredAt - a.registeredAt)
  }

  /** A phone is registered from this address. */
  hasAddress(address: string): boolean {
    return this.#aorAt(address, () => true) !== undefined
  }

  /** A phone is registered over this flow, or through the proxy at its address. */
  isFrom(flow: Flow): boolean {
    return this.aorFrom(flow) !== undefined
  }

  /** The address of record of such a phone. */
  aorFrom({ transport, remote }: Flow): string | undefined {
    return this.#aorAt(
      plainAddress(remote.address),
      ({ flow, path }) =>
        flow.transport === transport &&
        flow.remote.address === remote.address &&
        (flow.remote.port === remote.port || path.length > 0),
    )
  }

  /** Notifies when an address gets its first binding and loses its last. Returns the unsubscribe function. */
  onChange(told: (aor: string, isRegistered: boolean) => void): () => void {
    this.#listeners.add(told)
    return () => this.#listeners.delete(told)
  }

  expire(): void {
    const now = this.#now()
    for (const [aor, bindings] of this.#bindings)
      if (bindings.some(({ expiresAt }) => expiresAt <= now)) this.set(aor, this.lookup(aor))
  }

  /** Removes all bindings of an address: it was deleted, or its password changed. */
  remove(aor: string): void {
    this.set(aor, [])
  }

  /** Addresses with a registered phone. */
  get size(): number {
    return this.#bindings.size
  }

  close(): void {
    clearInterval(this.#sweep)
    this.#listeners.clear()
    this.#bindings.clear()
    this.#byAddress.clear()
  }

  /** Replaces the bindings of an address. */
  set(aor: string, bindings: Binding[]): void {
    const had = this.#bindings.has(aor)
    for (const binding of this.#bindings.get(aor) ?? []) this.#unlist(binding)
    for (const binding of bindings) this.#list(binding, aor)
    if (bindings.length > 0) this.#bindings.set(aor, bindings)
    else this.#bindings.delete(aor)
    const has = bindings.length > 0
    if (had !== has) for (const told of this.#listeners) told(aor, has)
  }

  #aorAt(address: string, isMeant: (binding: Binding) => boolean): string | undefined {
    const now = this.#now()
    for (const [binding, aor] of this.#byAddress.get(address) ?? [])
      if (binding.expiresAt > now && isMeant(binding)) return aor
    return undefined
  }

  #list(binding: Binding, aor: string): void {
    const address = plainAddress(binding.flow.remote.address)
    const known = this.#byAddress.get(address)
    if (known) known.set(binding, aor)
    else this.#byAddress.set(address, new Map([[binding, aor]]))
  }

  #unlist(binding: Binding): void {
    const address = plainAddress(binding.flow.remote.address)
    const known = this.#byAddress.get(address)
    known?.delete(binding)
    if (known?.size === 0) this.#byAddress.delete(address)
  }

  #without(kept: readonly Binding[], request: SipRequest): Binding[] | null {
    const { callId, cseq } = orderOf(request)
    return kept.some((binding) => binding.callId === callId && cseq <= binding.cseq) ? null : []
  }

  #with(
    kept: readonly Binding[],
    contacts: readonly RequestedContact[],
    request: SipRequest,
    flow: Flow,
  ): Binding[] | null {
    const { callId, cseq } = orderOf(request)
    const now = this.#now()
    const path = listOf(request.headers, 'path')
    const userAgent =
      request.headers
        .get('user-agent')
        ?.slice(0, 200)
        .replace(/\p{Cc}/gu, ' ') ?? null
    let next = [...kept]
    for (const { uri, target, params, expires } of contacts) {
      const old = kept.filter((binding) => isSamePhone(binding, uri, params))
      if (old.some((binding) => binding.callId === callId && cseq <= binding.cseq)) return null
      next = next.filter((binding) => !isSamePhone(binding, uri, params))
      const expiresAt = now + expires * 1000
      if (expires > 0)
        next.push({ contact: uri, target, params, callId, cseq, expiresAt, registeredAt: now, flow, path, userAgent })
    }
    // A phone that restarts with another port each time leaves old contacts behind: the oldest are dropped.
    return next.sort((a, b) => b.registeredAt - a.registeredAt).slice(0, this.#limits.maxContacts)
  }

  #told(bindings: readonly Binding[], request: SipRequest): [string, string][] {
    const now = this.#now()
    const contacts = bindings.map(({ contact, params, expiresAt }): [string, string] => {
      const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000))
      return ['contact', formatNameAddr({ uri: contact, params: new Map([...params, ['expires', String(seconds)]]) })]
    })
    const path = request.headers.all('path').map((value): [string, string] => ['path', value])
    return [...contacts, ...path, ['date', new Date(now).toUTCString()]]
  }
}

const qOf = (binding: Binding): number => {
  const q = Number(binding.params.get('q') ?? '1')
  return q >= 0 && q <= 1 ? q : 1
}

const orderOf = (request: SipRequest) => ({
  callId: request.headers.get('call-id') ?? '',
  cseq: parseCSeq(request.headers.get('cseq') ?? '')?.number ?? 0,
})

/** RFC 3327: SIP addresses of proxies, limited in number. */
const isPath = (values: readonly string[]): boolean =>
  values.length <= MAX_PROXIES &&
  values.every((value) => {
    const uri = value.length > MAX_PROXY_LENGTH ? null : parseUri(parseNameAddr(value)?.uri ?? '')
    return uri !== null && uri.scheme !== 'tel'
  })

/** The same contact, or the same device after its address changed (RFC 5626 section 6). */
function isSamePhone(binding: Binding, uri: string, params: ReadonlyMap<string, string | null>): boolean {
  const device = params.get('+sip.instance')
  if (device && binding.params.get('+sip.instance') === device)
    return binding.params.get('reg-id') === params.get('reg-id')
  return sameUri(binding.contact, uri)
}
