// Who is at the door: a trunk by its address, by the Contact that we gave it or by its password, a device by its password, or nobody we know.
import type { digestServer } from '../sip/digest-server.ts'
import type { Flow, SipRequest } from '../sip/message.ts'
import { parseUri } from '../sip/uri.ts'
import { parseNameAddr, tagOf } from '../sip/values.ts'
import { plainAddress } from './addresses.ts'
import type { Directory } from './directory.ts'
import { type Guard, isScanner } from './guard.ts'
import type { Device, Trunk } from './ports.ts'

/** Of one user's trunks with one name: each costs a sum. Nobody's can hide those of another. */
const MAX_NAMESAKES = 8

export type Visitor =
  | { is: 'trunk'; trunks: readonly Trunk[] }
  | { is: 'device'; device: Device }
  /** May show a password. */
  | { is: 'unproved'; challenges: readonly string[] }
  /** The password was wrong. */
  | { is: 'refused' }
  | { is: 'stranger' }

export type Recognise = ReturnType<typeof createRecogniser>

export function createRecogniser(directory: Directory, guard: Guard, digest: ReturnType<typeof digestServer>) {
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

  async function prove(request: SipRequest, address: string) {
    let accounts: readonly (Device | Trunk)[] | undefined
    for (let tried = 0; ; tried++) {
      let account: Device | Trunk | undefined
      const proof = await digest.verify(request, address, (username) => {
        accounts ??= accountsOf(username, address)
        account = accounts[tried]
        return account?.password ?? undefined
      })
      const isLast = tried >= (accounts?.length ?? 0) - 1
      if (proof.ok || proof.why !== 'wrong' || isLast) return { proof, account }
    }
  }

  /** Trunks that the request's origin vouches for, without a password. */
  function trunksOf(request: SipRequest, address: string): readonly Trunk[] {
    const called = parseUri(request.uri)?.user ?? ''
    const registered = directory.trunkByContact(called)
    if (registered) return [registered]
    return directory.trunksAt(address).filter((trunk) => trunk.authMode !== 'digest')
  }

  /** A trunk's address is never blocked: what it does wrong, its owner sees in the records. */
  function strike({ transport, remote }: Flow, weight = 1, isVerified = transport !== 'udp'): boolean {
    const address = plainAddress(remote.address)
    return directory.trunksAt(address).length === 0 && guard.strike(address, weight, isVerified)
  }

  return {
    /** Before anything is made of it: false is silence. Costs no query. */
    mayEnter(request: SipRequest, flow: Flow): boolean {
      const address = plainAddress(flow.remote.address)
      if (directory.trunksAt(address).length > 0 || trunksOf(request, address).length > 0) return true
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

    async recognise(request: SipRequest, flow: Flow): Promise<Visitor> {
      const address = plainAddress(flow.remote.address)
      const hasPassword = request.headers.has('authorization')
      // A phone of ours may stand at a carrier's address.
      const vouched = directory.device(fromUser(request)) ? [] : trunksOf(request, address)
      if (vouched.length > 0 && !hasPassword) return { is: 'trunk', trunks: vouched }
      if (!directory.hasAccounts()) {
        if (vouched.length > 0) return { is: 'trunk', trunks: vouched }
        strike(flow)
        return { is: 'stranger' }
      }
      const { proof, account } = await prove(request, address)
      // The password was for somebody else.
      if (!proof.ok && proof.why === 'missing' && vouched.length > 0) return { is: 'trunk', trunks: vouched }
      if (!proof.ok) {
        // Everybody is challenged alike, so that nobody learns who has an account; and it counts, until one is proved.
        const hasOwnNonce = proof.why === 'wrong' || proof.why === 'replayed'
        const isBlocked = strike(flow, proof.why === 'wrong' ? 2 : 1, hasOwnNonce || flow.transport !== 'udp')
        if (isBlocked) return { is: 'stranger' }
        // A phone that is only asked again tries a wrong password again, and again at once.
        if (proof.why === 'wrong') return { is: 'refused' }
        const isStale = proof.why === 'stale' || proof.why === 'replayed'
        return { is: 'unproved', challenges: digest.challenge(request, isStale, address) }
      }
      guard.forgive(address, flow.remote.port)
      if (!account) return { is: 'stranger' }
      return 'authMode' in account ? { is: 'trunk', trunks: [account] } : { is: 'device', device: account }
    },
  }
}

/** The user part of From: only to see whether a device speaks. */
const fromUser = ({ headers }: SipRequest): string =>
  parseUri(parseNameAddr(headers.get('from') ?? '')?.uri ?? '')?.user ?? ''
