// Evidence that an address belongs to a trunk. Anyone can claim an address: only a proven one excludes other trunks or
// counts as known. Pure.
import { nowMs } from '../time/clock.ts'

/**
 * `registration`: the registrar there accepted our password; valid while we are registered. `contact`: a call from
 * there to our registered Contact was acknowledged. `digest`: the peer there answered our challenge. `call`: a call
 * from there, identified by its address, was acknowledged.
 */
export type AddressProof = { by: 'registration' | 'contact' | 'digest' | 'call'; at: string }
/** Keyed by address. */
export type AddressProofs = Readonly<Record<string, AddressProof>>

const ranks = { registration: 0, contact: 1, digest: 2, call: 3 } as const
const DAY_MS = 86_400_000
/** How long an answered challenge or an acknowledged call proves an address. */
const LASTING_MS = 90 * DAY_MS
/** Per trunk; the oldest is dropped. The holder of an IPv6 network can call from any number of addresses. */
const MAX_PROOFS = 64

const ageMs = ({ at }: AddressProof): number => nowMs() - Date.parse(at)

/** Whether the proof currently counts. */
export const isValidProof = (proof: AddressProof, isRegistered: boolean): boolean =>
  proof.by === 'registration' ? isRegistered : ageMs(proof) < LASTING_MS

/** The proofs including this one; `before` itself if nothing changes. */
export function withProof(before: AddressProofs, address: string, by: AddressProof['by'], at: string): AddressProofs {
  const known = before[address]
  const isSame = known?.by === by && ageMs(known) < DAY_MS
  const isWeaker = known !== undefined && ranks[by] < ranks[known.by] && ageMs(known) < LASTING_MS
  if (isSame || isWeaker) return before
  // We can be registered at only one address.
  const others = Object.entries(before).filter(
    ([other, proof]) => other !== address && !(by === 'registration' && proof.by === 'registration'),
  )
  const latestFirst = others.toSorted(([, a], [, b]) => Date.parse(b.at) - Date.parse(a.at))
  return Object.fromEntries([[address, { by, at }] as const, ...latestFirst.slice(0, MAX_PROOFS - 1)])
}
