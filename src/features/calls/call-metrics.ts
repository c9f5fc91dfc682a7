// Calls, the database and the nodes in /metrics. Labels come from closed lists; none of them identifies a user.
import type { Gauge, LabeledMetric } from '../../http/metrics.ts'
import { countInDoubt } from '../campaigns/rows.ts'
import type { ServiceContext } from '../service.ts'
import type { CallStorage } from './call-storage.ts'

type Parts = {
  counts: CallStorage['counts']
  live: { readonly total: number }
  queue: { waiting(): readonly string[] }
}

export function callMetrics({ db, database, nodes }: ServiceContext, { counts, live, queue }: Parts) {
  const gauges: Gauge[] = [
    { name: 'ramal_calls_live', help: 'Calls of this node, on the phone and on the web', read: () => live.total },
    {
      name: 'ramal_calls_waiting',
      help: 'Outbound calls that wait on this node to be dialled',
      read: () => queue.waiting().length,
    },
    {
      name: 'ramal_database_up',
      help: '1 while the database answers this node',
      read: () => (database.isAway() ? 0 : 1),
    },
    {
      name: 'ramal_campaign_attempts_in_doubt',
      help: 'Attempts of all campaigns that may have been placed and wait for a person to decide',
      read: () => countInDoubt(db),
    },
  ]
  const metrics: LabeledMetric[] = [
    {
      type: 'counter',
      name: 'ramal_calls_ended_total',
      labelNames: ['reason'],
      help: 'Calls that this node has ended since its start, refused ones and those of dead nodes included, by endReason',
      read: () => [...counts.ended()].map(([reason, value]) => ({ labels: { reason }, value })),
    },
    {
      type: 'counter',
      name: 'ramal_calls_refused_total',
      labelNames: ['code'],
      help: 'Inbound calls that this node has refused since its start, by SIP status code',
      read: () => [...counts.refused()].map(([code, value]) => ({ labels: { code: String(code) }, value })),
    },
    {
      type: 'gauge',
      name: 'ramal_nodes',
      labelNames: ['state'],
      help: 'Nodes of the service as this one sees them',
      read: () => Object.entries(nodes.counts()).map(([state, value]) => ({ labels: { state }, value })),
    },
  ]
  return { gauges, metrics }
}
