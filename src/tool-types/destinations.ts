// Destinations of a transfer_call tool: validated, each with the name by which the model chooses it.
import type { DialPolicy } from '../phone/dial-policy.ts'
import { numberOf } from './call-tool-schema.ts'
import type { Json } from './ports.ts'

export type Destination = {
  type: 'number' | 'sip' | 'agent'
  number?: string | null
  sipUri?: string | null
  agentId?: string | null
  description?: string | null
  extension?: string | null
  callerId?: string | null
  mode?: 'cold' | 'warm' | null
  method?: 'refer' | 'bridge' | null
  message?: string | null
  whisper?: 'summary' | 'static' | 'none' | null
  ringTimeoutMs?: number | null
  holdMusicUrl?: string | null
  sipHeaders?: Readonly<Record<string, unknown>> | null
  onFailure?: 'return_to_agent' | 'end' | null
}

export type TransferConfig = { destinations?: readonly Destination[] | null; allowAnyNumber?: boolean | null }

const MAX_NAME = 64
/** No spaces, brackets or line breaks: it is copied into a header. */
const sipAddress = /^sips?:[^\s<>"\\]{1,500}$/i

/** Why this destination cannot be used; null if it can. */
export const destinationProblem = (destination: Destination, dialPolicy: DialPolicy): string | null =>
  destinationError(destination) ??
  (destination.type === 'agent' || dialPolicy.allows(addressOf(destination)) ? null : 'this number may not be called')

/** An error in the destination itself. */
export function destinationError(destination: Destination): string | null {
  const { type, number, sipUri, agentId, extension, callerId } = destination
  if (type === 'agent') return agentId ? null : 'an agent needs an agentId'
  if (type === 'sip' && !sipAddress.test(sipUri ?? '')) return 'a sipUri begins with sip: or sips:'
  if (type === 'number' && numberOf(number ?? '') === null) return 'a number is written as +5511987654321'
  if (extension && !/^[0-9*#A-Dw]{1,32}$/i.test(extension)) return 'an extension has 0-9 * # A-D, and w for a pause'
  if (callerId && callerId !== 'caller' && numberOf(callerId) === null) return 'a callerId is a whole number, or caller'
  return null
}

/**
 * An error in the configured destinations. A tool without any settings is merely unfinished; one with other settings
 * but no destination is an error.
 */
export function destinationsConfigError(config: Json): string | null {
  const { destinations, allowAnyNumber } = config as TransferConfig
  for (const [i, destination] of (destinations ?? []).entries()) {
    const problem = destinationError(destination)
    if (problem !== null) return `destinations[${i}]: ${problem}`
  }
  const leadsNowhere = !destinations?.length && !allowAnyNumber
  return leadsNowhere && Object.keys(config).length > 0 ? 'it needs destinations, or allowAnyNumber' : null
}

/** Named by the owner's description if there is one; names are unique. */
export function named(destinations: readonly Destination[]): Map<string, Destination> {
  const names = new Map<string, Destination>()
  for (const destination of destinations) {
    const { description, number, sipUri, agentId } = destination
    const wished = (description?.trim() || number || sipUri || agentId || destination.type).slice(0, MAX_NAME).trim()
    let name = wished
    for (let n = 2; names.has(name); n++) name = `${wished} (${n})`
    names.set(name, destination)
  }
  return names
}

/** The address to dial. */
export const addressOf = ({ type, number, sipUri }: Destination): string =>
  (type === 'sip' ? sipUri : numberOf(number ?? '')) ?? ''
