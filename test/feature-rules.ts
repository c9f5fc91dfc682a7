// Import rules of src/features: the name of a file says its layer, and a feature imports others only through ports,
// schemas and rows.
import { basename } from 'node:path/posix'

export type Import = { to: string; isType: boolean }

/** `logic`: any file whose name says nothing else. */
type Layer = 'schema' | 'port' | 'rows' | 'store' | 'routes' | 'service' | 'logic'

export function layerOf(path: string): Layer {
  const [, word] = /(?:^|-)(schema|port|rows|store|queue|routes|service)\.ts$/.exec(basename(path)) ?? []
  return word === 'queue' ? 'store' : ((word as Layer | undefined) ?? 'logic')
}

/** The feature of a file; undefined for `src/features/service.ts` and `stores.ts`, which belong to none. */
export const featureOf = (path: string): string | undefined => /^src\/features\/([^/]+)\/./.exec(path)?.[1]

/** Object storage without the protocol client. */
const objectStorage = [
  'object-storage/object-store.ts',
  'object-storage/recording-source.ts',
  'object-storage/store-health.ts',
]
export const engines = [
  ...['audio', 'call-wishes', 'cluster', 'csv-xlsx', 'dictation', 'failover', 'llm', 'phone', 'retrieval', 'rtp'],
  ...['rule-packs', 'simulation', 'sip', 'speech', 'object-storage', 'tool-types', 'voice', 'webcall'],
]

/** What a layer may import from outside the features; `types`: as types only. */
const outside: Readonly<Record<Layer, { values: readonly string[]; types: readonly string[] }>> = {
  schema: { values: ['base', 'db/tables.ts', 'http/schema.ts', 'http/scopes.ts'], types: ['db'] },
  port: { values: [], types: ['base', 'db', ...engines] },
  rows: { values: ['base', 'db'], types: [] },
  store: { values: ['base', 'db', ...objectStorage], types: ['http', ...engines] },
  routes: { values: ['base', 'db', 'http'], types: engines },
  service: { values: ['base', 'db', 'http', 'config', 'version.ts', ...engines], types: [] },
  logic: { values: ['base', 'db', 'config/addresses.ts', 'version.ts', ...engines], types: ['http', 'config'] },
}

/** Layers of its own feature that a layer may not import. */
const notOwn: Readonly<Record<Layer, readonly Layer[]>> = {
  schema: ['port', 'rows', 'store', 'routes', 'service', 'logic'],
  port: ['routes'],
  rows: ['port', 'routes', 'service'],
  store: ['routes', 'service'],
  routes: ['service'],
  service: [],
  logic: ['routes', 'service'],
}

const isBelow = (to: string, places: readonly string[]) =>
  places.some((place) => to === `src/${place}` || to.startsWith(`src/${place}/`))

/** Why a file of a feature may not import `to`; undefined if it may. */
export function featureRefusal(from: string, { to, isType }: Import): string | undefined {
  const layer = layerOf(from)
  if (layer === 'port' && !isType && !to.startsWith('src/base/')) return 'a port holds types'
  const feature = featureOf(to)
  if (feature === featureOf(from)) return refusalWithin(layer, layerOf(to), isType)
  if (feature !== undefined) return refusalAcross(layer, layerOf(to), isType)
  if (to.startsWith('src/features/'))
    return layer === 'service' || (layer === 'logic' && isType) ? undefined : `${layer} files know no services`
  const { values, types } = outside[layer]
  if (layer === 'schema' && /^src\/db\/[\w-]+-rows\.ts$/.test(to)) return undefined
  if (isBelow(to, values) || (isType && isBelow(to, types))) return undefined
  return `${layer} files of a feature may import ${[...values, ...types.map((each) => `types of ${each}`)].join(', ')}`
}

function refusalWithin(layer: Layer, to: Layer, isType: boolean): string | undefined {
  const isHandedOver = isType && to === 'routes' && layer !== 'schema' // types of what a route requires
  return notOwn[layer].includes(to) && !isHandedOver ? `${layer} files import no ${to} files` : undefined
}

function refusalAcross(layer: Layer, to: Layer, isType: boolean): string | undefined {
  if (to === 'schema') return undefined
  if (layer === 'schema') return 'a schema imports schemas of other features only'
  if (to === 'rows' || (to === 'port' && (isType || layer === 'service' || layer === 'logic'))) return undefined
  if (isType && to === 'store') return undefined // app.ts hands the store over
  if (to === 'service') return 'app.ts alone builds services'
  if (to === 'routes') return 'routes are mounted by the service of their own feature'
  return 'another feature is imported through its port.ts, schema.ts or rows.ts'
}

/** Import cycles of features, each as its path: among schemas, or among the values that all other files import. */
export function featureCycles(imports: readonly (Import & { from: string })[], of: 'schemas' | 'others'): string[] {
  const graph = new Map<string, Set<string>>()
  for (const { from, to, isType } of imports) {
    const [a, b] = [featureOf(from), featureOf(to)]
    if (a === undefined || b === undefined || a === b) continue
    const isApart = isType || ['schema', 'port'].includes(layerOf(to))
    if (of === 'schemas' ? layerOf(from) !== 'schema' : isApart) continue
    graph.set(a, (graph.get(a) ?? new Set()).add(b))
  }
  const done = new Set<string>()
  const cycles: string[] = []
  function visit(feature: string, trail: string[]): void {
    const start = trail.indexOf(feature)
    if (start !== -1) return void cycles.push([...trail.slice(start), feature].join(' -> '))
    if (done.has(feature)) return
    for (const next of graph.get(feature) ?? []) visit(next, [...trail, feature])
    done.add(feature)
  }
  for (const feature of graph.keys()) visit(feature, [])
  return cycles
}
