// Watches the providers and shows a banner for each one that calls currently skip. The banner code is loaded only when
// needed.
import { Suspense } from 'react'
import { queries } from '../api.ts'
import { lazyComponent } from '../lazy-component.ts'

const AllIncidents = lazyComponent(() => import('./incident-banner.tsx'), 'AllIncidents')
const AgentIncidents = lazyComponent(() => import('../pages/agents/providers/agent-incidents.tsx'), 'AgentIncidents')

/** Events report most changes, but a recovery happens in the background, without one. */
const AGAIN_MS = 30_000

/** Covers the agent's chains, or all accounts visible to the user if no agent is given. */
export function IncidentWatch({ agentId }: { agentId?: string }) {
  const { data: accounts = [] } = queries.useQuery('get', '/api/providers', {}, { refetchInterval: AGAIN_MS })
  if (!accounts.some(({ health }) => health.state === 'down')) return null
  return <Suspense>{agentId ? <AgentIncidents id={agentId} /> : <AllIncidents accounts={accounts} />}</Suspense>
}
