// Providers in /metrics: requests, failures by reason, breakers and the time to the first token, word or sound. Labeled
// by account id, never by name.
import type { BreakerRegistry, ProviderMetrics } from '../../failover/breakers.ts'
import type { LabeledMetric } from '../../http/metrics.ts'

type Value = ReturnType<LabeledMetric['read']>[number]
const labelNames = ['kind', 'provider']

export function providerMetrics({ metrics }: Pick<BreakerRegistry, 'metrics'>): LabeledMetric[] {
  const each = (read: (provider: ProviderMetrics) => Omit<Value, 'labels'>[]) => () =>
    metrics().flatMap((provider) => read(provider).map((value) => ({ labels: labelsOf(provider), ...value })))
  return [
    {
      type: 'counter',
      name: 'ramal_provider_requests_total',
      labelNames,
      help: 'Requests of calls and trials to a provider that have ended',
      read: each(({ requests }) => [{ value: requests }]),
    },
    {
      type: 'counter',
      name: 'ramal_provider_failures_total',
      labelNames: [...labelNames, 'reason'],
      help: 'Failed requests to a provider, by reason',
      read: () =>
        metrics().flatMap((provider) =>
          [...provider.failures].map(([reason, value]) => ({ labels: { ...labelsOf(provider), reason }, value })),
        ),
    },
    {
      type: 'gauge',
      name: 'ramal_provider_down',
      labelNames,
      help: '1 while calls skip the provider and it is tried in the background',
      read: each(({ isOpen }) => [{ value: isOpen ? 1 : 0 }]),
    },
    {
      type: 'gauge',
      name: 'ramal_provider_first_seconds',
      labelNames,
      help: 'Median of recent times to the first token, final words or first sound',
      read: each(({ firstMs }) => (firstMs === null ? [] : [{ value: firstMs / 1000 }])),
    },
  ]
}

const labelsOf = ({ kind, id }: ProviderMetrics) => ({ kind, provider: id })
