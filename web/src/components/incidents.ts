// Providers that calls currently skip: what the banners show, and which ones the user dismissed. Pure.
import type { FailureReason, Health, Kind } from './provider-health.ts'

/** The id of the built-in engines. */
export const EMBEDDED = 'embedded'

/** One outage of one provider; a later outage of it is a new incident. */
export type Incident = {
  id: string
  kind: Kind
  name: string
  since: string | null
  reason: FailureReason | null
  /** The name of the provider that takes over, or `embedded`; null: the next one in each agent's chain. */
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

/** The incidents of all accounts, for the home page. */
export const incidentsOf = (accounts: readonly Link[]): Incident[] =>
  accounts.filter(isDown).map((account) => incidentOf(account, null))

/** The incidents of one chain: its links that are down before the first one that works. */
export function incidentsOfChain(links: readonly Link[]): Incident[] {
  const serving = links.findIndex((link) => !isDown(link))
  const before = serving === -1 ? links : links.slice(0, serving)
  const next = links[serving]
  return before.map((link) => incidentOf(link, next?.id === EMBEDDED ? EMBEDDED : (next?.name ?? null)))
}

const KEY = 'ramal.incidents'
/** Older dismissals belong to outages that are over. */
const MAX_KEPT = 50

/** Stored in this browser. */
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
