// Prometheus metrics of the process and its routes, for loopback or an administrator.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Histogram, Registry } from 'prom-client'
import { containedCounts, faultCounts } from '../base/errors/faults.ts'
import { loadPromClient } from '../base/process/lazy-packages.ts'

/** A gauge, read at each scrape. */
export type Gauge = { name: string; help: string; read: () => number | Promise<number> }

/** One value per set of labels, read at each scrape. A counter's values never decrease. */
export type LabeledMetric = {
  type: 'gauge' | 'counter'
  name: string
  help: string
  labelNames: readonly string[]
  read: () => readonly { labels: Record<string, string>; value: number }[]
}

const faults: LabeledMetric = {
  type: 'counter',
  name: 'ramal_faults_total',
  help: 'Failures inside the platform, by component',
  labelNames: ['component'],
  read: faultCounts,
}

const contained: LabeledMetric = {
  type: 'counter',
  name: 'ramal_contained_faults_total',
  help: 'Unexpected errors that ended one call, request, job or socket, by kind of owner',
  labelNames: ['owner'],
  read: containedCounts,
}

/** `troubleOf`: the part that is currently degraded, if any. The registry is built by the first scrape. */
export function createMetrics(
  troubleOf: () => string | null,
  gauges: readonly Gauge[] = [],
  labeled: readonly LabeledMetric[] = [],
) {
  const requests = new (loadPromClient().Histogram)({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [],
  })
  let registry: Promise<Registry> | undefined
  return {
    registry(): Promise<Registry> {
      registry ??= sampled(registryOf(requests, { troubleOf, gauges, labeled: [faults, contained, ...labeled] }))
      return registry
    },
    countRequest(req: FastifyRequest, status: number, ms: number): void {
      const route = req.is404
        ? status === 200
          ? 'page'
          : 'unknown'
        : ((req.route ?? req.routeOptions).url ?? 'unknown')
      requests.observe({ method: req.method, route, status }, ms / 1000)
    },
  }
}

const FIRST_SAMPLES_MS = 100

/** Without a sample, the event loop delay would be reported as 292 years. */
async function sampled(registry: Registry): Promise<Registry> {
  await sleep(FIRST_SAMPLES_MS)
  return registry
}

type Read = { troubleOf: () => string | null; gauges: readonly Gauge[]; labeled: readonly LabeledMetric[] }

function registryOf(requests: Histogram, { troubleOf, gauges, labeled }: Read): Registry {
  const { collectDefaultMetrics, Gauge: PromGauge, Registry } = loadPromClient()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(requests)
  new PromGauge({
    name: 'ramal_degraded',
    help: '1 while the service does without a part that it is set up to use (redis: rate limits are counted by each process alone)',
    labelNames: ['part'],
    registers: [registry],
    collect() {
      this.set({ part: 'redis' }, troubleOf() === 'redis' ? 1 : 0)
    },
  })
  for (const { name, help, read } of gauges)
    new PromGauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await Promise.resolve(read()).catch(() => Number.NaN)) // database down: report the other gauges
      },
    })
  for (const metric of labeled) addLabeled(registry, metric)
  return registry
}

function addLabeled(registry: Registry, { type, name, help, labelNames, read }: LabeledMetric): void {
  const { Counter, Gauge: PromGauge } = loadPromClient()
  const common = { name, help, labelNames: [...labelNames], registers: [registry] }
  if (type === 'counter')
    new Counter({
      ...common,
      collect() {
        this.reset()
        for (const { labels, value } of read()) this.inc(labels, value)
      },
    })
  else
    new PromGauge({
      ...common,
      collect() {
        this.reset()
        for (const { labels, value } of read()) this.set(labels, value)
      },
    })
}
