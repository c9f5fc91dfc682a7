// Who is at the door: a trunk by its address, by the Contact that we gave it or by its password, a device by its password, or nobody we know.
import type { digestServer } from '../sip/digest-server.ts'
import type { Flow, SipRequest } from '../sip/message.ts'
import { parseUri } from '../sip/uri.ts'
import { tagOf } from '../sip/values.ts'
import { plainAddress } from './addresses.ts'
import type { Directory } from './directory.ts'
import { type Guard, isScanner } from './guard.ts'
import type { Device, Trunk } from './ports.ts'

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
  const passwordOf = (username: string): string | undefined => {
    const device = directory.device(username)
    if (device) return device.isDisabled ? undefined : device.password
    return directory.trunkByUsername(username)?.password ?? undefined
  }

  /** Trunks that the request's origin vouches for, without a password. */
  function trunksOf(request: SipRequest, address: string): Trunk[] {
    const called = parseUri(request.uri)?.user ?? ''
    const registered = directory.trunkByContact(called)
    if (registered) return [registered]
    return directory.trunksAt(address).filter((trunk) => trunk.authMode !== 'digest')
  }

  return {
    /** Before a transaction is made of it: false is silence. Costs no query. */
    mayEnter(request: SipRequest, flow: Flow): boolean {
      const address = plainAddress(flow.remote.address)
      if (trunksOf(request, address).length > 0 || directory.trunksAt(address).length > 0) return true
      if (isScanner(request.headers.get('user-agent'))) {
        guard.strike(address, 10)
        return false
      }
      const canProve = ['REGISTER', 'INVITE', 'MESSAGE', 'ACK', 'CANCEL'].includes(request.method)
      const isInDialog = tagOf(request.headers.get('to') ?? '') !== null
      if (directory.hasAccounts() && (canProve || isInDialog)) return true
      guard.strike(address)
      return false
    },

    async recognise(request: SipRequest, flow: Flow): Promise<Visitor> {
      const address = plainAddress(flow.remote.address)
      const hasPassword = request.headers.has('authorization')
      const vouched = hasPassword ? [] : trunksOf(request, address)
      const from = directory.device(fromUser(request))
      if (vouched.length > 0 && !from) return { is: 'trunk', trunks: vouched }
      if (!directory.hasAccounts()) {
        guard.strike(address)
        return { is: 'stranger' }
      }
      const proof = await digest.verify(request, address, passwordOf)
      if (!proof.ok) {
        // Everybody is challenged alike, so that nobody learns who has an account; and it counts, until one is proved.
        const isBlocked = guard.strike(address, proof.why === 'wrong' ? 2 : 1)
        if (isBlocked) return { is: 'stranger' }
        // A phone that is only asked again tries a wrong password again, and again at once.
        if (proof.why === 'wrong') return { is: 'refused' }
        const isStale = proof.why === 'stale' || proof.why === 'replayed'
        return { is: 'unproved', challenges: digest.challenge(request, isStale, address) }
      }
      guard.forgive(address)
      const device = directory.device(proof.username)
      if (device) return { is: 'device', device }
      const trunk = directory.trunkByUsername(proof.username)
      return trunk ? { is: 'trunk', trunks: [trunk] } : { is: 'stranger' }
    },
  }
}

/** The user part of From, without the rest of its grammar: only to see whether a device speaks. */
function fromUser(request: SipRequest): string {
  const [, user = ''] = /sips?:([^@;>\s]+)@/i.exec(request.headers.get('from') ?? '') ?? []
  return user
}
