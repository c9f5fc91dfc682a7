// The outage banner of one agent: which links of its chains are down, and which provider takes over.
import { queries } from '../../../api.ts'
import { IncidentBanner } from '../../../components/incident-banner.tsx'
import { incidentsOfChain } from '../../../components/incidents.ts'
import { chainKinds } from './chain-draft.ts'

export function AgentIncidents({ id }: { id: string }) {
  const { data: chain } = queries.useQuery('get', '/api/agents/{id}/chain', { params: { path: { id } } })
  if (!chain) return null
  const links = chainKinds.map((kind) => chain[kind].map((link) => ({ ...link, kind })))
  return <IncidentBanner incidents={links.flatMap(incidentsOfChain)} />
}
