// Binds a secret to the origin and the place in the request that it was set for. If a tool's address changes, its
// secrets are kept (the client sends masks back) but not sent to the new address until they are set again.
import type { ToolRow } from '../../db/tables.ts'
import type { Json } from '../../tool-types/ports.ts'
import { MASK, maskAuthorization, maskHeaders } from './masks.ts'

type Addressed = Pick<ToolRow, 'type' | 'requestUrl'>

/** Fields of an authorization that determine where its secret is placed in the request. */
const placement = ['type', 'in', 'name', 'header', 'headerName', 'prefix', 'algorithm'] as const
/** The column holds secrets for several origins, so no address may get all of them. */
const NOWHERE = ''

/** Without a requestUrl, a tool calls its type's default service. */
const originOf = ({ type, requestUrl }: Addressed): string =>
  requestUrl === null ? `the default service of type ${type}` : originIn(requestUrl)

const originIn = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)
const tokenOrigin = (url: unknown): string => (typeof url === 'string' ? originIn(url.trim()) : '')

export const headersBinding = (tool: Addressed): string => JSON.stringify([originOf(tool)])

export function authorizationBinding(tool: Addressed, authorization: Json | null): string {
  const places = placement.map((name) => authorization?.[name] ?? null)
  return JSON.stringify([originOf(tool), tokenOrigin(authorization?.tokenUrl), ...places])
}

/** What a PATCH does to a column's secrets: keeps all, replaces all, or a mix. */
type Sent = 'kept' | 'replaced' | 'mixed'

export const sentHeaders = (sent: Json | null | undefined): Sent => howSent(sent, maskHeaders)
export const sentAuthorization = (sent: Json | null | undefined): Sent => howSent(sent, maskAuthorization)

function howSent(sent: Json | null | undefined, mask: (value: Json) => Json): Sent {
  if (sent === undefined) return 'kept'
  if (sent === null) return 'replaced'
  const { masks, others } = secretsIn(sent, mask(sent))
  if (masks === 0) return 'replaced'
  return others === 0 ? 'kept' : 'mixed'
}

/** Counts the secrets in a value: the leaves that are masked in its masked form. */
function secretsIn(value: unknown, masked: unknown): { masks: number; others: number } {
  if (typeof value !== 'object' || value === null) {
    if (masked !== MASK) return { masks: 0, others: 0 }
    return value === MASK ? { masks: 1, others: 0 } : { masks: 0, others: 1 }
  }
  const parts = Object.entries(value).map(([name, part]) => secretsIn(part, (masked as Json)[name]))
  return {
    masks: parts.reduce((sum, part) => sum + part.masks, 0),
    others: parts.reduce((sum, part) => sum + part.others, 0),
  }
}

/** What the column is bound to after a change; null means to the current address. */
export function boundAfter(sent: Sent, stored: string | null, before: string, after: string): string | null {
  if (sent === 'replaced') return null
  const bound = stored ?? before
  if (bound === after) return null
  return sent === 'kept' ? bound : NOWHERE
}

export const hasSecretHeaders = (headers: Json): boolean => secretsIn(headers, maskHeaders(headers)).others > 0

/** Why these secrets may not be sent to the tool's current address; null if they may. */
export function bindingProblem(bound: string | null, present: string): string | null {
  if (bound === null || bound === present) return null
  if (bound === NOWHERE) return 'its secrets were given for different addresses: send all of them again'
  const [origin, tokenUrl] = JSON.parse(bound) as string[]
  const [nowOrigin, nowTokenUrl] = JSON.parse(present) as string[]
  if (origin !== nowOrigin)
    return `its secret was given for ${origin} and is not sent to ${nowOrigin}: send the secret again`
  if (tokenUrl !== nowTokenUrl)
    return `its secret was given for another tokenUrl and is not sent to ${nowTokenUrl || 'the default one'}: send the secret again`
  return 'its secret was given for another type or place of authorization: send the secret again'
}
