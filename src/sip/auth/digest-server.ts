// Digest authentication as a server: challenges, and verification of the responses. Nonces are signed, not stored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { nowMs } from '../../base/time/clock.ts'
import type { SipRequest } from '../message/message.ts'
import { parseUri } from '../message/uri.ts'
import { parseAuth, parseNameAddr, quoted } from '../message/values.ts'
import { type DigestAlgorithm, digestAlgorithm, digestResponse } from './digest.ts'
import { nonceCounts } from './nonce-counts.ts'

type DigestVerdict =
  | { ok: true; username: string }
  | { ok: false; why: 'missing' | 'stale' | 'wrong' | 'replayed' | 'malformed' }

export type DigestServer = {
  /** Whether the request carries credentials for a challenge sent to this source, valid or not. */
  isAnswered(request: SipRequest, source: string): boolean
  /** Values for WWW-Authenticate, one for each algorithm. With a source, only answers from there are taken. */
  challenge(request: SipRequest, stale?: boolean, source?: string): string[]
  verify(
    request: SipRequest,
    source: string,
    passwordOf: (username: string) => Promise<string | undefined> | string | undefined,
  ): Promise<DigestVerdict>
}

type Options = {
  realm: string
  /** In the order offered. Default MD5 only: baresip 1.0 fails when SHA-256 is offered at all, sipsak reads the first only. */
  algorithms?: readonly DigestAlgorithm[]
  nonceLifetimeMs?: number
  /** Shared by nodes that accept each other's nonces. Nonces from before the start are stale: their counts are unknown. */
  secret?: Buffer
  now?: () => number
}

// A nonce, in base64url:
//   | time in ms (6 bytes) | random (8 bytes) | HMAC-SHA-256 of both, of the source and the realm (16 bytes) |
// Without the random bits, 18 % of 300 REGISTERs a second shared a nonce and looked like replays.
const TIME = 6
const RANDOM = 8
const SIGNED = TIME + RANDOM
const SIGNATURE = 16
const anywhere = ''

export function digestServer(options: Options): DigestServer {
  const { realm, algorithms = ['MD5'], nonceLifetimeMs = 300_000, now = nowMs } = options
  const secret = options.secret ?? randomBytes(32)
  const startedAt = options.secret ? now() : Number.NEGATIVE_INFINITY
  const nobody = randomBytes(16).toString('hex')
  const counts = nonceCounts()

  const sign = (bytes: Buffer, source: string) =>
    createHmac('sha256', secret).update(bytes).update(`${source}\n${realm}`).digest().subarray(0, SIGNATURE)

  function newNonce(source: string): string {
    const bytes = Buffer.alloc(SIGNED)
    bytes.writeUIntBE(now(), 0, TIME)
    randomBytes(RANDOM).copy(bytes, TIME)
    return Buffer.concat([bytes, sign(bytes, source)]).toString('base64url')
  }

  /** When it was issued; null if it is not ours, not for this source, or expired. */
  function readNonce(nonce: string, source: string): number | null {
    const bytes = Buffer.from(nonce, 'base64url')
    if (bytes.length !== SIGNED + SIGNATURE || bytes.toString('base64url') !== nonce) return null
    const signed = bytes.subarray(0, SIGNED)
    const signature = bytes.subarray(SIGNED)
    if (![source, anywhere].some((from) => timingSafeEqual(signature, sign(signed, from)))) return null
    const madeAt = signed.readUIntBE(0, TIME)
    return madeAt < startedAt || now() - madeAt > nonceLifetimeMs ? null : madeAt
  }

  return {
    isAnswered: (request, source) => readNonce(credentialsIn(request, realm)?.get('nonce') ?? '', source) !== null,

    challenge: (_request, stale = false, source = anywhere) =>
      algorithms.map(
        (algorithm) =>
          `Digest realm=${quoted(realm)}, nonce="${newNonce(source)}", algorithm=${algorithm}, qop="auth"${stale ? ', stale=true' : ''}`,
      ),

    async verify(request, source, passwordOf) {
      const given = credentialsIn(request, realm)
      if (given === null) return { ok: false, why: 'missing' }
      const answer = readAnswer(given)
      if (answer === null || !algorithms.includes(answer.algorithm) || !isForThis(answer.uri, request))
        return { ok: false, why: 'malformed' }
      const madeAt = readNonce(answer.nonce, source)
      if (madeAt === null || counts.isForgotten(answer.nonce, madeAt)) return { ok: false, why: 'stale' }
      const { username } = answer
      const password = await passwordOf(username)
      const wanted = digestResponse({ ...answer, realm, method: request.method, password: password ?? nobody })
      // An unknown user takes the same time and gets the same response as a wrong password.
      const isRight = isSame(wanted, answer.response)
      if (!isRight || password === undefined) return { ok: false, why: 'wrong' }
      return counts.use(answer.nonce, madeAt, answer.count) ? { ok: true, username } : { ok: false, why: 'replayed' }
    },
  }
}

const isSame = (wanted: string, given: string) =>
  wanted.length === given.length && timingSafeEqual(Buffer.from(wanted), Buffer.from(given))

/** The digest credentials for our realm, from either header. */
function credentialsIn(request: SipRequest, realm: string): ReadonlyMap<string, string> | null {
  for (const name of ['authorization', 'proxy-authorization'])
    for (const line of request.headers.all(name)) {
      const auth = parseAuth(line)
      if (auth?.scheme === 'digest' && auth.params.get('realm') === realm) return auth.params
    }
  return null
}

const hex = /^[0-9a-f]+$/i
const MAX_USERNAME = 256

function readAnswer(params: ReadonlyMap<string, string>) {
  const text = (name: string) => params.get(name) ?? ''
  const [username, nonce, uri, response, cnonce] = ['username', 'nonce', 'uri', 'response', 'cnonce'].map(text)
  const algorithm = digestAlgorithm(params.get('algorithm'))
  if (!username || !nonce || !uri || !response || algorithm === null) return null
  if (username.length > MAX_USERNAME || !hex.test(response)) return null
  const answer = { username, nonce, uri, response: response.toLowerCase(), algorithm, cnonce: cnonce ?? '' }
  const qop = params.get('qop')?.toLowerCase()
  // RFC 2069: a phone without qop may use a nonce once.
  if (qop === undefined) return { ...answer, count: 1 }
  const nc = text('nc')
  if (qop !== 'auth' || !cnonce || !/^[0-9a-f]{1,8}$/i.test(nc) || Number.parseInt(nc, 16) === 0) return null
  return { ...answer, qop: { nc, cnonce }, count: Number.parseInt(nc, 16) }
}

/** The signed uri must match the Request-URI. Ports and parameters may differ, and the host of a REGISTER may be that of its To. */
function isForThis(signed: string, request: SipRequest): boolean {
  if (signed === request.uri) return true
  const one = parseUri(signed)
  const other = parseUri(request.uri)
  if (one === null || other === null || (one.user ?? '') !== (other.user ?? '')) return false
  const host = one.host.toLowerCase()
  if (host === other.host.toLowerCase()) return true
  const to = parseUri(parseNameAddr(request.headers.get('to') ?? '')?.uri ?? '')
  return request.method === 'REGISTER' && host === to?.host.toLowerCase()
}
