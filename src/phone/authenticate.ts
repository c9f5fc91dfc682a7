// Identifies the peer of a SIP request: a trunk by address, by our Contact or by digest, a device by digest. Unknown peers get no response.
import type { digestServer } from '../sip/auth/digest-server.ts'
import type { Flow, SipRequest } from '../sip/message/message.ts'
import { parseUri } from '../sip/message/uri.ts'
import { parseNameAddr, tagOf } from '../sip/message/values.ts'
import { type BanList, type Failure, isScanner } from '../sip/transport/ban-list.ts'
import { plainAddress } from './address-set.ts'
import type { Directory } from './directory.ts'
import type { Ownership } from './ownership.ts'
import type { Device, Trunk } from './ports.ts'
import type { RequestSource, RequestSources } from './request-source.ts'

/** Trunks of one user with the same username that are tried: each costs a hash. Per user, so that nobody can crowd out the trunks of others. */
const MAX_NAMESAKES = 8

export type Peer =
  /** `by`: how the trunks were found. `challenges`: to be sent when the called number belongs to none of the trunks; the caller may have a password. */
  | { is: 'trunk'; trunks: readonly Trunk[]; by: 'contact' | 'digest' | 'call'; challenges?: readonly string[] }
  | { is: 'device'; device: Device }
  /** No valid credentials yet: challenge. */
  | { is: 'unauthenticated'; challenges: readonly string[] }
  /** Wrong password, or unknown behind a proxy. */
  | { is: 'refused' }
  | { is: 'unknown' }

export type Authenticator = ReturnType<typeof createAuthenticator>

export type AuthenticatorParts = {
  directory: Directory
  ownership: Ownership
  banList: BanList
  digest: ReturnType<typeof digestServer>
  sources: RequestSources
  /** Whether a phone is registered from this address. */
  hasPhoneAt: (address: string) => boolean
  onAuthenticated: (flow: Flow, owner: string) => void
}

const FORBIDDEN = 403

export function createAuthenticator(parts: AuthenticatorParts) {
  const { ownership, banList, sources } = parts
  const verifyDigest = digestVerifier(parts)

  async function identify(request: SipRequest, source: RequestSource): Promise<Peer> {
    const { directory, digest } = parts
    const { address, port } = source
    const trusted = trustedPeer(parts, request, source)
    if (trusted && (!request.headers.has('authorization') || !directory.hasAccounts())) return trusted
    if (!directory.hasAccounts()) {
      recordFailure(banList, source)
      return { is: 'unknown' }
    }
    const { result, account, isOwn } = await verifyDigest(request, address)
    if (result.ok) {
      banList.reset(address, port)
      if (!account) return { is: 'unknown' }
      if (!('authMode' in account)) return { is: 'device', device: account }
      void directory.prove(account, address, 'digest')
      return { is: 'trunk', trunks: [account], by: 'digest' }
    }
    // The credentials were meant for another realm.
    if (result.why === 'missing' && trusted) return trusted
    // All are challenged alike, so that nobody learns which accounts exist; each challenge counts until one authenticates.
    // Challenges to a trunk's address do not count, but guesses at others' passwords count wherever they come from.
    const isWrong = result.why === 'wrong'
    const isCounted = isWrong ? !isOwn : !isNamed(directory, address)
    const hasOwnNonce = isWrong || result.why === 'replayed'
    const failure = { weight: isWrong ? 2 : 1, ...(hasOwnNonce ? { isVerified: true } : {}) }
    if (isCounted && recordFailure(banList, source, failure)) return { is: 'unknown' }
    // Challenged again, a phone would retry the same wrong password at once.
    if (isWrong) return { is: 'refused' }
    const isStale = result.why === 'stale' || result.why === 'replayed'
    return { is: 'unauthenticated', challenges: digest.challenge(request, isStale, address) }
  }

  return {
    /** Whether packets from this address are parsed at all. A proxy carries the requests of many. */
    admitsFlow({ remote }: Flow): boolean {
      const address = plainAddress(remote.address)
      if (sources.isProxy(address)) return true
      return !banList.isBlocked(address, remote.port) || ownership.trustedTrunksAt(address, remote.port).length > 0
    },

    /**
     * Checked before a transaction is created, without a query. False: no response. A proxy gets one, or it would think
     * that this node is down; its own probes have no source.
     */
    admitsRequest(request: SipRequest, flow: Flow): boolean | number {
      const source = sources.sourceOf(request, flow)
      if (!source) return request.method === 'OPTIONS' || FORBIDDEN
      return admits(parts, request, source) || (source.isProxied && FORBIDDEN)
    },

    async authenticate(request: SipRequest, flow: Flow): Promise<Peer> {
      const source = sources.sourceOf(request, flow)
      if (!source) return { is: 'refused' }
      const peer = await identify(request, source)
      // A call that is known by its address alone is authenticated by its ACK.
      if (peer.is === 'device') parts.onAuthenticated(flow, peer.device.userId)
      if (peer.is === 'trunk' && peer.by !== 'call' && peer.trunks[0])
        parts.onAuthenticated(flow, peer.trunks[0].userId)
      return peer.is === 'unknown' && source.isProxied ? { is: 'refused' } : peer
    },
  }
}

/** Whether a request from there may begin a transaction. */
function admits(parts: AuthenticatorParts, request: SipRequest, source: RequestSource): boolean {
  const { directory, banList, digest } = parts
  const { address, port } = source
  if (calledTrunk(directory, request)) return true
  if (directory.claimsAt(address).length > 0) return admitsFromTrunk(parts, request, source)
  if (isScanner(request.headers.get('user-agent'))) {
    recordFailure(banList, source, { weight: 10 })
    return false
  }
  // Without a proxy, packets from a blocked address are not even parsed.
  if (source.isProxied && banList.isBlocked(address, port)) return false
  const isLimited = banList.isLimited(address, port) && !digest.isAnswered(request, address)
  const canAuthenticate = ['REGISTER', 'INVITE', 'MESSAGE', 'CANCEL'].includes(request.method)
  if (!isLimited && directory.hasAccounts() && (canAuthenticate || isInDialog(request))) return true
  recordFailure(banList, source)
  return false
}

/** For an address that a trunk claims. Its calls are accepted even while password attempts from there are banned. */
function admitsFromTrunk(
  { directory, ownership, banList, digest }: AuthenticatorParts,
  request: SipRequest,
  { address, port }: RequestSource,
): boolean {
  const { method, headers } = request
  const isInside = isInDialog(request)
  const isCall = method === 'INVITE' || method === 'CANCEL' || isInside
  const isTrusted = isCall && !headers.has('authorization') && ownership.trustedTrunksAt(address, port).length > 0
  if (banList.isBlocked(address, port)) return isTrusted
  if (isNamed(directory, address)) return true
  if (banList.isLimited(address, port)) return isTrusted || isInside || digest.isAnswered(request, address)
  return method !== 'OPTIONS' || isInside
}

/** The trunks that the request may belong to without a password: by our Contact, or by its source address. */
function trustedPeer(
  { directory, ownership, digest, hasPhoneAt }: AuthenticatorParts,
  request: SipRequest,
  { address, port }: RequestSource,
): Extract<Peer, { is: 'trunk' }> | undefined {
  const called = calledTrunk(directory, request)
  if (called) return { is: 'trunk', trunks: [called], by: 'contact' }
  // A registered phone may share its address with a carrier.
  if (request.method !== 'INVITE' || directory.device(fromUser(request))) return undefined
  const trunks = ownership.trustedTrunksAt(address, port)
  if (trunks.length === 0) return undefined
  const mayHavePassword = ownership.hasPasswordTrunk(address) || hasPhoneAt(address)
  const challenges = mayHavePassword ? digest.challenge(request, false, address) : undefined
  return { is: 'trunk', trunks, by: 'call', challenges }
}

const isInDialog = ({ headers }: SipRequest): boolean => tagOf(headers.get('to') ?? '') !== null

/** The trunk whose Contact user was called: only its carrier and we know it. */
const calledTrunk = (directory: Directory, request: SipRequest): Trunk | undefined =>
  directory.trunkByContact(parseUri(request.uri)?.user ?? '')

/** A trunk names this very address, or it was proved; a range alone earns no more trust than a stranger has. */
const isNamed = (directory: Directory, address: string): boolean =>
  directory.claimsAt(address).some(({ claim }) => claim.isNamed) || directory.provedUsers(address).size > 0

const recordFailure = (banList: BanList, { address, isConnection }: RequestSource, failure: Failure = {}): boolean =>
  banList.recordFailure(address, { isVerified: isConnection, ...failure })

/** Verifies digest credentials against every account that has the username. */
function digestVerifier({ directory, digest }: AuthenticatorParts) {
  /** Accounts with this username; trunks at this address first. */
  function accountsOf(username: string, address: string): (Device | Trunk)[] {
    const device = directory.device(username)
    if (device) return device.isDisabled ? [] : [device]
    const local = new Set(directory.trunksAt(address))
    const counts = new Map<string, number>()
    return directory
      .trunksByUsername(username)
      .toSorted((a, b) => Number(local.has(b)) - Number(local.has(a)))
      .filter(({ userId }) => {
        counts.set(userId, (counts.get(userId) ?? 0) + 1)
        return (counts.get(userId) ?? 0) <= MAX_NAMESAKES
      })
  }

  const isAt = (trunk: Trunk, address: string) =>
    directory.claimsAt(address).some(({ trunk: { userId, id } }) => userId === trunk.userId && id === trunk.id)

  /** `isOwn`: only trunks at this very address have the username, so a wrong password is not a guess at another account. */
  return async (request: SipRequest, address: string) => {
    let accounts: readonly (Device | Trunk)[] | undefined
    for (let index = 0; ; index++) {
      let account: Device | Trunk | undefined
      let isOwn = false
      const result = await digest.verify(request, address, (username) => {
        accounts ??= accountsOf(username, address)
        account = accounts[index]
        isOwn = accounts.length > 0 && accounts.every((each) => 'authMode' in each && isAt(each, address))
        return account?.password ?? undefined
      })
      const isLast = index >= (accounts?.length ?? 0) - 1
      if (result.ok || result.why !== 'wrong' || isLast) return { result, account, isOwn }
    }
  }
}

/** The user part of From, which tells whether a device of ours sent the request. */
const fromUser = ({ headers }: SipRequest): string =>
  parseUri(parseNameAddr(headers.get('from') ?? '')?.uri ?? '')?.user ?? ''
