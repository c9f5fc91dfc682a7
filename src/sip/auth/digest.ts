// Digest authentication (RFC 3261 section 22, RFC 7616, RFC 8760): the hash of both sides, and the client's credentials.
import { createHash, randomBytes } from 'node:crypto'
import { LruCache } from '../../base/lru-cache.ts'
import type { Credentials } from '../dialog/call.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import { parseAuth, quoted, splitList } from '../message/values.ts'

/** Strongest first. */
const digestAlgorithms = ['SHA-256-sess', 'SHA-256', 'MD5-sess', 'MD5'] as const
export type DigestAlgorithm = (typeof digestAlgorithms)[number]

export const digestAlgorithm = (name: string | undefined): DigestAlgorithm | null =>
  digestAlgorithms.find((known) => known.toLowerCase() === (name ?? 'MD5').toLowerCase()) ?? null

export type DigestParts = {
  algorithm: DigestAlgorithm
  username: string
  realm: string
  password: string
  method: string
  uri: string
  nonce: string
  /** Absent: the form of RFC 2069, without a count. */
  qop?: { nc: string; cnonce: string }
  /** Needed by "-sess", even without qop. */
  cnonce?: string
}

/** The `response` of RFC 7616 section 3.4.1, in hex. */
export function digestResponse(parts: DigestParts): string {
  const { algorithm, username, realm, password, method, uri, nonce, qop } = parts
  const hash = (text: string) =>
    createHash(algorithm.startsWith('MD5') ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  let secret = hash(`${username}:${realm}:${password}`)
  if (algorithm.endsWith('-sess')) secret = hash(`${secret}:${nonce}:${qop?.cnonce ?? parts.cnonce ?? ''}`)
  const what = hash(`${method}:${uri}`)
  return qop ? hash(`${secret}:${nonce}:${qop.nc}:${qop.cnonce}:auth:${what}`) : hash(`${secret}:${nonce}:${what}`)
}

/** Use count of each nonce. One instance per account. */
export type NonceCounters = LruCache<string, number>

export const newNonceCounters = (): NonceCounters => new LruCache(100)

export type Challenge = {
  realm: string
  nonce: string
  algorithm: DigestAlgorithm
  /** As written in the challenge, if present. */
  namedAlgorithm: string | undefined
  opaque: string | undefined
  hasQop: boolean
  isStale: boolean
}

const beginning = /^[\w.!%*+`'~-]+\s+[\w.!%*+`'~-]+\s*=/

/** A line may hold several challenges (RFC 7235 section 4.1): a piece that begins with a scheme starts a new one. */
function splitChallenges(line: string): string[] {
  const challenges: string[] = []
  for (const piece of splitList(line)) {
    const last = challenges.length - 1
    if (last === -1 || beginning.test(piece)) challenges.push(piece)
    else challenges[last] += `, ${piece}`
  }
  return challenges
}

/** The challenges that we support, in order. */
export function challengesOf(response: SipResponse): Challenge[] {
  const name = response.status === 407 ? 'proxy-authenticate' : 'www-authenticate'
  return response.headers
    .all(name)
    .flatMap(splitChallenges)
    .flatMap((text) => {
      const auth = parseAuth(text)
      if (auth?.scheme !== 'digest') return []
      const { params } = auth
      const algorithm = digestAlgorithm(params.get('algorithm'))
      const [realm, nonce, qop] = [params.get('realm'), params.get('nonce'), params.get('qop')]
      if (algorithm === null || realm === undefined || nonce === undefined) return []
      const offered = qop?.split(',').map((word) => word.trim().toLowerCase())
      // auth-int is not supported: too many proxies modify the body.
      if (offered && !offered.includes('auth')) return []
      return [
        {
          realm,
          nonce,
          algorithm,
          namedAlgorithm: params.get('algorithm'),
          opaque: params.get('opaque'),
          hasQop: offered !== undefined,
          isStale: params.get('stale')?.toLowerCase() === 'true',
        },
      ]
    })
}

type RefusedRequest = Pick<SipRequest, 'method' | 'uri'>
export type DigestAnswer = { name: 'authorization' | 'proxy-authorization'; value: string }

/** The header that answers a 401 or 407; null when no challenge is supported and for the realm of the credentials. */
export function answerChallenge(
  response: SipResponse,
  request: RefusedRequest,
  credentials: Credentials,
  memory: NonceCounters,
): DigestAnswer | null {
  const name = response.status === 407 ? 'proxy-authorization' : 'authorization'
  const [challenge] = challengesOf(response)
    .filter(({ realm }) => credentials.realm === undefined || credentials.realm === realm)
    .sort((a, b) => digestAlgorithms.indexOf(a.algorithm) - digestAlgorithms.indexOf(b.algorithm))
  if (!challenge) return null
  const count = (memory.get(challenge.nonce) ?? 0) + 1
  memory.set(challenge.nonce, count)
  return { name, value: authorization(challenge, request, credentials, count) }
}

function authorization(challenge: Challenge, request: RefusedRequest, credentials: Credentials, count: number): string {
  const { algorithm, realm, nonce, hasQop, namedAlgorithm, opaque } = challenge
  const { method, uri } = request
  const { username, password } = credentials
  const nc = count.toString(16).padStart(8, '0')
  const cnonce = randomBytes(16).toString('hex')
  const qop = hasQop ? { nc, cnonce } : undefined
  const sum = digestResponse({ algorithm, username, realm, password, method, uri, nonce, cnonce, ...(qop && { qop }) })
  const parts = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${sum}"`,
  ]
  if (namedAlgorithm !== undefined) parts.push(`algorithm=${algorithm}`)
  if (qop || algorithm.endsWith('-sess')) parts.push(`cnonce="${cnonce}"`)
  if (qop) parts.push('qop=auth', `nc=${nc}`)
  if (opaque !== undefined) parts.push(`opaque=${quoted(opaque)}`)
  return `Digest ${parts.join(', ')}`
}
