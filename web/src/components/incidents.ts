// Providers that calls skip now: what the banners tell, and which of it the user has put away. Pure.
import type { FailureReason, Health, Kind } from './provider-health.ts'

/** The id of the engines inside the platform. */
export const EMBEDDED = 'embedded'

/** One outage of one provider: another one later is another incident. */
export type Incident = {
  id: string
  kind: Kind
  name: string
  since: string | null
  reason: FailureReason | null
  /** The name of who serves meanwhile, or `embedded`; null: each agent's next provider. */
  instead: string | null
}

type Link = { id: string; kind: Kind; name: string; health?: Health | null }

const incidentOf = ({ id, kind, name, health }: Link, instead: string | null): Incident => ({
  id: [kind, id, health?.since ?? ''].join('/'),
  kind,
  name,
  instead,
  since: health?.since ?? null,
  reason: health?.reason ?? null,
})

const isDown = ({ health }: Link) => health?.state === 'down'

/** Of all accounts, for the home page. */
export const incidentsOf = (accounts: readonly Link[]): Incident[] =>
  accounts.filter(isDown).map((account) => incidentOf(account, null))

/** Of one chain in order: what is down before the first link that serves. */
export function incidentsOfChain(links: readonly Link[]): Incident[] {
  const serving = links.findIndex((link) => !isDown(link))
  const before = serving === -1 ? links : links.slice(0, serving)
  const next = links[serving]
  return before.map((link) => incidentOf(link, next?.id === EMBEDDED ? EMBEDDED : (next?.name ?? null)))
}

const KEY = 'ramal.incidents'
/** Older ones are over. */
const MAX_KEPT = 50

/** Kept in this browser. */
export function dismissedIncidents(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function dismissIncident(id: string): string[] {
  const kept = [...dismissedIncidents().filter((other) => other !== id), id].slice(-MAX_KEPT)
  localStorage.setItem(KEY, JSON.stringify(kept))
  return kept
}
