// What proves that an address is a trunk's. Anybody can write an address down: only a proved one excludes others or counts as known. Pure.
import { nowMs } from '../time/clock.ts'

/**
 * `registration`: the registrar there has accepted our password; it counts while we are registered. `contact`: a call from there to our registered
 * Contact was acknowledged. `digest`: the peer there answered our challenge. `call`: a call from there, known by its address, was acknowledged.
 */
export type AddressProof = { by: 'registration' | 'contact' | 'digest' | 'call'; at: string }
/** By address. */
export type AddressProofs = Readonly<Record<string, AddressProof>>

const ranks = { registration: 0, contact: 1, digest: 2, call: 3 } as const
const DAY_MS = 86_400_000
/** How long a challenge that was answered, or a call that was acknowledged, proves an address. */
const LASTING_MS = 90 * DAY_MS
/** Of one trunk; the oldest gives way. Whoever has an IPv6 network can call from any number of addresses. */
const MAX_PROOFS = 64

const ageMs = ({ at }: AddressProof): number => nowMs() - Date.parse(at)

/** Whether the proof counts now. */
export const isValidProof = (proof: AddressProof, isRegistered: boolean): boolean =>
  proof.by === 'registration' ? isRegistered : ageMs(proof) < LASTING_MS

/** The proofs with this one; `before` itself where it says nothing new. */
export function withProof(before: AddressProofs, address: string, by: AddressProof['by'], at: string): AddressProofs {
  const known = before[address]
  const isSame = known?.by === by && ageMs(known) < DAY_MS
  const isWeaker = known !== undefined && ranks[by] < ranks[known.by] && ageMs(known) < LASTING_MS
  if (isSame || isWeaker) return before
  // We are registered at one address.
  const others = Object.entries(before).filter(
    ([other, proof]) => other !== address && !(by === 'registration' && proof.by === 'registration'),
  )
  const latestFirst = others.toSorted(([, a], [, b]) => Date.parse(b.at) - Date.parse(a.at))
  return Object.fromEntries([[address, { by, at }] as const, ...latestFirst.slice(0, MAX_PROOFS - 1)])
}
