// Who is at the door: a trunk by its address, by the Contact that we gave it or by its password, a device by its password, or nobody we know.
import { monotonicMs } from '../base/clock.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { digestServer } from '../sip/auth/digest-server.ts'
import type { Flow, SipRequest } from '../sip/message/message.ts'
import { parseUri } from '../sip/message/uri.ts'
import { parseNameAddr, tagOf } from '../sip/message/values.ts'
import { plainAddress } from './address-set.ts'
import { type BanList, isScanner } from './ban-list.ts'
import type { Directory } from './directory.ts'
import type { Ownership } from './ownership.ts'
import type { Device, Trunk } from './ports.ts'

/** Of one user's trunks with one name: each costs a sum. Nobody's can hide those of another. */
const MAX_NAMESAKES = 8

export type Peer =
  /** `owner` is told of calls to nobody's number; `challenges`: unless the number is a trunk's own, somebody else may be calling, who has a password. */
  | { is: 'trunk'; trunks: readonly Trunk[]; owner?: string | undefined; challenges?: readonly string[] }
  | { is: 'device'; device: Device }
  /** May show a password. */
  | { is: 'unauthenticated'; challenges: readonly string[] }
  /** The password was wrong. */
  | { is: 'refused' }
  | { is: 'unknown' }

export type Authenticator = ReturnType<typeof createAuthenticator>

export type AuthenticatorParts = {
  directory: Directory
  ownership: Ownership
  guard: BanList
  digest: ReturnType<typeof digestServer>
  /** Whether a phone is registered from this address. */
  hasPhoneAt: (address: string) => boolean
}

/** For how long a call that was taken and acknowledged vouches for its address. */
const PROVED_MS = 86_400_000
const MAX_PROVED = 10_000

export function createAuthenticator({ directory, ownership, guard, digest, hasPhoneAt }: AuthenticatorParts) {
  const provedUntil = new LruCache<string, number>(MAX_PROVED)

  /** Everybody who may show a password under this name; the carrier at this address first. */
  function accountsOf(username: string, address: string): (Device | Trunk)[] {
    const device = directory.device(username)
    if (device) return device.isDisabled ? [] : [device]
    const there = new Set(directory.trunksAt(address))
    const tried = new Map<string, number>()
    return directory
      .trunksByUsername(username)
      .toSorted((a, b) => Number(there.has(b)) - Number(there.has(a)))
      .filter(({ userId }) => {
        tried.set(userId, (tried.get(userId) ?? 0) + 1)
        return (tried.get(userId) ?? 0) <= MAX_NAMESAKES
      })
  }

  const isAt = (trunk: Trunk, address: string) =>
    directory.claimsAt(address).some(({ trunk: { userId, id } }) => userId === trunk.userId && id === trunk.id)

  /** `isOwn`: nobody but the trunks at this address has that name, so nothing can be guessed. */
  async function prove(request: SipRequest, address: string) {
    let accounts: readonly (Device | Trunk)[] | undefined
    for (let tried = 0; ; tried++) {
      let account: Device | Trunk | undefined
      let isOwn = false
      const proof = await digest.verify(request, address, (username) => {
        accounts ??= accountsOf(username, address)
        account = accounts[tried]
        isOwn = accounts.length > 0 && accounts.every((each) => 'authMode' in each && isAt(each, address))
        return account?.password ?? undefined
      })
      const isLast = tried >= (accounts?.length ?? 0) - 1
      if (proof.ok || proof.why !== 'wrong' || isLast) return { proof, account, isOwn }
    }
  }

  /** The trunk whose Contact, which only we and its carrier know, was called. */
  const calledTrunk = (request: SipRequest): Trunk | undefined =>
    directory.trunkByContact(parseUri(request.uri)?.user ?? '')

  /** An address that a trunk names, or that lies in a range beside one, or from which a call was taken. */
  const isProved = (address: string): boolean =>
    directory.claimsAt(address).some(({ claim }) => claim.isProved) || (provedUntil.get(address) ?? 0) > monotonicMs()

  /** From an address that some trunk names. Its calls are heard even while passwords tried from there are not. */
  function mayEnterFromTrunk(request: SipRequest, { remote }: Flow, address: string): boolean {
    const { method, headers } = request
    const isInDialog = tagOf(headers.get('to') ?? '') !== null
    if (guard.isBlocked(address, remote.port)) {
      const isCall = method === 'INVITE' || method === 'CANCEL' || isInDialog
      return isCall && !headers.has('authorization') && ownership.trustedTrunksAt(address, remote.port).length > 0
    }
    return method !== 'OPTIONS' || isInDialog || isProved(address)
  }

  /** The trunks that a call may be of without a password: by our Contact, or by the address it comes from. */
  function vouchedFor(request: SipRequest, address: string, port: number): Extract<Peer, { is: 'trunk' }> | undefined {
    const called = calledTrunk(request)
    if (called) return { is: 'trunk', trunks: [called], owner: called.userId }
    // A phone of ours may stand at a carrier's address.
    if (request.method !== 'INVITE' || directory.device(fromUser(request))) return undefined
    const trunks = ownership.trustedTrunksAt(address, port)
    if (trunks.length === 0) return undefined
    const owner = ownership.ownerOf(address, port)
    const mayHavePassword = ownership.hasPasswordTrunk(address, owner) || hasPhoneAt(address)
    const challenges = mayHavePassword ? { challenges: digest.challenge(request, false, address) } : {}
    return { is: 'trunk', trunks, owner, ...challenges }
  }

  const strike = ({ transport, remote }: Flow, weight = 1, isVerified = transport !== 'udp'): boolean =>
    guard.recordFailure(plainAddress(remote.address), weight, isVerified)

  return {
    /** Whether anything from this address is read at all. */
    admitsFlow({ remote }: Flow): boolean {
      const address = plainAddress(remote.address)
      return !guard.isBlocked(address, remote.port) || ownership.trustedTrunksAt(address, remote.port).length > 0
    },

    /** A call from there was taken, and its ACK came. */
    markVerified: (address: string): void => provedUntil.set(address, monotonicMs() + PROVED_MS),

    /** Before anything is made of it: false is silence. Costs no query. */
    admitsRequest(request: SipRequest, flow: Flow): boolean {
      const address = plainAddress(flow.remote.address)
      if (calledTrunk(request)) return true
      if (directory.claimsAt(address).length > 0) return mayEnterFromTrunk(request, flow, address)
      if (isScanner(request.headers.get('user-agent'))) {
        strike(flow, 10)
        return false
      }
      if (guard.isLimited(address, flow.remote.port) && !digest.isAnswered(request, address)) {
        strike(flow)
        return false
      }
      const canProve = ['REGISTER', 'INVITE', 'MESSAGE', 'CANCEL'].includes(request.method)
      const isInDialog = tagOf(request.headers.get('to') ?? '') !== null
      if (directory.hasAccounts() && (canProve || isInDialog)) return true
      strike(flow)
      return false
    },

    async authenticate(request: SipRequest, flow: Flow): Promise<Peer> {
      const address = plainAddress(flow.remote.address)
      const hasPassword = request.headers.has('authorization')
      const vouched = vouchedFor(request, address, flow.remote.port)
      if (vouched && (!hasPassword || !directory.hasAccounts())) return vouched
      if (!directory.hasAccounts()) {
        strike(flow)
        return { is: 'unknown' }
      }
      const { proof, account, isOwn } = await prove(request, address)
      // The password was for somebody else.
      if (!proof.ok && proof.why === 'missing' && vouched) return vouched
      if (!proof.ok) {
        // Everybody is challenged alike, so that nobody learns who has an account; and it counts, until one is proved.
        // A trunk's address is challenged for nothing, but guesses at others' passwords count wherever they are made.
        const isWrong = proof.why === 'wrong'
        const isCounted = isWrong ? !isOwn : directory.claimsAt(address).length === 0
        const hasOwnNonce = isWrong || proof.why === 'replayed'
        const isVerified = hasOwnNonce || flow.transport !== 'udp'
        if (isCounted && strike(flow, isWrong ? 2 : 1, isVerified)) return { is: 'unknown' }
        // A phone that is only asked again tries a wrong password again, and again at once.
        if (proof.why === 'wrong') return { is: 'refused' }
        const isStale = proof.why === 'stale' || proof.why === 'replayed'
        return { is: 'unauthenticated', challenges: digest.challenge(request, isStale, address) }
      }
      guard.reset(address, flow.remote.port)
      if (!account) return { is: 'unknown' }
      return 'authMode' in account
        ? { is: 'trunk', trunks: [account], owner: account.userId }
        : { is: 'device', device: account }
    },
  }
}

/** The user part of From: only to see whether a device speaks. */
const fromUser = ({ headers }: SipRequest): string =>
  parseUri(parseNameAddr(headers.get('from') ?? '')?.uri ?? '')?.user ?? ''
