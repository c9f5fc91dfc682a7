// Watches the providers, and shows a banner for each that calls skip now. What draws it is loaded when there is something to tell.
import { Suspense } from 'react'
import { queries } from '../api.ts'
import { lazyComponent } from '../lazy-component.ts'

const AllIncidents = lazyComponent(() => import('./incident-banner.tsx'), 'AllIncidents')
const AgentIncidents = lazyComponent(() => import('../pages/agents/providers/agent-incidents.tsx'), 'AgentIncidents')

/** Events tell most of it; recovery happens in the background. */
const AGAIN_MS = 30_000

/** Of the agent's chains; without one, of all accounts that the user sees. */
export function IncidentWatch({ agentId }: { agentId?: string }) {
  const { data: accounts = [] } = queries.useQuery('get', '/api/providers', {}, { refetchInterval: AGAIN_MS })
  if (!accounts.some(({ health }) => health.state === 'down')) return null
  return <Suspense>{agentId ? <AgentIncidents id={agentId} /> : <AllIncidents accounts={accounts} />}</Suspense>
}
